package import ObjectModel

/// A model as it was read, with the reader's findings about its file.
package struct ImportedModel: Hashable, Sendable {
  /// The declared model.
  package var model: ManagedObjectModel
  /// Elements, attributes and values that were left out, in the order of the file.
  package var findings: [Finding]
}
