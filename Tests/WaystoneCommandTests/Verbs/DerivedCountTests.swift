import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Derived attributes that a step adds.
@Suite struct DerivedCountTests {
  private static func note(_ attributes: String) -> String {
    """
    <entity name="Note" syncable="YES">\(attributes)
    <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
    </entity>
    <entity name="Tag" syncable="YES">
    <attribute name="size" optional="YES" attributeType="Integer 32"/>
    <relationship name="notes" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Note" inverseName="tags" inverseEntity="Note"/>
    </entity>
    """
  }

  private static func derived(_ name: String, _ expression: String) -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="Integer 64" derived="YES" "#
      + #"derivationExpression="\#(expression)"/>"#
  }

  @Test func `a count over a many-to-many is computed, and a sum is said to stay empty`() throws {
    try TemporaryFolder.with { folder in
      let added = Self.derived("tagCount", "tags.@count") + Self.derived("total", "tags.@sum.size")
      try SketchedModel.write(
        [("v1", Self.note("")), ("v2", Self.note(added))],
        into: folder + "/ModelArchive"
      )
      let made = CommandRun("generate", "v1", "--rows", "40", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let plan = CommandRun("plan", "s.sqlite", in: folder).words
      #expect(plan.contains("Note.tagCount is new and computed from other values."))
      #expect(plan.contains("Note.total is new and derived; it stays empty until the app saves"))
      let run = CommandRun("migrate", "s.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.words.contains("without triggers that keep them up to date: Note.tagCount"))
      let store = try AppDatabase(folder + "/s.sqlite")
      let counts = try store.rows(
        "SELECT ZTAGCOUNT, (SELECT COUNT(*) FROM Z_1TAGS WHERE Z_1NOTES = Z_PK), ZTOTAL FROM ZNOTE"
      )
      #expect(counts.allSatisfy { $0[0] == $0[1] && $0[2] == .null })
      #expect(counts.contains { $0[0].integer ?? 0 > 0 })
    }
  }
  @Test func `a sum that was a count two versions before does not keep the counts`() throws {
    try TemporaryFolder.with { folder in
      let plain = Self.derived("total", "").replacing(
        #"derived="YES" derivationExpression="""#,
        with: ""
      )
      try SketchedModel.write(
        [
          ("v1", Self.note(Self.derived("total", "tags.@count"))), ("v2", Self.note(plain)),
          ("v3", Self.note(Self.derived("total", "tags.@sum.size"))),
        ],
        into: folder + "/ModelArchive"
      )
      let made = CommandRun("generate", "v1", "--rows", "40", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let run = CommandRun("migrate", "s.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let store = try AppDatabase(folder + "/s.sqlite")
      let counts = try store.rows("SELECT ZTOTAL FROM ZNOTE")
      #expect(!counts.isEmpty && counts.allSatisfy { $0[0] == .null })
    }
  }

  @Test func `one of another name and the same hash does not arrive`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.note(Self.derived("total", "tags.@count"))),
          ("v2", Self.note(Self.derived("totals", "tags.@count"))),
        ],
        into: folder + "/ModelArchive"
      )
      let run = CommandRun("coverage", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("of 1 older version, 1 is unknown."))
      #expect(!run.words.contains("arrives"))
    }
  }
}
