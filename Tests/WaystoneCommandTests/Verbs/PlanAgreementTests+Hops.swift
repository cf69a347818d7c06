import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

extension PlanAgreementTests {
  @Test func `a side that an earlier hop adds leads nothing back where it becomes an inverse`()
    throws
  {
    func relationship(
      _ name: String,
      _ end: String,
      _ count: String,
      _ inverse: String?
    ) -> String {
      #"<relationship name="\#(name)" optional="YES" \#(count) deletionRule="Nullify" "#
        + #"destinationEntity="\#(end)" "#
        + (inverse.map { #"inverseName="\#($0)" inverseEntity="\#(end)""# } ?? "") + "/>"
    }
    func version(hasNotes: Bool, isPaired: Bool) -> String {
      Self.entity("Note", relationship("tag", "Tag", #"maxCount="1""#, isPaired ? "notes" : nil))
        + Self.entity(
          "Tag",
          hasNotes ? relationship("notes", "Note", #"toMany="YES""#, isPaired ? "tag" : nil) : ""
        )
    }
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", version(hasNotes: false, isPaired: false)),
          ("v2", version(hasNotes: true, isPaired: false)),
          ("v3", version(hasNotes: true, isPaired: true)),
        ],
        into: folder + "/ModelArchive"
      )
      let made = CommandRun("generate", "v1", "--rows", "20", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let count = try SQLiteConnection(path: folder + "/s.sqlite", access: .readOnly)
        .count("SELECT COUNT(ZTAG) FROM ZNOTE")
      let plan = CommandRun("plan", "s.sqlite", "--to", "v3", in: folder)
      #expect(plan.status == .answerIsNo && count > 5, "\(plan.output)")
      let words = "\(count) of 10 rows have links that the other side does not have"
      #expect(plan.words.contains(words), "\(plan.output)")
      let run = CommandRun("migrate", "s.sqlite", "--to", "v3", in: folder)
      #expect(run.status == .migrationFailed && run.errors.contains("WS329"), "\(run.errors)")
      try AppDatabase.run(folder + "/s.sqlite", "UPDATE ZNOTE SET ZTAG = NULL")
      let clean = CommandRun("migrate", "s.sqlite", "--to", "v3", in: folder)
      #expect(clean.status == .success, "\(clean.errors)")
    }
  }

  @Test func `parts that fit are proven by the plan and arrive`() throws {
    let store = AwkwardStore.split(
      "parts that fit",
      #"<attribute name="c" attributeType="String" maxValueString="3"/>"#,
      "TERNARY($index == 0, uppercase:($piece), $piece)",
      text: "abc,d",
      code: nil
    )
    try TemporaryFolder.with { folder in
      try store.write(in: folder)
      let ends = ["in/s.sqlite", "--to", "v2", "--models", folder]
      let plan = CommandRun(["plan"] + ends, in: folder)
      #expect(plan.status == .success, "\(plan.errors)")
      #expect(plan.words.contains("0 errors, 0 warnings, 2 notes."), "\(plan.output)")
      let run = CommandRun(["migrate"] + ends, in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let made = try SQLiteConnection(path: folder + "/in/s.sqlite", access: .readOnly)
        .rows("SELECT ZC FROM ZC ORDER BY Z_PK").compactMap { $0[0].text }
      #expect(made == ["ABC", "d"])
    }
  }

  @Test func `a number too great for the objects of parts is bounded where that is accepted`()
    throws
  {
    let store = AwkwardStore.split(
      "a number too great for a part",
      Self.attribute("c", "Integer 16"),
      "$source.x",
      code: nil
    )
    try TemporaryFolder.with { folder in
      try store.write(in: folder)
      try AppDatabase.run(
        "\(folder)/in/s.sqlite",
        "UPDATE ZA SET ZX = 70000; PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let ends = ["in/s.sqlite", "--to", "v2", "--models", folder]
      for verb in ["plan", "migrate"] {
        let refused = CommandRun([verb] + ends, in: folder)
        #expect(refused.status != .success, "\(verb): \(refused.output)")
        let run = CommandRun([verb] + ends + ["--accept-changed-values"], in: folder)
        #expect(run.status == .success, "\(verb): \(run.errors)")
      }
      let made = try SQLiteConnection(path: folder + "/in/s.sqlite", access: .readOnly)
        .rows("SELECT ZC FROM ZC ORDER BY Z_PK").compactMap { $0[0].integer }
      #expect(made == [32767, 32767])
    }
  }
}
