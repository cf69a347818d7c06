import MigrationTestSupport
import ModelImport
import ObjectModel
import PropertyLists
import Testing

@Suite struct LegacyModelTests {
  typealias Property = LegacySketch.Property

  private static let entities: [LegacySketch.Entity] = [
    LegacySketch.Entity(
      name: "Note",
      parent: "Item",
      values: [
        "XD_PSK_entityClassName": .string("MyNote"), "XD_PSK_elementID": .string("Memo"),
        "XDPMUniquenessConstraints": .array([.array([.string("number"), .string("title")])]),
        "XD_PSK_userInfo": .dictionary([
          "colour": .string("red"), "com.apple.syncservices.Syncable": .string("NO"),
        ]),
      ],
      properties: [
        Property(
          name: "title",
          common: ["XD_PPSK_isOptional": .boolean(true), "XD_PPSK_elementID": .string("head")],
          own: [
            "XD_PAttK_attributeType": .integer(700), "XD_PAttK_maxValueString": .string("40"),
            "XD_PAttK_defaultValueAsString": .string("Untitled"),
            "XD_PAttK_regularExpressionString": .string(".*"),
          ]
        ),
        Property(
          className: "XDPMRelationship",
          name: "tags",
          own: [
            "XD_PRK_isToMany": .boolean(true), "XD_PRK_maxCount": .integer(0),
            "XD_PRK_minCount": .integer(2), "XD_PRK_deleteRule": .integer(2),
            "XD_PRK_ordered": .boolean(true),
          ],
          destination: ("Tag", "note")
        ),
      ]
    ),
    LegacySketch.Entity(
      name: "Item",
      values: [
        "XD_PSK_isAbstract": .boolean(true), "XD_PSK_versionHashModifier": .string("2"),
      ],
      properties: [
        Property(
          name: "number",
          common: ["XD_PPSK_isIndexed": .boolean(true)],
          own: [
            "XD_PAttK_attributeType": .integer(200), "XD_PAttK_minValueString": .string("-3"),
            "XD_PAttK_defaultValueAsString": .string("NO"),
          ]
        )
      ]
    ),
    LegacySketch.Entity(
      name: "Tag",
      properties: [
        Property(
          className: "XDPMRelationship",
          name: "note",
          own: ["XD_PRK_deleteRule": .integer(1)],
          destination: ("Note", "tags")
        )
      ]
    ),
  ]

  private func error(_ bytes: [UInt8]) -> ModelImportError? {
    do {
      _ = try ModelImporter.importModel(elements: bytes, file: "elements")
      return nil
    } catch { return error }
  }

  @Test func `the archive says what the same model says in XML`() throws {
    let archive = LegacySketch.archive(of: Self.entities)
    let imported = try ModelImporter.importModel(elements: archive, file: "elements")
    #expect(imported.findings == [])
    let xml = try Sample.read(
      """
      <entity name="Item" isAbstract="YES" versionHashModifier="2">
        <attribute name="number" attributeType="Integer 32" indexed="YES" minValueString="-3"
          defaultValueString="NO"/>
      </entity>
      <entity name="Note" representedClassName="MyNote" parentEntity="Item" elementID="Memo"
        syncable="NO">
        <attribute name="title" attributeType="String" optional="YES" elementID="head"
          maxValueString="40" defaultValueString="Untitled" regularExpressionString=".*"/>
        <relationship name="tags" toMany="YES" minCount="2" deletionRule="Cascade" ordered="YES"
          destinationEntity="Tag" inverseName="note" inverseEntity="Tag"/>
        <uniquenessConstraints><uniquenessConstraint>
          <constraint value="number"/><constraint value="title"/>
        </uniquenessConstraint></uniquenessConstraints>
        <userInfo><entry key="colour" value="red"/></userInfo>
      </entity>
      <entity name="Tag">
        <relationship name="note" maxCount="1" deletionRule="Nullify" destinationEntity="Note"
          inverseName="tags" inverseEntity="Note"/>
      </entity>
      """
    )
    for entity in xml.model.entities { #expect(imported.model[entity.name] == entity) }
    #expect(imported.model == xml.model)
  }

  @Test func `what has no form that is known is told`() throws {
    var entities = Self.entities
    entities[1].properties[0].own["XD_PAttK_invented"] = .string("x")
    entities[1].properties[0].own["XD_PAttK_minValueString"] = .string("few")
    entities[1].properties.append(Property(className: "XDPMFetchedProperty", name: "recent"))
    let archive = LegacySketch.archive(of: entities, configurations: ["Cloud"])
    let imported = try ModelImporter.importModel(elements: archive, file: "elements")
    let told = imported.findings.map { $0.message.split(separator: " ").prefix(5).last ?? "" }
    #expect(imported.findings.map(\.code) == Array(repeating: .unusableValue, count: 4))
    #expect(imported.findings.map(\.place.property) == ["number", "number", "recent", nil])
    #expect(told.count == 4)
  }

  @Test func `what would make a hash wrong is an error`() {
    var entities = Self.entities
    entities[1].properties[0].own["XD_PAttK_attributeType"] = .integer(77)
    #expect(error(LegacySketch.archive(of: entities))?.code == .damagedArchive)
    entities = Self.entities
    entities[0].properties[0].common["XD_PPSK_isOptional"] = .string("perhaps")
    #expect(error(LegacySketch.archive(of: entities))?.code == .damagedArchive)
    entities = Self.entities
    entities[2].properties[0].own["XD_PRK_maxCount"] = .integer(1 << 40)
    #expect(error(LegacySketch.archive(of: entities))?.code == .damagedArchive)
    entities = Self.entities
    entities[1].parent = "Note"
    let cycle = error(LegacySketch.archive(of: entities))
    #expect(cycle?.code == .inconsistentModel(.parentCycle))
    #expect(cycle?.file == "elements")
    let other = LegacySketch.archive(of: Self.entities, rootClass: "NSManagedObjectModel")
    #expect(error(other)?.code == .notAModel)
  }

  @Test func `damaged archives throw and never trap`() {
    let archive = LegacySketch.archive(of: Self.entities)
    for length in stride(from: 0, to: archive.count, by: 7) {
      #expect(error(Array(archive.prefix(length))) != nil)
    }
    var state: UInt64 = 0x5eed_1e6a
    var refused = 0
    for _ in 0..<3_000 {
      var bytes = archive
      for _ in 0..<3 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      if error(bytes) != nil { refused += 1 }
    }
    print("Seed 5eed1e6a: \(refused) of 3000 damaged archives of Xcode 3 are refused.")
    #expect(refused > 500)
  }
}
