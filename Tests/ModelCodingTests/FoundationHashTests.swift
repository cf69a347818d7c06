import ModelCoding
import ObjectModel
import Testing

@Suite struct `Foundation's order` {
  @Test(
    arguments: [
      ("", 0), ("a", 3 * (257 + 97)), ("ab", 5 * (2 * 257 * 257 + 97 * 257 + 98)),
    ] as [(String, UInt64)]
  )
  func `the hash of short text is computed by hand`(text: String, value: UInt64) {
    #expect(FoundationHash.hash(text) == value)
  }

  @Test func `of long text, the start, the middle and the end count`() {
    let units = (0..<200).map { _ in "x" }
    func hash(changing index: Int) -> UInt64 {
      var changed = units
      changed[index] = "y"
      return FoundationHash.hash(changed.joined())
    }
    let plain = FoundationHash.hash(units.joined())
    for index in [0, 31, 84, 115, 168, 199] { #expect(hash(changing: index) != plain) }
    for index in [32, 83, 116, 167] { #expect(hash(changing: index) == plain) }
  }

  @Test func `an entity's properties stand in the measured order`() throws {
    var entity = EntityDescription(name: "Author")
    entity.attributes = ["age", "alias", "siteURL"].map {
      AttributeDescription(name: $0, attributeType: .string)
    }
    var books = RelationshipDescription(name: "books", destinationEntityName: "Author")
    books.maxCount = -1
    entity.relationships = [books]
    entity.fetchedProperties = ["feedbacks", "favFeedbacks"].map {
      let request = FetchRequestTemplate(name: $0, entityName: "Author")
      return FetchedPropertyDescription(name: $0, fetchRequest: request)
    }
    let model = try ManagedObjectModel(entities: [entity])
    #expect(
      PropertyOrder.names(of: "Author", in: model)
        == ["age", "feedbacks", "alias", "siteURL", "books", "favFeedbacks"]
    )
  }
}
