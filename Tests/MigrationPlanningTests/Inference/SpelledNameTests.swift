import MigrationPlanning
import ObjectModel
import Testing

/// Names that look the same and have other bytes, which are two to Core Data.
@Suite struct SpelledNameTests {
  private static func version(
    _ name: String,
    entity: String,
    attribute: String,
    _ type: AttributeType = .string
  ) throws -> ModelVersion {
    var value = AttributeDescription(name: attribute, attributeType: type)
    value.isOptional = true
    var note = EntityDescription(name: entity)
    note.attributes = [value]
    return ModelVersion(
      modelName: "M",
      name: name,
      model: try ManagedObjectModel(entities: [note]),
      isCurrent: name == "v2",
      path: name
    )
  }

  @Test(
    arguments: [
      ("Caf\u{e9}", "x", "Cafe\u{301}", "x", "Caf\u{e9}"),
      ("Note", "caf\u{e9}", "Note", "cafe\u{301}", "Note.caf\u{e9}"),
      ("Note", "caf\u{e9}", "Note", "caf\u{e9}", nil), ("Note", "cafe", "Note", "caf\u{e9}", nil),
    ] as [(String, String, String, String, String?)]
  )
  func `refuse a step, and leave the app's outcome unknown`(
    entity: String,
    attribute: String,
    newEntity: String,
    newAttribute: String,
    place: String?
  ) throws {
    let versions = try [
      Self.version("v1", entity: entity, attribute: attribute),
      Self.version("v2", entity: newEntity, attribute: newAttribute, .binary),
    ]
    let result = MappingInference.infer(from: versions[0].model, to: versions[1].model)
    let told = result.refusals.filter { $0.code == .ambiguousCanonicalName }
    #expect(told.map(\.place.subject) == (place.map { [$0] } ?? []))
  }
}
