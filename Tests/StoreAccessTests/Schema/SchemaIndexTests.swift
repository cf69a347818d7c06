import ObjectModel
import StoreAccess
import Testing

/// The indexes of a model, and their text.
@Suite struct SchemaIndexTests {
  typealias Parts = ModelParts

  private func index(_ name: String, _ properties: String...) -> FetchIndexDescription {
    FetchIndexDescription(
      name: name,
      elements: properties.map { .init(propertyName: $0) }
    )
  }

  @Test func `To-ones, hierarchies, constraints and join tables are indexed`() throws {
    let schema = PhysicalSchema(model: try Parts.library())
    #expect(
      schema.indexes.map(\.sql) == [
        "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)",
        "CREATE INDEX ZBOOK_Z_ENT_INDEX ON ZBOOK (Z_ENT)",
        "CREATE UNIQUE INDEX Z_Book_UNIQUE_identifier ON ZBOOK (ZIDENTIFIER COLLATE BINARY ASC)",
        "CREATE INDEX ZPAGE_ZBOOK_INDEX ON ZPAGE (ZBOOK)",
        "CREATE INDEX Z_2SHELVES_Z_5SHELVES_INDEX ON Z_2SHELVES (Z_5SHELVES, Z_2BOOKS)",
      ]
    )
  }

  @Test func `Fetch indexes keep the case of their names`() throws {
    var descending = index("byDate", "date", "self", "entity")
    descending.elements[0].isAscending = false
    var entity = Parts.entity(
      "Event",
      [Parts.attribute("date", .date), Parts.attribute("name")],
      [Parts.toOne("place", "Event"), Parts.toMany("guests", "Event")]
    )
    entity.indexes = [
      descending, index("byPlace", "place"), index("byGuests", "name", "guests"),
      index("byPlaceAndName", "place", "name"),
    ]
    let schema = PhysicalSchema(model: try ManagedObjectModel(entities: [entity]))
    #expect(
      schema.indexes.map(\.sql) == [
        "CREATE INDEX ZEVENT_ZPLACE_INDEX ON ZEVENT (ZPLACE)",
        "CREATE INDEX ZEVENT_Z1GUESTS_INDEX ON ZEVENT (Z1GUESTS)",
        "CREATE INDEX Z_Event_byDate ON ZEVENT (ZDATE COLLATE BINARY DESC, "
          + "Z_PK COLLATE BINARY ASC, Z_ENT COLLATE BINARY ASC)",
        "CREATE INDEX Z_Event_byPlaceAndName ON ZEVENT (ZPLACE COLLATE BINARY ASC, "
          + "ZNAME COLLATE BINARY ASC)",
      ]
    )
    #expect(schema.unsupportedIndexes.isEmpty)
  }

  @Test func `Marks of before iOS 11 become fetch indexes once`() throws {
    var name = Parts.attribute("name")
    name.isIndexed = true
    var entity = Parts.entity("Event", [name, Parts.attribute("date", .date)])
    entity.compoundIndexes = [["name", "date"]]
    entity.indexes = [index("name", "name")]
    let schema = PhysicalSchema(model: try ManagedObjectModel(entities: [entity]))
    #expect(schema.indexes.map(\.name) == ["Z_Event_name", "Z_Event_name_date"])
    #expect(
      schema.indexes.compactMap(\.legacy?.sql) == [
        "CREATE INDEX ZEVENT_ZNAME_INDEX ON ZEVENT (ZNAME)",
        "CREATE INDEX ZEVENT_ZNAME_ZDATE ON ZEVENT (ZNAME, ZDATE)",
      ]
    )
  }

  @Test func `Of two indexes of one name the first is made`() throws {
    var first = Parts.entity("A", [Parts.attribute("x")])
    first.indexes = [index("b_x", "x")]
    var second = Parts.entity("A_b", [Parts.attribute("x")])
    second.indexes = [index("X", "x")]
    let schema = PhysicalSchema(model: try ManagedObjectModel(entities: [first, second]))
    #expect(schema.indexes.map(\.name) == ["Z_A_b_x"])
    #expect(
      schema.unsupportedIndexes
        == [UnsupportedIndex(entityName: "A_b", indexName: "Z_A_b_X", reason: .name)]
    )
  }

  @Test(arguments: [
    ("date != nil", "ZDATE IS NOT NULL"),
    ("kind == nil", "ZKIND IS NULL"),
    ("kind = 1", "ZKIND = 1"),
    ("kind != 0", "ZKIND <> 0"),
    ("isShown == YES", "ZISSHOWN = 1"),
    ("kind == 1 AND rank == -1", "(ZKIND = 1 AND ZRANK = -1)"),
    ("(kind == 2) || kind == 16", "(ZKIND = 2 OR ZKIND = 16)"),
    ("kind == 2 AND (rank > 3 OR rank = 0)", "(ZKIND = 2 AND (ZRANK > 3 OR ZRANK = 0))"),
  ])
  func `Simple predicates become SQL`(predicate: String, sql: String) throws {
    let schema = try schema(withPredicate: predicate)
    #expect(
      schema.indexes.map(\.sql)
        == ["CREATE INDEX Z_Event_partial ON ZEVENT (ZKIND COLLATE BINARY ASC) WHERE \(sql)"]
    )
  }

  @Test(arguments: [
    "name == \"x\"", "kind == name", "kind BETWEEN {1, 2}", "kind == YES", "kind == 1 AND",
    "nothing == 1", "(kind == 1", "kind == 1.5", "NOT kind == 1", "", "name LIKE 'a'",
    "((((((((((kind == 1))))))))))",
  ])
  func `Other predicates make no index and say so`(predicate: String) throws {
    let schema = try schema(withPredicate: predicate)
    #expect(schema.indexes.isEmpty)
    #expect(schema.unsupportedIndexes.map(\.reason) == [.predicate])
  }

  private func schema(withPredicate predicate: String) throws -> PhysicalSchema {
    var entity = Parts.entity(
      "Event",
      [
        Parts.attribute("date", .date), Parts.attribute("name"),
        Parts.attribute("kind", .integer16), Parts.attribute("rank", .integer64),
        Parts.attribute("isShown", .boolean),
      ]
    )
    var partial = index("partial", "kind")
    partial.partialIndexPredicate = predicate
    entity.indexes = [partial]
    return PhysicalSchema(model: try ManagedObjectModel(entities: [entity]))
  }
}
