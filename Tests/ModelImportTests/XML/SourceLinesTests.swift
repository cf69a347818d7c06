import MigrationTestSupport
import ModelImport
import Testing

/// The lines on which models declare things.
@Suite struct SourceLinesTests {
  private static let source = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Note" syncable="YES">
            <attribute name="title" attributeType="String"/>
            <attribute name="text"
                       attributeType="String"/>
            <relationship name="owner" destinationEntity="Person"/>
            <fetchedProperty name="recent"/>
            <fetchIndex name="byTitle"/>
        </entity>
        <entity name="Person">
            <attribute name="title" attributeType="String"/>
        </entity>
        <entity name="Note"/>
    </model>
    """

  private func lines(_ text: String) throws -> SourceLines {
    try TemporaryFolder.with { folder in
      try TemporaryFolder.write(Array(text.utf8), to: folder + "/contents")
      return try SourceLines(contentsOf: folder + "/contents")
    }
  }

  @Test(
    arguments: [
      ("Note", nil, 3), ("Note", "title", 4), ("Note", "text", 6), ("Note", "owner", 7),
      ("Note", "recent", 8), ("Note", "byTitle", 3), ("Note", "gone", 3), ("Person", "title", 12),
      ("Gone", nil, nil), ("Gone", "title", nil),
    ] as [(String, String?, Int?)]
  )
  func `a name stands on a line`(entity: String, property: String?, line: Int?) throws {
    #expect(try lines(Self.source).line(entity: entity, property: property) == line)
  }

  @Test(arguments: ["", "bplist00", "<model>"]) func `what is no XML has no lines`(text: String) {
    #expect(throws: ModelImportError.self) { try lines(text) }
  }

  @Test func `a missing file is an error that names it`() {
    let error = #expect(throws: ModelImportError.self) {
      try SourceLines(contentsOf: "/nowhere/contents")
    }
    #expect(error?.description.contains("/nowhere/contents") == true)
  }
}
