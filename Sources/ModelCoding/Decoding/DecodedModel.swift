package import ObjectModel

/// A model read from an archive, with what the archive says beyond it.
package struct DecodedModel: Hashable, Sendable {
  /// The model.
  package let model: ManagedObjectModel
  /// What has no place in the model and is therefore left out, in the order of the entities.
  package let findings: [Finding]
}
