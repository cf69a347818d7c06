import ObjectModel
import StoreAccess
import Testing

/// The triggers of derived attributes.
@Suite struct DerivedAttributeTests {
  typealias Parts = ModelParts

  @Test func `A key path through a to-one has four triggers`() throws {
    let triggers = PhysicalSchema(model: try Parts.library()).triggers
      .filter { $0.name.contains("authorName") }
    let told = "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
    #expect(
      triggers.map(\.name) == [
        "Z_DA_ZBOOK_Book_authorName_SOURCE_INSERT", "Z_DA_ZBOOK_Book_authorName_SOURCE_UPDATE",
        "Z_DA_ZAUTHOR_Book_authorName_PARAMETER_INSERT",
        "Z_DA_ZAUTHOR_Book_authorName_PARAMETER_UPDATE",
      ]
    )
    #expect(
      triggers[0].sql == "CREATE TRIGGER Z_DA_ZBOOK_Book_authorName_SOURCE_INSERT AFTER INSERT ON "
        + "ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZAUTHORNAME = (SELECT ZNAME FROM ZAUTHOR "
        + "WHERE Z_PK = NEW.ZAUTHOR) WHERE Z_PK = NEW.Z_PK; SELECT \(told)('ZBOOK', Z_ENT, Z_PK, "
        + "'authorName', ZAUTHORNAME) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END"
    )
    #expect(triggers[3].sql.contains(" AFTER UPDATE OF ZNAME ON ZAUTHOR FOR EACH ROW BEGIN "))
  }

  @Test func `A count has five triggers`() throws {
    let triggers = PhysicalSchema(model: try Parts.library()).triggers
      .filter { $0.name.contains("pageCount") }
    let told = "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    #expect(triggers.map(\.tableName) == ["ZPAGE", "ZPAGE", "ZPAGE", "ZPAGE", "ZBOOK"])
    #expect(
      triggers[2].sql == "CREATE TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_UPDATE_DECREMENT "
        + "AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN "
        + "UPDATE ZBOOK SET ZPAGECOUNT = ZPAGECOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT "
        + "\(told)('ZBOOK', Z_ENT, Z_PK, 'pageCount', ZPAGECOUNT) FROM ZBOOK WHERE "
        + "Z_PK = OLD.ZBOOK; END"
    )
  }

  @Test func `Forms without a known trigger are named, and keep their column`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity(
        "A",
        [
          Parts.attribute("name"), Parts.derived("plain", .string, "canonical:(name)"),
          Parts.derived("sum", .double, "others.@sum.size"), Parts.attribute("size", .double),
          Parts.derived("savedAt", .date, "now()"), Parts.derived("far", .string, "a.a.name"),
          Parts.derived("all", .integer64, "many.@count"),
        ],
        [
          Parts.toMany("others", "A", inverse: "a"), Parts.toOne("a", "A", inverse: "others"),
          Parts.toMany("many", "A", inverse: "many"),
        ]
      )
    ])
    let schema = PhysicalSchema(model: model)
    #expect(
      schema.unsupportedDerivations.map(\.propertyName) == ["all", "far", "plain", "sum"]
    )
    #expect(schema.triggers.isEmpty)
    #expect(schema.derivedAttributes.map(\.columnName) == ["ZSAVEDAT"])
    #expect(schema.derivedAttributes[0].updateSQL(in: "main") == nil)
    #expect(schema.column(of: "plain", in: "A")?.declaredType == "VARCHAR")
  }
}
