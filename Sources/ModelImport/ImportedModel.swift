public import ObjectModel

/// A model as it was read, with what the reader has to say about its file.
public struct ImportedModel: Hashable, Sendable {
  /// What the file declares.
  public var model: ManagedObjectModel
  /// Elements, attributes and values that were left out, in the order of the file.
  public var findings: [Finding]
}
