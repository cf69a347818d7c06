import ModelImport
import ObjectModel
import Testing

struct HopFileTests {
  private static let made = #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:"#

  @Test func `a hop file says what becomes of what`() throws {
    let mapping = try HopFile().read(
      """
      notes: [Categories become objects.]
      sql: {before: "UPDATE ZNOTE SET ZTITLE = trim(ZTITLE)", after: [A, B]}
      handlers: {after: report}
      entities:
        - source: Note
          attributes:
            year: CAST($source.year, "NSNumber")
            subtitle: '"none"'
          relationships:
            category: {mapping: NoteToCategory}
            tags: {mapping: NoteToTag}
        - source: Note
          destination: Category
          where: category != nil AND category != ""
          deduplicate: name
          attributes: {name: $source.category}
        - source: Note
          destination: Tag
          split: {text: $source.tags, separator: ","}
          deduplicate: [name]
          attributes: {name: $piece, place: $index}
        - drop: Draft
      """
    )
    #expect(mapping.name == "v1-to-v2")
    #expect(mapping.form == .hopFile)
    #expect(mapping.mapping.notes == ["Categories become objects."])
    #expect(
      mapping.mapping.actionsBefore == [.sql("UPDATE ZNOTE SET ZTITLE = trim(ZTITLE)")]
    )
    #expect(mapping.mapping.actionsAfter == [.sql("A"), .sql("B"), .handler("report")])
    let entities = mapping.mapping.entityMappings
    #expect(entities.map(\.name) == ["NoteToNote", "NoteToCategory", "NoteToTag", "Draft"])
    #expect(entities.map(\.mappingType) == [.transform, .transform, .transform, .remove])
    #expect(entities[1].sourcePredicate?.description == "category != nil AND category != \"\"")
    #expect(entities[1].deduplicationKeys == ["name"])
    #expect(entities[2].pieces == .init(of: .source("tags"), separator: ","))
    #expect(
      HopFile.values(mapping, "NoteToNote") == [
        "title": "$source.title", "size": "$source.size", "subtitle": "\"none\"",
        "year": "CAST($source.year, \"NSNumber\")",
        "category": Self.made + #"sourceInstances:", "NoteToCategory", $source)"#,
        "tags": Self.made + #"sourceInstances:", "NoteToTag", $source)"#,
      ]
    )
    #expect(HopFile.values(mapping, "NoteToTag") == ["name": "$piece", "place": "$index"])
    #expect(mapping.explicitExpressionCount == 7)
  }

  @Test func `JSON says the same`() throws {
    let file = try HopFile("A { a: String? }", "A { b: String? }")
    let yaml = try file.read("entities:\n  - {source: A, attributes: {b: $source.a}}")
    let json = try MappingImporter.importMapping(
      hop: #"""
        {"from": "v1", "to": "v2", "entities": [
          {"source": "A", "attributes": {"b": "$source.a"}}
        ]}
        """#,
      file: "v1-to-v2.hop.json",
      models: file.models
    )
    #expect(json.mapping == yaml.mapping)
    #expect(json.name == yaml.name)
  }

  @Test func `what the file does not name is carried by name or renaming identifier`() throws {
    let file = try HopFile(
      "Old { a: String?; next -> Old.last; last -> Old.next } Gone { x: Int32? } B { n: Int16? }",
      "New was Old { b: String? was a; next -> New.last; last -> New.next } B { n: Int64? } "
        + "Fresh { y: Int32? }"
    )
    let mapping = try file.read("others: carry")
    let entities = mapping.mapping.entityMappings
    #expect(entities.map(\.name) == ["BToB", "Fresh", "OldToNew"])
    #expect(entities.map(\.mappingType) == [.transform, .add, .transform])
    #expect(HopFile.values(mapping, "OldToNew")["b"] == "$source.a")
    #expect(
      HopFile.values(mapping, "OldToNew")["next"]
        == Self.made + #"sourceInstances:", "OldToNew", $source.next)"#
    )
    #expect(mapping.explicitExpressionCount == 0)
    #expect(
      try file.read("others: drop").mapping.entityMappings.map(\.mappingType) == [
        .add, .add, .add,
      ]
    )
  }

  @Test func `several sources merge into one destination`() throws {
    let file = try HopFile(
      "Person { name: String? } Company { name: String?; vat: String? }",
      "Contact { name: String?; vat: String? }"
    )
    let mapping = try file.read(
      "entities:\n  - {merge: [Person, Company], destination: Contact, deduplicate: [name]}"
    )
    let entities = mapping.mapping.entityMappings
    #expect(entities.map(\.name) == ["PersonToContact", "CompanyToContact"])
    #expect(entities.allSatisfy { $0.deduplicationKeys == ["name"] })
    #expect(HopFile.values(mapping, "PersonToContact") == ["name": "$source.name"])
  }

  @Test func `one row becomes an object in each of several destinations`() throws {
    let file = try HopFile(
      "Person { name: String?; street: String? }",
      "Person { name: String?; address -> Address.person } "
        + "Address { street: String?; person -> Person.address }"
    )
    let mapping = try file.read(
      """
      entities:
        - source: Person
          where: name != nil
          split:
            - destination: Person
              relationships: {address: {mapping: PersonToAddress}}
            - destination: Address
              where: street != nil
      """
    )
    let entities = mapping.mapping.entityMappings
    #expect(entities.map(\.name) == ["PersonToPerson", "PersonToAddress"])
    #expect(
      entities.map { $0.sourcePredicate?.description } == ["name != nil", "street != nil"]
    )
  }

  @Test func `rows are joined and looked up by a key`() throws {
    let file = try HopFile(
      "User { id: Int32?; boss: Int32? } Profile { user: Int32?; bio: String? }",
      "User { id: Int32?; bio: String?; boss -> User.staff; staff ->> User.boss }"
    )
    let mapping = try file.read(
      """
      entities:
        - source: User
          join: {profile: {entity: Profile, where: user, equals: $source.id}}
          attributes: {bio: $profile.bio}
          relationships:
            boss: {lookup: {entity: User, where: id, equals: $source.boss}}
        - drop: Profile
      """
    )
    let values = HopFile.values(mapping, "UserToUser")
    #expect(
      values["bio"]
        == #"FUNCTION($manager, "sourceInstanceForEntityNamed:key:value:", "Profile", "user", $source.id).bio"#
    )
    #expect(
      values["boss"]
        == #"FUNCTION($manager, "destinationInstanceForEntityNamed:key:value:", "User", "id", $source.boss)"#
    )
  }

  @Test func `a checksum tells whether a version is what it was`() throws {
    let file = try HopFile("A { a: String? }", "A { b: String? }")
    let checksum = file.models[0].versions[0].model.versionChecksum
    let text = "from: {version: v1, checksum: \"CHECK\"}\nto: v2\n"
    let mapping = try MappingImporter.importMapping(
      hop: text.replacing("CHECK", with: checksum),
      file: "a.hop.yml",
      models: file.models
    )
    #expect(mapping.source.hashes == file.models[0].versions[0].model.entityVersionHashes)
    #expect(throws: ModelImportError.self) {
      try MappingImporter.importMapping(
        hop: text.replacing("CHECK", with: "c3RhbGU="),
        file: "a.hop.yml",
        models: file.models
      )
    }
  }
}
