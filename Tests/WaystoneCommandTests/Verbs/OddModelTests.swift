import Files
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Models that Core Data opens although something in them is odd, and archives with one odd file.
@Suite struct OddModelTests {
  /// A chat whose `last` and `unread` name the inverse of `messages` as theirs.
  private static func chat(_ more: String) -> String {
    func toMany(_ name: String) -> String {
      #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
        + #"destinationEntity="Message" inverseName="chat" inverseEntity="Message"/>"#
    }
    return """
      <entity name="Chat" syncable="YES">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="last" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="Message" inverseName="chat" inverseEntity="Message"/>
      \(toMany("messages"))\(toMany("unread"))
      </entity>
      <entity name="Message" syncable="YES">\(more)
      <relationship name="chat" optional="YES" maxCount="1" deletionRule="Nullify" \
      destinationEntity="Chat" inverseName="messages" inverseEntity="Chat"/>
      </entity>
      """
  }

  @Test func `stores of a model with inverses that do not lead back keep all links`() throws {
    try TemporaryFolder.with { folder in
      let text = #"<attribute name="text" optional="YES" attributeType="String"/>"#
      let required = #"<attribute name="text" attributeType="String" defaultValueString="-"/>"#
      try SketchedModel.write(
        [("v1", Self.chat(text)), ("v2", Self.chat(required))],
        into: folder,
        model: "Chat"
      )
      func run(_ arguments: String...) -> CommandRun {
        CommandRun(arguments + ["--models", "Chat.xcdatamodeld"], in: folder)
      }
      let made = run("generate", "v1", "--rows", "60", "-o", "s.sqlite")
      try #require(made.status == .success, "\(made.errors)")
      let moved = run("migrate", "s.sqlite", "--to", "v2", "--output", "t.sqlite")
      #expect(moved.status == .success, "\(moved.errors)")
      #expect(run("verify", "t.sqlite").status == .success)
      func count(_ store: String, _ column: String, _ table: String) throws -> Int64? {
        try AppDatabase(folder + store).integer("SELECT COUNT(\(column)) FROM \(table)")
      }
      for (column, table) in [("ZLAST", "ZCHAT"), ("ZCHAT", "ZMESSAGE")] {
        let links = try count("/s.sqlite", column, table)
        #expect(try count("/t.sqlite", column, table) == links)
        #expect(links ?? 0 > 0)
      }
      let lint = run("versions", "--lint")
      #expect(
        lint.words.contains("WS215 v1: 2 properties name Message.chat as their inverse")
      )
      #expect(lint.words.contains(": Chat.last, Chat.unread."))
    }
  }
}
