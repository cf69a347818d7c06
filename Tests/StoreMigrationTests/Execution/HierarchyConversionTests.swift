import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Steps that move entities and properties, each verified against its source by the run itself.
@Suite struct HierarchyConversionTests {
  /// The number of rows of a table that have a condition, in the migrated store.
  private func count(_ step: SketchedStep, _ query: String) throws -> Int64 {
    let connection = try SQLiteConnection(path: step.after, access: .quiescent)
    try connection.attach(path: step.before, as: "old", access: .quiescent)
    return try connection.integer("SELECT COUNT(*) FROM \(query)") ?? -1
  }

  private func expect(_ number: Int64, _ step: SketchedStep, _ query: String) throws {
    let found = try count(step, query)
    #expect(found == number, "\(query)")
  }

  private func expectSome(_ step: SketchedStep, _ query: String) throws {
    let found = try count(step, query)
    #expect(found > 0, "\(query)")
  }

  @Test func `an entity that sorts first renumbers all others`() throws {
    try SketchedStep.run(
      "abstract B { x: String?; to -> B } C : B { y: Int16?; es -> E.cs } D : B { } "
        + "E { b -> B; cs ->> C.es } C2 { }",
      "A { } abstract B { x: String?; to -> B } C : B { y: Int16?; es -> E.cs } D : B { } "
        + "E { b -> B; cs ->> C.es } C2 { }"
    ) { step in
      #expect(step.wasInPlace)
      try expectSome(step, "main.ZB n JOIN old.ZB o USING (Z_PK)")
      try expect(
        0,
        step,
        "main.ZB n JOIN old.ZB o USING (Z_PK) WHERE n.Z_ENT <> o.Z_ENT + 1"
      )
      try expect(
        0,
        step,
        "main.ZE n JOIN old.ZE o USING (Z_PK) WHERE n.ZB IS NOT o.ZB "
          + "OR n.Z2_B IS NOT o.Z1_B + 1"
      )
      try expectSome(step, "main.ZE WHERE ZB IS NOT NULL")
    }
  }

  @Test func `a renamed root takes its table along`() throws {
    try SketchedStep.run(
      "N { a: String?; ts ->> T.ns } T { ns ->> N.ts }",
      "M was N { a: String?; ts ->> T.ns } T { ns ->> M.ts }"
    ) { step in
      try expect(0, step, "main.ZM n JOIN old.ZN o USING (Z_PK) WHERE n.ZA IS NOT o.ZA")
      try expect(30, step, "main.ZM")
    }
  }

  @Test func `a new parent takes its children's table and their properties`() throws {
    try SketchedStep.run(
      "N { a: String?; b: Int16? }",
      "abstract P { a: String? } N : P { b: Int16? }"
    ) { step in
      try expect(
        0,
        step,
        "main.ZP n JOIN old.ZN o USING (Z_PK) WHERE n.ZA IS NOT o.ZA OR n.ZB IS NOT o.ZB"
      )
      try expect(60, step, "main.ZP")
    }
  }

  @Test func `a property moves down to one child and is dropped for the other`() throws {
    try SketchedStep.run(
      "abstract P { a: String? } X : P { } Y : P { }",
      "abstract P { } X : P { a: String? } Y : P { }"
    ) { step in
      let old = try count(step, "old.ZP WHERE Z_ENT = 2 AND ZA IS NOT NULL")
      #expect(old > 0)
      try expect(old, step, "main.ZP WHERE Z_ENT = 2 AND ZA IS NOT NULL")
      try expect(0, step, "main.ZP WHERE Z_ENT = 3 AND ZA IS NOT NULL")
      try expectSome(step, "old.ZP WHERE Z_ENT = 3 AND ZA IS NOT NULL")
    }
  }

  @Test func `properties of siblings that share a name change their columns`() throws {
    try SketchedStep.run(
      "abstract P { } X : P { t: String? } Y : P { t: String? }",
      "abstract P { } A : P { t: String? } X : P { t: String? } Y : P { t: String? }"
    ) { step in
      try expect(
        0,
        step,
        "main.ZP n JOIN old.ZP o USING (Z_PK) WHERE o.Z_ENT = 2 AND n.ZT1 IS NOT o.ZT"
      )
      try expect(
        0,
        step,
        "main.ZP n JOIN old.ZP o USING (Z_PK) WHERE o.Z_ENT = 3 AND n.ZT2 IS NOT o.ZT1"
      )
    }
  }

