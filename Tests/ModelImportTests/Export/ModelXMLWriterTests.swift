import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite struct ModelXMLWriterTests {
  private func again(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
    let text = try ModelXMLWriter.write(model).contents
    return try ModelImporter.importModel(contents: Array(text.utf8), file: "contents").model
  }

  @Test func `elements and attributes stand as Xcode writes them`() throws {
    var model = try ModelSketch.model(
      "Note { title: String = a; count: Int16? = 0; owner -> Note.owned; owned ->> Note.owner }"
    )
    var note = try #require(model["Note"])
    note.managedObjectClassName = "Note"
    note.isSyncable = true
    note.uniquenessConstraints = [["title"]]
    note.userInfo = ["line": "a\nb \"c\" <d> & e"]
    model = try ManagedObjectModel(entities: [note], versionIdentifiers: [""])
    let text = try ModelXMLWriter.write(model).contents
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0] == #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#)
    #expect(
      lines[2...].joined(separator: "\n") == """
            <entity name="Note" representedClassName="Note" syncable="YES">
                <attribute name="count" optional="YES" attributeType="Integer 16" \
        defaultValueString="0"/>
                <attribute name="title" attributeType="String" defaultValueString="a"/>
                <relationship name="owned" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Note" inverseName="owner"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Note" inverseName="owned"/>
                <uniquenessConstraints>
                    <uniquenessConstraint>
                        <constraint value="title"/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
                <userInfo>
                    <entry key="line" value="a&#10;b &quot;c&quot; &lt;d&gt; &amp; e"/>
                </userInfo>
            </entity>
        </model>
        """
    )
    #expect(try again(model) == model)
  }

  @Test(arguments: 0..<20) func `composites of random models come back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var changing = RandomModel(&random)
    for _ in 0..<6 {
      if let model = changing.model { #expect(try again(model) == model) }
      changing.evolve(&random)
    }
  }

  @Test func `an index of a fetch is not written in the form of before iOS 11 too`() throws {
    var note = try #require(
      try ModelSketch.model("Note { a: String indexed; b: String; c: String indexed }")["Note"]
    )
    note.indexes = [["a"], ["a", "b"]].map { names in
      FetchIndexDescription(
        name: names.joined(),
        elements: names.map { FetchIndexDescription.Element(propertyName: $0) }
      )
    }
    // As Xcode's compiler echoes them.
    note.compoundIndexes = [["a", "b"]]
    let text = try ModelXMLWriter.write(ManagedObjectModel(entities: [note])).contents
    let lines = text.split(separator: "\n").filter { $0.contains("indexed=") }
    #expect(lines.count == 1)
    #expect(lines.first?.contains(#"name="c""#) == true, "an index of its own stays")
    #expect(!text.contains("compoundIndex"))
  }

  @Test(arguments: ["Notes", "Letters"])
  func `the samples survive a round trip`(name: String) throws {
    let path = "\(SampleArchive.root)/\(name).xcdatamodeld"
    let original = try #require(try ArchiveLoader.load(path).models.first)
    try TemporaryFolder.with { folder in
      let copy = "\(folder)/\(name).xcdatamodeld"
      #expect(try ModelExporter.export(original, to: copy).isEmpty)
      let read = try #require(try ArchiveLoader.load(copy).models.first)
      #expect(read.versions.map(\.name) == original.versions.map(\.name))
      #expect(read.versions.map(\.model) == original.versions.map(\.model))
      #expect(read.current?.name == original.current?.name)
    }
  }

  @Test func `a value that the format cannot spell is left out and said`() throws {
    var entity = EntityDescription(name: "Note")
    var attribute = AttributeDescription(name: "data", attributeType: .binary)
    attribute.defaultValue = .binary([1, 2])
    entity.attributes = [attribute]
    let output = try ModelXMLWriter.write(try ManagedObjectModel(entities: [entity]))
    #expect(output.findings.map(\.place.property) == ["data"])
    #expect(!output.contents.contains("default"))
  }

  @Test func `what would change a hash is refused`() throws {
    var entity = EntityDescription(name: "Note")
    var attribute = AttributeDescription(name: "sum", attributeType: .double)
    attribute.derivationExpression = .other("")
    entity.attributes = [attribute]
    let derived = try ManagedObjectModel(entities: [entity])
    #expect(throws: ModelImportError.self) { try ModelXMLWriter.write(derived) }
    let control = try ManagedObjectModel(entities: [EntityDescription(name: "A\u{1}")])
    #expect(throws: ModelImportError.self) { try ModelXMLWriter.write(control) }
  }

  @Test func `nothing is overwritten, and nothing is left behind`() throws {
    let model = try ModelSketch.model("Note { title: String }")
    try TemporaryFolder.with { folder in
      let path = "\(folder)/A.xcdatamodel"
      try ModelExporter.export(model, to: path)
      let error = #expect(throws: ModelImportError.self) {
        try ModelExporter.export(model, to: path)
      }
      #expect(error?.code == .cannotCreate)
      let nested = VersionedModel(
        name: "B",
        versions: [ModelVersion(modelName: "B", name: "a/b", model: model)]
      )
      #expect(throws: ModelImportError.self) {
        try ModelExporter.export(nested, to: "\(folder)/B.xcdatamodeld")
      }
      #expect(try ArchiveLoader.load(folder).versions.map(\.name) == ["A"])
      #expect(TemporaryFolder.names(in: folder) == ["A.xcdatamodel"])
    }
  }
}
