package import ObjectModel

/// A model read from an archive, with findings about the archive's other contents.
package struct DecodedModel: Hashable, Sendable {
  /// The model.
  package let model: ManagedObjectModel
  /// A finding for each part that the model cannot express and that is left out, by the entities' order.
  package let findings: [Finding]
}
