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

  /// The places that give a required attribute a value, after "Give it".
  package var defaults: String {
    switch self {
    case .coreData:
      "a default in the model (no version hash changes), or a value expression in a mapping."
    case .swiftData:
      "a default in its class (no version hash changes), or a value in a custom stage."
    }
  }
}

extension String {
  /// The text with its first letter in upper case, as a sentence of its own begins.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
