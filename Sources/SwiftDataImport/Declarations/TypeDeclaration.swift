/// A case of an enumeration.
package struct EnumerationCase: Hashable, Sendable {
  /// A value that a case carries.
  package struct Parameter: Hashable, Sendable {
    /// The label.
    package var label: String?
    /// The type.
    package var type: SourceType
  }

  /// The name.
  package var name: String
  /// The values that it carries; nil where it has no parentheses.
  package var payload: [Parameter]?
  /// The raw value that is written.
  package var rawValue: SourceExpression?
  /// The place of the case.
  package var place: SourcePlace
}

/// A type that a source declares, or an extension of one.
package struct TypeDeclaration: Hashable, Sendable {
  /// The kind of a type declaration.
  package enum Kind: String, Hashable, Sendable {
    /// A class or an actor.
    case `class`
    /// A structure.
    case structure = "struct"
    /// An enumeration.
    case enumeration = "enum"
    /// A protocol.
    case `protocol`
    /// More of a type that is declared elsewhere.
    case `extension`
  }

  /// A part of a declaration that the reader did not understand.
  package struct Doubt: Hashable, Sendable {
    /// The reason why it is not understood.
    package var reason: String
    /// The place of the doubt.
    package var place: SourcePlace
  }

  /// The kind of the declaration.
  package var kind: Kind
  /// The names around it and its own; of an extension, the type as it is named.
  package var path: [String]
  /// Whether it is `public` or `open`.
  package var isPublic = false
  /// Whether it has parameters in angle brackets.
  package var isGeneric = false
  /// The types behind the colon.
  package var inherited: [SourceType] = []
  /// The attributes before it.
  package var attributes: [MacroUse] = []
  /// The properties, computed and static ones included.
  package var properties: [PropertyDeclaration] = []
  /// The cases of an enumeration.
  package var cases: [EnumerationCase] = []
  /// The macros among its members.
  package var macros: [MacroUse] = []
  /// The names of the functions and initializers that it declares, with their labels.
  package var functions: Set<String> = []
  /// The parts of it that the reader did not understand.
  package var doubts: [Doubt] = []
  /// The place of its name.
  package var place: SourcePlace

  /// Whether the declaration has `@Model`.
  package var isModel: Bool {
    kind == .class && attributes.contains { $0.name == "Model" }
  }

  /// The name without those around it.
  package var name: String { path.last ?? "" }

  /// The names joined by dots.
  package var qualifiedName: String { path.joined(separator: ".") }

  /// Returns whether a name follows the colon, from any module.
  func inherits(_ name: String) -> Bool {
    inherited.contains {
      if case .named(let path, _) = $0 { path.last == name } else { false }
    }
  }

  /// Returns the static property of a name.
  func staticProperty(_ name: String) -> PropertyDeclaration? {
    properties.first { $0.isStatic && $0.name == name }
  }
}

/// Another name for a type.
package struct TypeAlias: Hashable, Sendable {
  /// The names around it and its own.
  package var path: [String]
  /// The type that the alias names.
  package var type: SourceType
  /// The place of the alias.
  package var place: SourcePlace
}
