import ObjectModel
import PropertyLists

/// A decoder of compiled models: keyed archives of an `NSManagedObjectModel`.
///
/// It is the content of a `.mom` file and, compressed, of a store's `Z_MODELCACHE`. The keys were
/// measured on archives in public apps, written by framework versions 637 to 1522.
package enum ModelArchiveDecoder {
  /// Returns the model in the archive.
  ///
  /// - Throws: `ModelCodingError` where the archive is damaged, is not of a model, or its entities
  ///   do not fit together.
  /// - Complexity: O(n) in the number of bytes.
  package static func decode(_ archive: [UInt8]) throws(ModelCodingError) -> DecodedModel {
    let result: Result<DecodedModel, ModelCodingError>
    do throws(PropertyListError) {
      result = try decode(KeyedArchive(archive).root)
    } catch { throw ModelCodingError(error) }
    return try result.get()
  }

  /// Returns the names of an entity's properties in the order in which the archive lists them.
  ///
  /// Not part of the model; see ``PropertyOrder``.
  package static func archivedPropertyNames(
    in archive: [UInt8]
  ) throws(ModelCodingError) -> [String: [String]] {
    do throws(PropertyListError) {
      var names: [String: [String]] = [:]
      let root = try KeyedArchive(archive).root
      for entry in try root.entries("NSEntities") ?? [] {
        names[entry.key] = try entry.value.object?.entries("NSProperties")?.map(\.key)
      }
      try root.archive.checkEffort()
      return names
    } catch { throw ModelCodingError(error) }
  }

  private static func decode(
    _ root: ArchivedObject
  ) throws(PropertyListError) -> Result<DecodedModel, ModelCodingError> {
    guard root.isKind(of: "NSManagedObjectModel") else {
      return .failure(
        .notAModel("The archive holds an object of class \(root.className), not a model.")
      )
    }
    guard let entries = try root.entries("NSEntities") else {
      return .failure(.notAModel("The archived model has no entities."))
    }
    var decoder = EntityDecoder()
    var entities: [EntityDescription] = []
    var names: Set<String> = []
    for entry in entries {
      guard let object = entry.value.object, object.isKind(of: "NSEntityDescription"),
        try object.string("NSEntityName") == entry.key, names.insert(entry.key).inserted
      else {
        return .failure(
          .notAModel("The archived model lists something that is no entity, or one twice.")
        )
      }
      entities.append(try decoder.entity(object, named: entry.key))
      guard !decoder.isExhausted else {
        return .failure(
          ModelCodingError(
            .tooLarge,
            "The archived model has more properties, or more that is unknown, than any real one.",
            recovery: "Take the file from a backup."
          )
        )
      }
    }
    var configurations: [String: [String]] = [:]
    for entry in try root.entries("NSConfigurations") ?? [] {
      configurations[entry.key] = entry.value.elements?.compactMap {
        $0.object?["NSEntityName"]?.string
      }
    }
    var templates: [FetchRequestTemplate] = []
    for entry in try root.entries("NSFetchRequestTemplates") ?? [] {
      guard let object = entry.value.object,
        let template = try decoder.fetchRequest(object, named: entry.key, place: .init())
      else { continue }
      templates.append(template)
    }
    try root.archive.checkEffort()
    do throws(ModelError) {
      let model = try ManagedObjectModel(
        entities: entities,
        configurations: configurations,
        fetchRequestTemplates: templates,
        composites: decoder.composites,
        versionIdentifiers: identifiers(of: root)
      )
      return .success(DecodedModel(model: model, findings: decoder.findings))
    } catch { return .failure(ModelCodingError(error)) }
  }

  private static func identifiers(of root: ArchivedObject) -> [String] {
    (root["NSVersionIdentifiers"]?.elements ?? []).compactMap(\.string)
  }
}
