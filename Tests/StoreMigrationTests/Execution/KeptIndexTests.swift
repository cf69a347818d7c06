import MigrationTestSupport
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Indexes that a hop in place keeps although names change, as where a new entity gives others new numbers.
@Suite struct KeptIndexTests {
  /// The pages where indexes begin, by their statements.
  private func roots(_ path: String) throws -> [String: Int64] {
    let store = try PersistentStore(reading: path)
    let rows = try store.connection.rows(
      "SELECT sql, rootpage FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    )
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0].text ?? "", $0[1].integer ?? 0) })
  }

  @Test(arguments: [
    // A new entity comes first: join tables and their indexes get other names.
    (
      "N { t: String; tags ->> T.notes } T { notes ->> N.tags }",
      "A { x: String? } N { t: String; tags ->> T.notes } T { notes ->> N.tags }",
      "CREATE INDEX Z_1TAGS_Z_2TAGS_INDEX ON Z_1TAGS (Z_2TAGS, Z_1NOTES)",
      "CREATE INDEX Z_2TAGS_Z_3TAGS_INDEX ON Z_2TAGS (Z_3TAGS, Z_2NOTES)"
    ),
    // A new parent gives its name to the table.
    (
      "N { t: String; b -> B.ns } B { ns ->> N.b }",
      "abstract P { q: Int64? } N : P { t: String; b -> B.ns } B { ns ->> N.b }",
      "CREATE INDEX ZN_ZB_INDEX ON ZN (ZB)", "CREATE INDEX ZP_ZB_INDEX ON ZP (ZB)"
    ),
    // A relationship is renamed.
    (
      "N { t: String; b -> B.ns } B { ns ->> N.b }",
      "N { t: String; c -> B.ns was b } B { ns ->> N.c }",
      "CREATE INDEX ZN_ZB_INDEX ON ZN (ZB)", "CREATE INDEX ZN_ZC_INDEX ON ZN (ZC)"
    ),
  ])
  func `an index whose table or columns are renamed is not made anew`(
    _ first: String,
    _ second: String,
    _ old: String,
    _ new: String
  ) throws {
    try SketchedStep.run(first, second, configure: { $0.settings.verification = .full }) { step in
      #expect(step.wasInPlace)
      let (before, after) = (try roots(step.before), try roots(step.after))
      let root = try #require(before[old], "\(before.keys.sorted())")
      #expect(after[new] == root, "\(after.keys.sorted())")
      #expect(after[old] == nil)
    }
  }
}
