import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

@Suite struct AttributeConversionTests {
  /// Whether a query over `old` (the store as it was) and `main` (as it became) counts nothing.
  private func expectNone(_ step: SketchedStep, _ query: String) throws {
    let connection = try SQLiteConnection(path: step.after, access: .quiescent)
    try connection.attach(path: step.before, as: "old", access: .quiescent)
    #expect(try connection.integer("SELECT COUNT(*) FROM \(query)") == 0)
    #expect(try connection.integer("SELECT COUNT(*) FROM main.ZN") ?? 0 > 0)
  }

  @Test func `adding and renaming changes the file in place`() throws {
    try SketchedStep.run(
      "N { a: String?; b: Int16? }",
      "N { c: String? was a; b: Int16?; d: Date? }"
    ) { step in
      #expect(step.wasInPlace)
      try expectNone(
        step,
        "main.ZN n JOIN old.ZN o USING (Z_PK) WHERE n.ZC IS NOT o.ZA OR n.ZB IS NOT o.ZB "
          + "OR n.ZD IS NOT NULL OR n.Z_OPT IS NOT o.Z_OPT"
      )
    }
  }

  @Test func `two attributes swap their names, and the index stays with its name`() throws {
    try SketchedStep.run(
      "N { a: String?; b: String?; unique a }",
      "N { b: String? was a; a: String? was b; c: Int16?; unique a }",
      prepare: { try $0.execute("UPDATE ZN SET ZB = 'b' || Z_PK") }
    ) { step in
      #expect(step.wasInPlace)
      try expectNone(
        step,
        "main.ZN n JOIN old.ZN o USING (Z_PK) WHERE n.ZB IS NOT o.ZA OR n.ZA IS NOT o.ZB"
      )
      let connection = try SQLiteConnection(path: step.after, access: .quiescent)
      let columns = try connection.rows("SELECT name FROM pragma_index_info('Z_N_UNIQUE_a')")
      #expect(columns.map { $0[0].text } == ["ZA"])
    }
  }

  @Test func `a default fills what is absent`() throws {
    try SketchedStep.run(
      "N { a: Int32?; x: String? }",
      "N { a: Int32 = 42; b: String = none; x: String? }"
    ) { step in
      #expect(step.wasInPlace)
      try expectNone(
        step,
        "main.ZN n JOIN old.ZN o USING (Z_PK) WHERE n.ZA IS NOT COALESCE(o.ZA, 42) "
          + "OR n.ZB IS NOT 'none' OR typeof(n.ZA) <> 'integer'"
      )
    }
  }

  @Test(arguments: [false, true])
  func `numbers are converted, in place and in a fresh file`(_ isFresh: Bool) throws {
    // A table of which three columns go is written anew.
    let dropped = "; x: String?; y: String?; z: String?"
    try SketchedStep.run(
      "N { a: Int32?; b: Int16?; c: Int16?; d: Int16?\(dropped) }",
      "N { a: Double?; b: Int64?; c: Double?; d: Double?\(isFresh ? "" : dropped) }"
    ) { step in
      #expect(step.wasInPlace != isFresh)
      try expectNone(
        step,
        "main.ZN n JOIN old.ZN o USING (Z_PK) WHERE n.ZA IS NOT o.ZA OR n.ZB IS NOT o.ZB "
          + "OR n.ZC IS NOT o.ZC OR n.ZD IS NOT o.ZD OR typeof(n.ZA) NOT IN ('real', 'null')"
      )
    }
  }

  @Test func `a value that does not fit stops the run, and leaves no trace`() throws {
    let error = try #require(throws: MigrationError.self) {
      try SketchedStep.run(
        "N { a: Int32? }",
        "N { a: Int16? }",
        prepare: { try $0.execute("UPDATE ZN SET ZA = iif(Z_PK <= 4, 70000, Z_PK)") }
      ) { _ in }
    }
    #expect(error.code == .failed)
    #expect(error.message.contains("WS310") && error.message.contains("4 rows"))
    #expect(!error.message.contains("70000"))
  }

  @Test func `a value that does not fit is bounded where that is accepted`() throws {
    try SketchedStep.run(
      "N { a: Int32? }",
      "N { a: Int16? }",
      configure: {
        $0.settings.acceptsChangedValues = true
        $0.settings.verification = .none
      },
      prepare: { try $0.execute("UPDATE ZN SET ZA = 70000 WHERE Z_PK <= 4") }
    ) { step in
      let store = try PersistentStore(reading: step.after)
      #expect(try store.connection.integer("SELECT MAX(ZA) FROM ZN") == 32767)
    }
  }

  @Test func `duplicates stop a run that wants them unique`() throws {
    let error = try #require(throws: MigrationError.self) {
      try SketchedStep.run(
        "N { a: String? }",
        "N { a: String?; unique a }",
        prepare: { try $0.execute("UPDATE ZN SET ZA = iif(Z_PK <= 3, 'same', 'n' || Z_PK)") }
      ) { _ in }
    }
    #expect(error.message.contains("WS314") && error.message.contains("3 rows"))
  }

  @Test func `the tag of external storage is put on and taken off`() throws {
    try SketchedStep.run(
      "N { a: Binary?; b: Binary? external }",
      "N { a: Binary? external; b: Binary? }"
    ) {
      step in
      try expectNone(
        step,
        "main.ZN n JOIN old.ZN o USING (Z_PK) WHERE (o.ZA IS NOT NULL AND "
          + "(hex(n.ZA) <> '01' || hex(o.ZA) OR typeof(n.ZA) <> 'blob')) "
          + "OR (o.ZB IS NOT NULL AND hex(o.ZB) <> '01' || hex(n.ZB))"
      )
    }
  }

  /// A default without a tag would be read as one: its first byte would be lost, or taken for a file's name.
  @Test(arguments: ["", "; b: String?; c: String?; d: String?"])
  func `a default among values of external storage has their tag`(dropped: String) throws {
    try SketchedStep.run(
      "N { a: Binary? external; e: String?\(dropped) }",
      "N { a: Binary = x external; e: String? }",
      prepare: { try $0.execute("UPDATE ZN SET ZA = NULL WHERE Z_PK <= 4") }
    ) { step in
      try expectNone(
        step,
        "main.ZN n JOIN old.ZN o USING (Z_PK) WHERE n.ZA IS NOT IFNULL(o.ZA, X'0178')"
      )
    }
  }

  @Test func `many dropped columns are worth a fresh file`() throws {
    try SketchedStep.run(
      "N { a: String?; b: String?; c: String?; d: String? }",
      "N { d: String? }"
    ) { step in
      #expect(!step.wasInPlace)
      try expectNone(step, "main.ZN n JOIN old.ZN o USING (Z_PK) WHERE n.ZD IS NOT o.ZD")
    }
  }
}
