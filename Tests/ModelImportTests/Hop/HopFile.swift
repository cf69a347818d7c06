import MigrationTestSupport
import ModelImport
import ObjectModel

/// A hop file among two versions of a model, `v1` and `v2`.
struct HopFile {
  let models: [VersionedModel]

  /// Notes with text categories and tags, which become objects.
  static let notes = """
    Note { title: String?; category: String?; tags: String?; year: String?; size: Int16? }
    Draft { text: String? }
    """
  static let categories = """
    Note { title: String?; subtitle: String?; year: Int32?; size: Int64?; \
    category -> Category.notes; tags ->> Tag.notes }
    Category { name: String; notes ->> Note.category }
    Tag { name: String; place: Int32?; notes ->> Note.tags }
    """

  init(_ first: String = Self.notes, _ second: String = Self.categories) throws {
    models = [
      VersionedModel(
        name: "Notes",
        versions: [
          ModelVersion(modelName: "Notes", name: "v1", model: try ModelSketch.model(first)),
          ModelVersion(modelName: "Notes", name: "v2", model: try ModelSketch.model(second)),
        ]
      )
    ]
  }

  /// Returns the reader's result for a text below the two versions' names.
  func read(_ body: String, name: String = "v1-to-v2.hop.yml") throws -> AuthoredMapping {
    try MappingImporter.importMapping(hop: "from: v1\nto: v2\n\(body)", file: name, models: models)
  }

  /// The error that reading throws, in one line, or nil.
  func error(_ body: String) -> String? {
    do {
      _ = try read(body)
      return nil
    } catch { return "\(error)" }
  }

  /// The expressions of an entity mapping, by property.
  static func values(_ mapping: AuthoredMapping, _ name: String) -> [String: String] {
    let entity = mapping.mapping.entityMappings.first { $0.name == name }
    let properties = (entity?.attributeMappings ?? []) + (entity?.relationshipMappings ?? [])
    return Dictionary(
      properties.compactMap { property in
        property.valueExpression.map { (property.name, "\($0)") }
      },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
