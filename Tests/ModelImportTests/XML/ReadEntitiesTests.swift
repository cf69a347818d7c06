import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

/// Entities that several versions write alike are read once, with the same result.
@Suite struct ReadEntitiesTests {
  private static let note = """
    <entity name="Note" representedClassName="Note" syncable="YES">
      <attribute name="title" optional="YES" attributeType="String" \
    defaultValueString="a > b &amp; '/&gt;"/>
      <relationship name="tag" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
    </entity>
    """
  private static let tag = """
    <entity name="Tag" representedClassName="Tag" syncable="YES">
      <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="tag" inverseEntity="Note"/>
    </entity>
    """
  private static let plain = #"<entity name="Plain" syncable="YES"/>"#
  private static let fetching =
    #"<entity name="Fetching" syncable="YES"><fetchedProperty name="f"><fetchRequest name="r" "#
    + #"entity="Fetching" fetchLimit="x"/></fetchedProperty></entity>"#
  private static let odd = #"<entity name="Odd" nobody="knows" syncable="YES"/>"#

  private static func contents(
    _ entities: String,
    head: String = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
    root: String = #"type="com.apple.IDECoreDataModeler.DataModel""#
  ) -> String { "\(head)\n<model \(root)>\n\(entities)\n</model>\n" }

  /// Later versions beside a first one that has all four entities.
  private static let versions: [String] = [
    contents(note + tag), contents("\n\n" + tag + plain + "\n" + note), contents(plain),
    contents(note + "\r\n" + tag + odd), contents(odd + plain), contents(note + tag + note),
    contents("<!-- \(note) -->" + tag.replacing("Note", with: "Tag")),
    contents("<!-- \(note + tag) -->" + plain), contents("<![CDATA[\(note)]]>" + plain),
    contents("<!-- > \(plain) -->" + note + tag), contents("<![CDATA[>\(plain)]]>" + note + tag),
    contents("<?x >\(plain)?>" + note + tag), contents("<elements>\(plain)</elements>" + plain),
    contents(note.replacing("</entity>", with: plain + "</entity>") + tag),
    contents(plain.replacing("/>", with: " ></entity >")), contents(note + tag + "<entity/>"),
    contents(note + tag + "<x>"), contents(note + tag) + "<more/>",
    contents(note + tag) + plain, contents("<?pi \(plain)?>" + plain),
    contents(plain, root: #"xmlns="urn:x""#), contents(plain, root: #"xmlns:x="urn:x""#),
    contents(plain, head: #"<?xml version="1.0" encoding="UTF-16"?>"#), contents(plain, head: ""),
    contents("&am" + plain + "p;"), contents("&#4" + plain + "1;"),
    contents(fetching + plain),
    contents(note + tag, root: #"type="com.apple.IDECoreDataModeler.DataModel" other="1""#),
    contents(note + tag + #"<configuration name="C"><memberEntity name="Note"/></configuration>"#),
    contents(note + #"<entity name="Tag" syncable="YES" attributeType=5/>"#), contents(note),
    contents(note.replacing("title", with: "a\" name=\"b")),
    String(contents(note + tag).dropLast(12)),
  ]

  @Test(arguments: versions.indices)
  func `a version says beside others what it says alone`(index: Int) throws {
    let text = Self.versions[index]
    try TemporaryFolder.with { folder in
      let model = "\(folder)/M.xcdatamodeld"
      let first = Self.contents(Self.note + Self.tag + Self.plain + Self.odd + Self.fetching)
      for (name, text) in [("v1", first), ("v2", text)] {
        let version = "\(model)/\(name).xcdatamodel"
        try FileManager.default.createDirectory(
          atPath: version,
          withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(filePath: "\(version)/contents"))
      }
      let path = "\(model)/v2.xcdatamodel/contents"
      let alone = Result {
        try ModelImporter.importModel(contents: Array(text.utf8), file: path)
      }
      let archive = try ArchiveLoader.load(model)
      let beside = try #require(archive.models.first)
      switch alone {
      case .success(let imported):
        #expect(beside.versions.map(\.name) == ["v1", "v2"])
        #expect(beside.versions.last?.model == imported.model)
        let found = archive.findings.filter { $0.place.file == path }
        #expect(found.map(\.message) == imported.findings.map(\.message))
        #expect(found.map(\.place.line) == imported.findings.map(\.place.line))
      case .failure(let error):
        #expect(beside.versions.map(\.name) == ["v1"])
        let error = try #require(error as? ModelImportError)
        #expect(
          archive.findings.contains { $0.message.contains(error.message) },
          "\(error) \(archive.findings)"
        )
        #expect(archive.findings.contains { $0.place.line == error.line })
      }
    }
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `each version of the public apps says beside others what it says alone`() throws {
    let versions = try Corpus.models.get().versions
    var count = 0
    for version in versions {
      let path = version.path + "/contents"
      guard version.path.hasSuffix(".xcdatamodel"),
        let data = FileManager.default.contents(atPath: path)
      else { continue }
      let imported = try ModelImporter.importModel(contents: Array(data), file: path)
      #expect(version.model == imported.model, "\(path)")
      count += 1
    }
    #expect(count == 604)
  }
}
