import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Hop files that make several objects of one whose links another entity holds.
@Suite struct NarrowedLinksTests {
  private static func entity(
    _ name: String,
    _ relationship: String,
    _ count: String,
    _ other: String,
    _ inverse: String
  ) -> String {
    """
    <entity name="\(name)" syncable="YES"><relationship name="\(relationship)" optional="YES"
      \(count) deletionRule="Nullify" destinationEntity="\(other)" inverseName="\(inverse)"
      inverseEntity="\(other)"/></entity>
    """
  }

  private static let toMany = #"toMany="YES""#

  private static func a(_ name: String, _ attributes: String) -> String {
    #"<entity name="\#(name)" syncable="YES" \#(attributes)/>"#
  }

  @Test func `an object that becomes several shares no link where the other end holds one`() throws
  {
    try TemporaryFolder.with { folder in
      let links = Self.entity("A", "bs", Self.toMany, "B", "a")
      let base = Self.entity("Base", "bs", Self.toMany, "B", "a")
      try SketchedModel.write(
        [
          ("v1", links + Self.entity("B", "a", #"maxCount="1""#, "A", "bs")),
          (
            "v2",
            base + Self.a("A1", #"parentEntity="Base""#) + Self.a("A2", #"parentEntity="Base""#)
              + Self.entity("B", "a", #"maxCount="1""#, "Base", "bs")
          ),
        ],
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        """
        from: v1
        to: v2
        entities:
          - {source: A, destination: A1, relationships: {bs: $source.bs}}
          - {source: A, destination: A2, relationships: {bs: $source.bs}}
          - {source: B, relationships: {a: null}}
        """,
        to: "\(folder)/ModelArchive/v1-v2.hop.yml"
      )
      let made = CommandRun("generate", "v1", "--rows", "60", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let refused = CommandRun("migrate", "S.sqlite", "--to", "v2", "-o", "R.sqlite", in: folder)
      #expect(refused.status.rawValue == 4 && refused.errors.contains("WS317: in B.a"))
      let arguments = "migrate S.sqlite --to v2 -o R.sqlite --accept-changed-values"
      let run = CommandRun(arguments.split(separator: " ").map(String.init), in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let counts = try ["S", "R"].map { name in
        try SQLiteConnection(path: "\(folder)/\(name).sqlite", access: .readOnly)
          .count("SELECT COUNT(ZA) FROM ZB")
      }
      #expect(counts[0] == counts[1] && counts[0] > 10)
    }
  }

  @Test
  func `links of two mappings that one end has no room for are lost only where that is accepted`()
    throws
  {
    try TemporaryFolder.with { folder in
      let item = #"<entity name="Item" syncable="YES">"#
      func toOne(_ name: String, _ other: String) -> String {
        #"<relationship name="\#(name)" optional="YES" maxCount="1" deletionRule="Nullify" "#
          + #"destinationEntity="\#(other)" inverseName="items" inverseEntity="\#(other)"/>"#
      }
      try SketchedModel.write(
        [
          (
            "v1",
            Self.entity("Person", "items", Self.toMany, "Item", "person")
              + Self.entity("Company", "items", Self.toMany, "Item", "company")
              + item + toOne("person", "Person") + toOne("company", "Company") + "</entity>"
          ),
          (
            "v2",
            Self.entity("Contact", "items", Self.toMany, "Item", "owner")
              + item + toOne("owner", "Contact") + "</entity>"
          ),
        ],
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        """
        from: v1
        to: v2
        entities:
          - {source: Person, destination: Contact, relationships: {items: {from: items}}}
          - {source: Company, destination: Contact, relationships: {items: {from: items}}}
          - {source: Item, relationships: {owner: null}}
        """,
        to: "\(folder)/ModelArchive/v1-v2.hop.yml"
      )
      let made = CommandRun("generate", "v1", "--rows", "90", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let both = try SQLiteConnection(path: "\(folder)/S.sqlite", access: .readOnly).count(
        "SELECT COUNT(*) FROM ZITEM WHERE ZPERSON IS NOT NULL AND ZCOMPANY IS NOT NULL"
      )
      try #require(both > 2)
      let arguments = ["migrate", "S.sqlite", "--to", "v2", "-o", "R.sqlite"]
      let refused = CommandRun(arguments, in: folder)
      #expect(refused.status.rawValue == 4 && refused.errors.contains("WS317"), "\(refused.errors)")
      let run = CommandRun(arguments + ["--accept-changed-values"], in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.output.contains("\(both) links that"), "\(run.output)")
    }
  }
}
