import ObjectModel

/// Reads an optimized model (`.omo`), which newer systems map into memory in place of a `.mom`.
///
/// Apple documents nothing of its form. What is read was measured on five files of public apps, in
/// two layouts, beside each of which lies the `.mom` of the same version. A form that was not
/// among them (a default value other than zero, another deletion rule than to nullify, a renaming
/// identifier, a validation rule, several constraints or indexes of one entity) is refused, never
/// guessed; and so is a model whose version hashes are not those that the file records.
package enum OptimizedModelDecoder {
  /// As many as ``ModelArchiveDecoder`` looks at, inherited ones counted again.
  static let maximumProperties = 50_000
  static let maximumEntities = 4_000
  static let maximumDepth = 64
  static let defaultConfiguration = "PF_DEFAULT_CONFIGURATION_NAME"

  /// The model in the bytes of an `.omo`.
  ///
  /// - Throws: `ModelCodingError`: `unsupported` for a form that is not known.
  /// - Complexity: O(n) in the number of bytes, if the hierarchy is flat.
  package static func decode(_ bytes: [UInt8]) throws(ModelCodingError) -> DecodedModel {
    let tables = try OptimizedTables(bytes)
    var reader = OptimizedReader(tables)
    let entities = try readEntities(tables, &reader)
    let families = try families(of: entities)
    let properties = try readProperties(tables, &reader, families: families)
    var descriptions: [EntityDescription] = []
    for (index, entity) in entities.enumerated() {
      var description = try entity.description(&reader, family: families[index])
      description.superentityName = entity.parent.map { entities[$0].name }
      descriptions.append(description)
    }
    var fetched = 0
    for property in properties {
      switch property.kind {
      case .attribute, .derived:
        descriptions[property.entity].attributes.append(try property.attribute(&reader))
      case .relationship:
        descriptions[property.entity].relationships.append(
          try property.relationship(&reader, among: properties)
        )
      case .fetched: fetched += 1
      }
    }
    let outline = try readOutline(tables, &reader)
    guard outline.templates + fetched == tables.fetchRequests.count else {
      throw .unknownForm("its fetch requests are counted unlike those of others")
    }
    let identifiers = try reader.versionIdentifiers(1)
    try reader.finish(templates: outline.templates, fetchRequests: tables.fetchRequests.count)
    let model: ManagedObjectModel
    do throws(ModelError) {
      model = try ManagedObjectModel(
        entities: descriptions,
        configurations: outline.configurations,
        versionIdentifiers: identifiers
      )
    } catch { throw ModelCodingError(error) }
    for entity in entities where model.entityVersionHashes[entity.name]?.bytes != entity.hash {
      throw .unknownForm("the version hash of \(entity.name) is not that of what was read")
    }
    return DecodedModel(
      model: model,
      findings: tables.fetchRequests.count == 0 ? [] : [leftOut(tables.fetchRequests.count)]
    )
  }

  private static func leftOut(_ count: Int) -> Finding {
    Finding(
      .unusableValue,
      .warning,
      at: Finding.Place(),
      message: "Fetch request templates and fetched properties (\(count)) are left out.",
      remedy: "Nothing needs to be done for migrating; a model cache written anew lacks them."
    )
  }
}
