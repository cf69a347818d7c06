package import ObjectModel

/// A model as it was read, with what the reader has to say about its file.
package struct ImportedModel: Hashable, Sendable {
  /// What the file declares.
  package var model: ManagedObjectModel
  /// Elements, attributes and values that were left out, in the order of the file.
  package var findings: [Finding]
}
