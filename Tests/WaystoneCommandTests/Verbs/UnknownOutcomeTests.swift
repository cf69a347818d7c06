import MigrationTestSupport
import Testing
import WaystoneCommand

/// An unknown outcome in the app holds a release in each verb, for whichever reason.
@Suite struct UnknownOutcomeTests {
  private static let uuid = "5B0C2C55-6E0B-4B39-9C2A-0F1F8C4E7A10"

  private static func entity(_ name: String, _ attributes: String, _ more: String = "") -> String {
    #"<entity name="\#(name)" syncable="YES" \#(more)>\#(attributes)</entity>"#
  }

  private static func text(_ name: String, _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="String" \#(more)/>"#
  }

  /// A history in which Renaming IDs differ, with what is disputed and the version that disputes it.
  struct Dispute: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let place: String
    let version: String
    let versions: [(name: String, entities: String)]

    static let all = [
      Dispute(
        testDescription: "a UUID as the Renaming ID of an entity, lost between equal hashes",
        place: "Member",
        version: "v3",
        versions: [
          ("v1", entity("Member", text("name"), #"elementID="\#(uuid)""#)),
          ("v2", entity("Member", text("name") + text("mail"), #"elementID="\#(uuid)""#)),
          ("v3", entity("Member", text("name") + text("mail"))),
        ]
      ),
      Dispute(
        testDescription: "a UUID as the Renaming ID of an attribute, lost between equal hashes",
        place: "Member.name",
        version: "v3",
        versions: [
          ("v1", entity("Member", text("name", #"elementID="\#(uuid)""#))),
          ("v2", entity("Member", text("name", #"elementID="\#(uuid)""#) + text("mail"))),
          ("v3", entity("Member", text("name") + text("mail"))),
        ]
      ),
      Dispute(
        testDescription: "a Renaming ID that nothing had",
        place: "Parcel.weight",
        version: "v2",
        versions: [
          ("v1", entity("Parcel", text("weight"))),
          ("v2", entity("Parcel", text("weight", #"elementID="mass""#) + text("added"))),
        ]
      ),
    ]
  }

  private func with(_ dispute: Dispute, _ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(dispute.versions, into: "\(folder)/ModelArchive")
      try body(folder)
    }
  }

  @Test(arguments: Dispute.all)
  func `check, coverage and diff report disputed Renaming IDs as one error at a name`(
    dispute: Dispute
  ) throws {
    try with(dispute) { folder in
      let last = dispute.versions.count
      let entry = #"  - {code: WS206, place: \#(dispute.place), version: "\#(dispute.version)""#
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .answerIsNo, "\(run.output)")
        #expect(run.words.contains("error WS206"), "\(run.output)")
        #expect(run.output.contains(entry), "\(run.output)")
        #expect(!run.words.contains("No gap"), "\(run.output)")
        // A UUID was never a name: nothing is renamed by it, and nothing of that name is dropped.
        #expect(!run.words.contains("renames it"), "\(run.output)")
        #expect(!run.words.contains("drops \(Self.uuid)"), "\(run.output)")
      }
      let diff = CommandRun("diff", "v\(last - 1)", "v\(last)", in: folder)
      #expect(diff.words.contains("error WS206 \(dispute.place) "), "\(diff.output)")
    }
  }

  @Test(arguments: Dispute.all)
  func `an acceptance of the disputed Renaming ID lets check and coverage pass`(
    dispute: Dispute
  ) throws {
    try with(dispute) { folder in
      let entries = CommandRun("coverage", in: folder).output.split(separator: "\n")
        .filter { $0.hasPrefix("  - {code: ") }.joined(separator: "\n")
      try SketchedModel.write(
        "models: ModelArchive\naccept:\n"
          + entries.replacing("...", with: "The app kept the data in a trial.") + "\n",
        to: "\(folder)/waystone.yml"
      )
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .success, "\(run.output)")
        #expect(!run.words.contains("No gap"), "\(run.output)")
      }
    }
  }

  @Test func `a real former name is still called renamed and dropped`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.entity("Note", Self.text("title"))),
          ("v2", Self.entity("Note", Self.text("heading", #"elementID="title""#))),
          ("v3", Self.entity("Note", Self.text("heading"))),
        ],
        into: "\(folder)/ModelArchive"
      )
      let run = CommandRun("check", in: folder)
      #expect(run.words.contains("by which v2 renames it."), "\(run.output)")
      #expect(run.words.contains("with the model of v3 drops title."), "\(run.output)")
    }
  }

  @Test func `an unknown without a place is accepted by its version`() throws {
    try TemporaryFolder.with { folder in
      let note = Self.entity("Note", Self.text("title"))
      try SketchedModel.write(
        [("v1", note), ("v2", Self.entity("Note", Self.text("title") + Self.text("more")))],
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        "stages:\n  - custom: {from: v1, to: v2}\n    did: {handlers: [fill]}\n",
        to: "\(folder)/ModelArchive/Library.staged.yml"
      )
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .answerIsNo, "\(run.output)")
        #expect(
          run.output.contains(#"  - {code: WS723, version: "v1", reason: "..."}"#),
          "\(run.output)"
        )
      }
    }
  }

  @Test func `an unknown names the changes that are its reason`() throws {
    try TemporaryFolder.with { folder in
      func derived(_ expression: String) -> String {
        Self.entity(
          "Note",
          Self.text("name")
            + #"<attribute name="d" optional="YES" attributeType="String" derived="YES" "#
            + #"derivationExpression="\#(expression)"/>"#
        )
      }
      try SketchedModel.write(
        [("v1", derived("name")), ("v2", derived("canonical:(name)"))],
        into: "\(folder)/ModelArchive"
      )
      let run = CommandRun("coverage", "--format", "json", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("with the change of Note.d (WS328)."), "\(run.output)")
    }
  }

  @Test func `a property that only a version between has is no loss of older stores`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.entity("Note", Self.text("title") + Self.text("amount"))),
          ("v2", Self.entity("Note", Self.text("title") + Self.text("a") + Self.text("b"))),
          ("v3", Self.entity("Note", Self.text("title"))),
        ],
        into: "\(folder)/ModelArchive"
      )
      let hop = "from: v1\nto: v2\nentities:\n  - {source: Note, attributes: {a: $source.amount}}\n"
      try SketchedModel.write(hop, to: "\(folder)/ModelArchive/v1-to-v2.hop.yml")
      let plan = CommandRun("plan", "v1", "--to", "v3", in: folder)
      #expect(!plan.words.contains("Note.b is dropped"), "\(plan.output)")
      #expect(plan.words.contains("Note.amount is dropped"), "\(plan.output)")
      let own = CommandRun("plan", "v2", "--to", "v3", in: folder)
      #expect(own.words.contains("Note.b"), "\(own.output)")
    }
  }

  @Test func `a store of an entity that only a version between has loses nothing`() throws {
    let note = Self.entity("Note", Self.text("title"))
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.entity("Note", Self.text("title") + Self.text("amount"))),
          ("v2", note + Self.entity("Flag", Self.text("name"))),
          ("v3", note),
        ],
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        "from: v1\nto: v2\nentities:\n  - {source: Note, attributes: {title: $source.amount}}\n",
        to: "\(folder)/ModelArchive/v1-to-v2.hop.yml"
      )
      let plan = CommandRun("plan", "v1", "--to", "v3", in: folder)
      #expect(!plan.words.contains("Flag"), "\(plan.output)")
      let own = CommandRun("plan", "v2", "--to", "v3", in: folder)
      #expect(own.words.contains("Flag is dropped with all its rows"), "\(own.output)")
      let rows = CommandRun("coverage", in: folder).output.split(separator: "\n")
      #expect(rows.contains { $0.hasPrefix("  v1") && !$0.contains("Flag") }, "\(rows)")
      #expect(rows.contains { $0.hasPrefix("  v2") && $0.contains("drops Flag") }, "\(rows)")
    }
  }
}
