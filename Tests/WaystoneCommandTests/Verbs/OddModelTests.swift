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

  private static let books: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("isbn", ""), ("title", "")])),
    ("v3", SketchedModel.book([("isbn", ""), ("title", ""), ("year", "")])),
    ("v4", SketchedModel.book([("isbn", ""), ("place", ""), ("title", ""), ("year", "")])),
  ]

  /// Runs a body in a folder of four versions whose second cannot be read.
  private func withoutSecond(_ order: String = "", _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.books, into: folder + "/Models")
      try SketchedModel.write(
        SketchedModel.contents(#"<entity name="Book" parentEntity="Gone"/>"#),
        to: folder + "/Models/Library.xcdatamodeld/v2.xcdatamodel/contents"
      )
      let hop = "from: v1\nto: v2\nentities: []\n"
      try SketchedModel.write(hop, to: folder + "/Models/v1-to-v2.hop.yml")
      let stages = "stages:\n  - lightweight: [v1, v2, v3]\n"
      try SketchedModel.write(stages, to: folder + "/Models/Library.staged.yml")
      try SketchedModel.write("models: Models\n" + order, to: folder + "/waystone.yml")
      try body(folder)
    }
  }

  @Test(arguments: [
    "", "order: [v1, v2, v3, v4]\n", "order: {v2: v1, v3: v2, v4: v3}\nshipped: [v1, v2]\n",
  ])
  func `a version that cannot be read stops what needs it, and nothing else`(order: String) throws {
    try withoutSecond(order) { folder in
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .answerIsNo, "\(run.errors)")
        #expect(run.words.contains("Version v2 cannot be read: "), "\(run.output)")
      }
      let after = CommandRun("plan", "v3", "--to", "v4", in: folder)
      #expect(after.status == .success, "\(after.errors)")
      let across = CommandRun("plan", "v1", "--to", "v4", in: folder)
      #expect(across.status == .noPath)
      #expect((across.output + across.errors).contains("v2 between v1 and v3 cannot be read"))
      let named = CommandRun("plan", "v2", "--to", "v4", in: folder)
      #expect(named.status == .damagedInput, "\(named.errors)")
      #expect(named.errors.contains("Version v2 cannot be read"))
      #expect(CommandRun("lock", "--all", in: folder).status != .success)
      #expect(TemporaryFolder.bytes(of: folder + "/waystone.lock") == nil)
    }
  }

  @Test func `a store migrates among the versions that can be read`() throws {
    try withoutSecond { folder in
      let made = CommandRun("generate", "v3", "--rows", "9", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let run = CommandRun("migrate", "s.sqlite", "--to", "v4", in: folder)
      #expect(run.status == .success, "\(run.errors)")
    }
  }

  @Test func `what is current is not known where the current version cannot be read`() throws {
    try withoutSecond("current: v2\n") { folder in
      let run = CommandRun("plan", "v1", in: folder)
      #expect(run.status == .damagedInput, "\(run.errors)")
      #expect(run.errors.contains("Version v2 cannot be read"))
    }
  }

  @Test func `a version that cannot be read and is no version of the app can be left out`() throws {
    try withoutSecond("ignore: [v2]\n") { folder in
      for file in ["v1-to-v2.hop.yml", "Library.staged.yml"] {
        try FileSystem.remove(folder + "/Models/" + file)
      }
      let plan = CommandRun("plan", "v1", "--to", "v4", in: folder)
      #expect(plan.status == .success, "\(plan.errors)")
      let check = CommandRun("check", in: folder)
      #expect(!check.output.contains("v2 cannot be read"), "\(check.output)")
    }
  }
}
