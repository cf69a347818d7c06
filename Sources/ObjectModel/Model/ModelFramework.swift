/// The framework whose declarations make a model, which decides the advice that an app can take.
package enum ModelFramework: Hashable, Sendable, CaseIterable {
  /// Models of Xcode's editor, mapping models and NSStagedMigrationManager.
  case coreData
  /// Classes with `@Model`, and the stages of a `SchemaMigrationPlan`.
  case swiftData

  /// The mark by which a property is carried to a new name.
  package var renamingIdentifier: String {
    switch self {
    case .coreData: "Renaming ID"
    case .swiftData: "originalName"
    }
  }

  /// Returns the means by which a step that cannot be inferred converts data, as advice to make it.
  ///
  /// - Parameter purpose: The end of the sentence, such as " that converts the values".
  package func mapping(_ purpose: String = "") -> String {
    switch self {
    case .coreData: "write a mapping\(purpose)"
    case .swiftData:
      "add a schema between the two that has both forms, and a custom stage"
        + (purpose.isEmpty ? " that moves the values" : purpose)
    }
  }

  /// The file by which Waystone itself takes a step that it cannot infer.
  package var ownMapping: String {
    switch self {
    case .coreData: "a mapping"
    case .swiftData: "a hop file"
    }
  }

  /// Returns whether an attribute of a type can have a default in a model.
  ///
  /// Xcode's editor has none for bytes, and none for objects that become bytes.
  package func takesDefault(_ type: AttributeType) -> Bool {
    switch type {
    case .binary, .transformable: self == .swiftData
    case .undefined, .objectID, .composite: false
    default: true
    }
  }

  /// The place that gives a required attribute a default.
  package var placeOfDefault: String {
    switch self {
    case .coreData: "the model"
    case .swiftData: "its class"
    }
  }

  /// The value that a mapping gives a required attribute, after "Give it".
  package var mappedValue: String {
    switch self {
    case .coreData: "a value expression in a mapping."
    case .swiftData: "a value in a custom stage."
    }
  }

  /// Returns the places that give a required attribute of a type a value, after "Give it".
  package func values(for type: AttributeType) -> String {
    takesDefault(type)
      ? "a default in \(placeOfDefault) (no version hash changes), or \(mappedValue)" : mappedValue
  }
}

extension String {
  /// The text with its first letter in upper case, as a sentence of its own begins.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
