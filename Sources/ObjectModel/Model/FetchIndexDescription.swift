/// An index that a model asks the store for, since iOS 11.
///
/// Counterpart of `NSFetchIndexDescription`.
public struct FetchIndexDescription: Hashable, Sendable {
  /// A column of an index.
  public struct Element: Hashable, Sendable {
    /// The kind of index of a column; raw values are Apple's.
    public enum Collation: Int, Hashable, Sendable {
      /// An index by value.
      case binary = 0
      /// A dimension of an R-tree.
      case rTree = 1
    }

    /// A property's name, or the text of an expression such as `entity` or `self`.
    public var propertyName: String
    /// Whether `propertyName` is the text of an expression.
    public var isExpression = false
    /// The kind of index of the column.
    public var collation = Collation.binary
    /// Whether lesser values come first.
    public var isAscending = true

    /// An ascending element by value.
    public init(propertyName: String) { self.propertyName = propertyName }
  }

  /// The name, unique in the entity.
  public var name: String
  /// The columns in order.
  public var elements: [Element]
  /// The format string of the predicate of a partial index, where there is one.
  public var partialIndexPredicate: String?

  /// An index over some columns.
  public init(name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }
}
