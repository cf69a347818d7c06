import MigrationPlanning
import ObjectModel
import Testing

/// Names that look the same and have other bytes, which are two to Core Data.
@Suite struct SpelledNameTests {
  /// A model of entities with one attribute each, by `Entity.attribute`.
  private static func model(_ places: String, _ type: AttributeType) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: places.split(separator: " ").map { place in
        let names = place.split(separator: ".").map(String.init)
        var entity = EntityDescription(name: names[0])
        entity.attributes = [AttributeDescription(name: names[1], attributeType: type)]
        entity.attributes[0].isOptional = true
        return entity
      }
    )
  }

  @Test(
    arguments: [
      ("Caf\u{e9}.x", "Cafe\u{301}.x", ["Caf\u{e9}", "Caf\u{e9}.x"]),
      ("Note.caf\u{e9}", "Note.cafe\u{301}", ["Note.caf\u{e9}"]),
      ("Note.caf\u{e9}", "Note.caf\u{e9}", []), ("Note.cafe", "Note.caf\u{e9}", []),
      // Another entity may have a property whose name only looks the same.
      ("Note.caf\u{e9}", "Bar.cafe\u{301} Note.caf\u{e9}", []),
    ] as [(String, String, [String])]
  )
  func `refuse a step`(source: String, destination: String, places: [String]) throws {
    let result = MappingInference.infer(
      from: try Self.model(source, .string),
      to: try Self.model(destination, .binary)
    )
    let told = result.refusals.filter { $0.code == .ambiguousCanonicalName }
    #expect(told.map(\.place.subject) == places)
  }
}
