import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// `digest` and `compare`, on stores of models of our own.
@Suite struct DigestTests {
  /// Runs a closure in a folder with `A.sqlite` of Letters v2 and the models beside it.
  private func with(_ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try FileManager.default.copyItem(
        atPath: SampleArchive.root,
        toPath: "\(folder)/ModelArchive"
      )
      try generate("v2", as: "A.sqlite", in: folder)
      try body(folder)
    }
  }

  private func generate(_ version: String, as name: String, in folder: String) throws {
    let run = CommandRun(
      ["generate", "Letters/\(version)", "--rows", "50", "--seed", "5", "-o", name],
      in: folder
    )
    #expect(run.status == .success, "\(run.errors)")
  }

  private func change(_ store: String, _ sql: String) throws {
    let connection = try AppDatabase(store)
    try connection.execute(sql)
    #expect(connection.totalChanges > 0)
  }

  @Test func `a digest names each entity`() throws {
    try with { folder in
      let run = CommandRun("digest", "A.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let json = try CommandRun("digest", "A.sqlite", "--format", "json", in: folder).json()
      #expect(json["schema"] as? String == "waystone.digest/1")
      #expect(json["recovered"] as? Bool == false)
      let hash = try #require(json["hash"] as? String)
      #expect(run.output.contains(hash))
      let entities = try #require(json["entities"] as? [[String: Any]])
      #expect(entities.count > 2)
      for entity in entities {
        #expect((entity["hash"] as? String)?.count == 64)
        #expect(run.output.contains(try #require(entity["name"] as? String)))
      }
    }
  }

  @Test func `without an archive the store's own model gives the same digest`() throws {
    try with { folder in
      let known = try CommandRun("digest", "A.sqlite", "--format", "json", in: folder).json()
      try FileManager.default.removeItem(atPath: "\(folder)/ModelArchive")
      let alone = try CommandRun("digest", "A.sqlite", "--format", "json", in: folder).json()
      #expect(alone["recovered"] as? Bool == true)
      #expect(alone["version"] is NSNull)
      #expect(known["hash"] as? String == alone["hash"] as? String)
    }
  }

  @Test func `a store of an unknown version has no digest`() throws {
    try with { folder in
      try change("\(folder)/A.sqlite", "DELETE FROM Z_MODELCACHE")
      try FileManager.default.removeItem(atPath: "\(folder)/ModelArchive")
      for arguments in [["digest", "A.sqlite"], ["compare", "A.sqlite", "A.sqlite"]] {
        let run = CommandRun(arguments, in: folder)
        #expect(run.status == .noPath)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("carries no model of its own"))
      }
    }
  }

  @Test func `a copy without a hop holds the same`() throws {
    try with { folder in
      let migrate = CommandRun(
        ["migrate", "A.sqlite", "--to", "Letters/v2", "--output", "B.sqlite"],
        in: folder
      )
      #expect(migrate.status == .success, "\(migrate.errors)")
      let run = CommandRun("compare", "A.sqlite", "B.sqlite", "--format", "json", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let json = try run.json()
      #expect(json["schema"] as? String == "waystone.compare/1")
      #expect(json["equal"] as? Bool == true)
      #expect(json["sameVersion"] as? Bool == true)
    }
  }

  @Test func `one changed value changes one entity`() throws {
    try with { folder in
      let connection = try SQLiteConnection(path: "\(folder)/A.sqlite", access: .readOnly)
      let tables = try connection.rows("SELECT Z_NAME, Z_ENT FROM Z_PRIMARYKEY")
      let named = try #require(tables.first { $0[0].text == "Letter" })
      let copy = try TemporaryFolder.copy("\(folder)/A.sqlite", into: "\(folder)/ModelArchive")
      let number = try #require(named[1].integer)
      let table = try #require(try table(ofEntity: number, in: connection))
      try change(
        copy,
        "UPDATE \(table.name) SET \(table.column) = 'Sesame' "
          + "WHERE Z_PK = (SELECT MAX(Z_PK) FROM \(table.name) WHERE Z_ENT = \(number))"
      )
      let arguments = ["compare", "A.sqlite", copy]
      let run = CommandRun(arguments, in: folder)
      #expect(run.status == .answerIsNo)
      #expect(!run.output.contains("Sesame") && !run.errors.contains("Sesame"))
      #expect(run.errors.hasPrefix("error: "))
      let json = try CommandRun(arguments + ["--format", "json"], in: folder).json()
      #expect(json["equal"] as? Bool == false)
      #expect(json["differing"] as? [String] == ["Letter"])
    }
  }

  /// The table of an entity, and one of its columns of text.
  private func table(
    ofEntity number: Int64,
    in connection: borrowing SQLiteConnection
  ) throws -> (name: String, column: String)? {
    for table in try StoreSchema(of: connection).tables {
      guard Set(table.columns.map(\.name)).isSuperset(of: ["Z_PK", "Z_ENT"]) else { continue }
      let count = try connection.integer(
        "SELECT COUNT(*) FROM \(table.name) WHERE Z_ENT = \(number)"
      )
      guard count ?? 0 > 0 else { continue }
      for column in table.columns {
        let sql = "SELECT typeof(\(column.name)) FROM \(table.name) WHERE Z_ENT = \(number)"
        if try connection.rows(sql).allSatisfy({ $0[0].text == "text" }) {
          return (table.name, column.name)
        }
      }
    }
    return nil
  }

  @Test func `stores of different versions are told as such`() throws {
    try with { folder in
      try generate("v3", as: "B.sqlite", in: folder)
      let run = CommandRun("compare", "A.sqlite", "B.sqlite", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("different versions"))
      #expect(run.errors.contains("waystone migrate"))
    }
  }

  @Test(arguments: [
    (["digest", "None.sqlite"], CommandStatus.missingInput),
    (["compare", "A.sqlite", "None.sqlite"], .missingInput),
    (["compare", "A.sqlite"], .usage),
  ])
  func `what cannot be compared is no answer`(arguments: [String], status: CommandStatus) throws {
    try with { folder in
      let run = CommandRun(arguments, in: folder)
      #expect(run.status == status, "\(run.errors)")
    }
  }
}