  @Test func `a child that moves out of its hierarchy gets a table of its own`() throws {
    try SketchedStep.run(
      "P { a: String? } X : P { b: Int16? } O { xs ->> X }",
      "P { a: String? } X { a: String?; b: Int16? } O { xs ->> X }"
    ) { step in
      let moved = try count(step, "old.ZP WHERE Z_ENT = 3")
      #expect(moved > 0)
      try expect(moved, step, "main.ZX")
      try expect(
        0,
        step,
        "main.ZX n JOIN old.ZP o USING (Z_PK) WHERE n.ZA IS NOT o.ZA OR n.ZB IS NOT o.ZB"
      )
    }
  }

  @Test func `a dropped child takes the references to it along`() throws {
    try SketchedStep.run(
      "abstract P { a: String?; os ->> O.ps } X : P { } Y : P { } O { p -> P; ps ->> P.os }",
      "abstract P { a: String?; os ->> O.ps } X : P { } O { p -> P; ps ->> P.os }"
    ) { step in
      try expectSome(step, "old.ZO WHERE Z2_P = 4")
      try expect(
        0,
        step,
        "main.ZO n LEFT JOIN main.ZP p ON p.Z_PK = n.ZP WHERE n.ZP IS NOT NULL "
          + "AND (p.Z_PK IS NULL OR p.Z_ENT <> n.Z2_P)"
      )
      try expectSome(step, "main.ZO WHERE ZP IS NOT NULL")
      let joins = try PersistentStore(reading: step.after).schemaObjects.filter {
        $0.kind == .table && $0.name.hasPrefix("Z_1")
      }
      let join = try #require(joins.first?.name)
      try expect(0, step, "main.\(join) WHERE Z_2PS NOT IN (SELECT Z_PK FROM main.ZP)")
    }
  }

  @Test func `dropped owners are forgotten by those that they alone knew`() throws {
    try SketchedStep.run(
      "abstract P { os ->> O } X : P { } Y : P { } O { a: String? }",
      "abstract P { os ->> O } X : P { } O { a: String?; b: Date? }"
    ) { step in
      try expectSome(step, "old.ZO WHERE Z2OS IN (SELECT Z_PK FROM old.ZP WHERE Z_ENT = 4)")
      try expectSome(step, "main.ZO WHERE Z2OS IS NOT NULL")
      try expect(0, step, "main.ZO WHERE Z2OS NOT IN (SELECT Z_PK FROM main.ZP)")
    }
  }

  @Test func `history, tables of the app and greatest keys are carried`() throws {
    try SketchedStep.run(
      "B { x: String? } C { y: String? }",
      "A { } B { x: String?; z: Int16? } ",
      prepare: { connection in
        try connection.execute(
          """
          CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
            ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER,
            ZCOLUMNS BLOB);
          INSERT INTO ACHANGE VALUES (1, 16001, NULL, 1, 1, 5, 1, x'80'), (2, 16001, NULL, 0, 2, 6, 1, NULL);
          INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 2);
          CREATE TABLE app_settings (key TEXT PRIMARY KEY, value BLOB);
          CREATE INDEX app_index ON app_settings (value);
          INSERT INTO app_settings VALUES ('k', x'00ff');
          UPDATE Z_PRIMARYKEY SET Z_MAX = 9000 WHERE Z_NAME = 'B'
          """
        )
      }
    ) { step in
      try expect(1, step, "main.ACHANGE")
      try expect(1, step, "main.ACHANGE WHERE ZENTITY = 2 AND ZENTITYPK = 5 AND ZCOLUMNS IS NULL")
      try expect(1, step, "main.app_settings WHERE key = 'k' AND value = x'00ff'")
      try expect(1, step, "main.sqlite_schema WHERE name = 'app_index'")
      try expect(1, step, "main.Z_PRIMARYKEY WHERE Z_NAME = 'B' AND Z_ENT = 2 AND Z_MAX = 9000")
      try expect(1, step, "main.Z_PRIMARYKEY WHERE Z_ENT = 16001 AND Z_MAX = 2")
      #expect(
        step.outcome.findings.contains {
          $0.code == .foreignTable && $0.message.contains("app_settings")
        }
      )
    }
  }
}
