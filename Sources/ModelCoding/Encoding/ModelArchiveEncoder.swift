package import ObjectModel
import PropertyLists

/// An encoder of models, as Core Data archives its `NSManagedObjectModel`.
///
/// Keys, classes and flags are those of archives in stores of public apps. Left out, because no
/// archive shows their form or they are not archived: R-tree indexes, cloud encryption, external
/// records for Spotlight, code generation and scalar types.
package enum ModelArchiveEncoder {
  /// Returns the archive of the model, the same bytes for equal models.
  ///
  /// - Throws: `ModelCodingError` for composite attributes, and for predicates and derivations in
  ///   forms that no archive shows.
  /// - Complexity: O(n log n) in the number of properties, inherited ones counted again.
  package static func encode(_ model: ManagedObjectModel) throws(ModelCodingError) -> [UInt8] {
    var encoder = EntityEncoder(model: model)
    let root = encoder.root
    let entities = try encoder.addEntities()
    let identifiers = model.versionIdentifiers.map { encoder.writer.string($0) }
    var fields: [String: PropertyList] = [
      "NSEntities": entities.value,
      "NSVersionIdentifiers": encoder.writer.set(identifiers).value,
      "NSFetchRequestTemplates": try encoder.addTemplates().value,
    ]
    if !model.configurations.isEmpty {
      let sorted = model.configurations.sorted { ByteOrder.precedes($0.key, $1.key) }
      let entries = sorted.map { name, entities in
        let key = encoder.writer.string(name)
        return (key, encoder.writer.set(entities.compactMap { encoder.references[$0] }))
      }
      fields["NSConfigurations"] = encoder.writer.dictionary(entries, isMutable: true).value
    }
    encoder.writer.fill(root, hierarchy: ["NSManagedObjectModel", "NSObject"], fields)
    return encoder.writer.archive(root: root)
  }
}
