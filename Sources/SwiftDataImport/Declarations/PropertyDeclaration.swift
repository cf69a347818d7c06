/// An attribute of a declaration, such as `@Attribute(.unique)`, or a macro among members, such as
/// `#Unique<Trip>([\.name])`.
package struct MacroUse: Hashable, Sendable {
  /// The name without module: `Attribute`.
  package var name: String
  /// The arguments in their order.
  package var arguments: [SourceExpression.Argument]
  /// The types in angle brackets.
  package var types: [SourceType]
  /// The place of the attribute or macro.
  package var place: SourcePlace

  /// The macros that decide whether a property is persistent, and how.
  static let known: Set<String> = [
    "Model", "Attribute", "Relationship", "Transient", "Unique", "Index",
  ]
}

/// A property that a type declares.
package struct PropertyDeclaration: Hashable, Sendable {
  /// The storage of a property's value.
  package enum Storage: Hashable, Sendable {
    /// A value stored in the instance.
    case stored
    /// Nowhere: it has a getter.
    case computed
  }

  /// The name.
  package var name: String
  /// The type that is written, where one is.
  package var type: SourceType?
  /// The initial value, or what the getter of a computed property returns where that is all it does.
  package var value: SourceExpression?
  /// The storage of its value.
  package var storage: Storage
  /// Whether it is `static` or `class`.
  package var isStatic: Bool
  /// Whether it is `let`.
  package var isConstant: Bool
  /// Whether it is `lazy`.
  package var isLazy: Bool
  /// The attributes before it.
  package var attributes: [MacroUse]
  /// The place of its name.
  package var place: SourcePlace

  /// Returns the attribute of a name, where it has one.
  func attribute(_ name: String) -> MacroUse? { attributes.first { $0.name == name } }
}
