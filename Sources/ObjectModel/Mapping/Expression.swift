/// A formula that gives a property of a destination object its value.
///
/// Counterpart of `NSExpression`, with the forms that mapping models use.
public indirect enum Expression: Hashable, Sendable {
  /// A value that the mapping itself contains, or nothing.
  case constant(AttributeValue?)
  /// The object that the expression is evaluated with: `SELF`.
  case evaluatedObject
  /// A value that the migration provides, such as `$source` or `$manager`; without the dollar.
  case variable(String)
  /// The value at the end of a path of properties: `$source.owner.name`.
  case keyPath(Expression, [String])
  /// The result of a method of an object: `FUNCTION($manager, "selector:", …)`.
  case function(Expression, selector: String, arguments: [Expression])
  /// A class, as the target of a class method: `FUNCTION(CAST("NSDate", "Class"), "date")`.
  case className(String)
  /// A function that `NSExpression` itself has, by its selector: `add:to:`, `uppercase:`,
  /// `castObject:toType:`, `objectFrom:withIndex:`, `now`.
  case call(String, [Expression])
  /// A collection of given members: `{1, 2}`.
  case aggregate([Expression])
  /// A choice between two values: `TERNARY(predicate, then, else)`.
  case conditional(Predicate, Expression, Expression)
  /// The members of a collection that meet a predicate: `SUBQUERY(collection, $x, predicate)`.
  case subquery(Expression, variable: String, Predicate)
  /// Two collections put together: `a UNION b`.
  case setOperation(SetOperation, Expression, Expression)
  /// The result of a fetch request: `FETCH(request, context, countOnly)`.
  case fetch(Expression, context: Expression, countOnly: Bool)

  /// The operation that combines two collections.
  public enum SetOperation: String, Hashable, Sendable, CaseIterable {
    /// All members of both.
    case union = "UNION"
    /// The members that both have.
    case intersect = "INTERSECT"
    /// The members of the first that the second does not have.
    case minus = "MINUS"
  }
}

extension Expression {
  /// Returns an expression for the source object's property: `$source.name`.
  public static func source(_ propertyName: String) -> Expression {
    .keyPath(.variable("source"), [propertyName])
  }

  /// Returns an expression for the destination objects made from a source relationship's objects.
  ///
  /// The form that Xcode's mapping models have where several entity mappings can make them.
  public static func destinationInstances(forSourceRelationship name: String) -> Expression {
    .function(
      .variable("manager"),
      selector: destinationInstancesForSourceRelationship,
      arguments: [.constant(.string(name)), .source(name)]
    )
  }

  /// The selector of `NSMigrationManager` by which relationships are carried.
  public static let destinationInstancesForSourceRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"

  /// The name of the source property that the expression carries as it is, if it does just that.
  public var carriedSourcePropertyName: String? {
    switch self {
    case .keyPath(.variable("source"), let path) where path.count == 1: path[0]
    case .function(.variable("manager"), Self.destinationInstancesForSourceRelationship, let list)
    where list.count == 2:
      list[1].carriedSourcePropertyName
    default: nil
    }
  }
}
