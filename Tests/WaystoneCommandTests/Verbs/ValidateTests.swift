import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// `validate`, on stores of models of our own.
@Suite struct ValidateTests {
  /// Runs a closure in a folder with `A.sqlite` of Letters v2 and the models beside it.
  private func with(_ body: (_ folder: String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try FileManager.default.copyItem(
        atPath: SampleArchive.root,
        toPath: "\(folder)/ModelArchive"
      )
      let run = CommandRun(
        ["generate", "Letters/v2", "--rows", "50", "--seed", "5", "-o", "A.sqlite"],
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      try body(folder)
    }
  }

  private func change(_ store: String, _ sql: String) throws {
    let connection = try AppDatabase(store)
    try connection.execute(sql)
    #expect(connection.totalChanges > 0)
  }

  @Test func `a sound store is valid`() throws {
    try with { folder in
      let run = CommandRun("validate", "A.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.output.contains("valid  50 objects"))
      let json = try CommandRun("validate", "A.sqlite", "--format", "json", in: folder).json()
      #expect(json["schema"] as? String == "waystone.validate/1")
      #expect(json["passed"] as? Bool == true)
      #expect(json["objects"] as? Int == 50)
      #expect((json["violations"] as? [Any])?.isEmpty == true)
    }
  }

  @Test func `what is broken is told without a value, and the status is 1`() throws {
    try with { folder in
      try change("\(folder)/A.sqlite", "UPDATE ZLETTER SET ZHEADING = NULL WHERE Z_PK = 1")
      let before = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/A.sqlite"))
      let run = CommandRun("validate", "A.sqlite", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("WS601  Letter.heading: 1 object lack"))
      #expect(run.output.contains("(primary keys 1)"))
      #expect(run.errors.contains("waystone rules"))
      let json = try CommandRun("validate", "A.sqlite", "--format", "json", in: folder).json()
      let violations = try #require(json["violations"] as? [[String: Any]])
      #expect(violations.count == 1)
      #expect(violations[0]["code"] as? String == "WS601")
      #expect(violations[0]["primaryKeys"] as? [Int] == [1])
      let after = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/A.sqlite"))
      #expect(before == after)
    }
  }

  @Test func `the store's own model does where there is no archive`() throws {
    try with { folder in
      try FileManager.default.removeItem(atPath: "\(folder)/ModelArchive")
      let run = CommandRun("validate", "A.sqlite", in: folder)
      #expect(run.status == .success)
      #expect(run.output.hasPrefix("A.sqlite against the model in the store"))
      try change("\(folder)/A.sqlite", "DELETE FROM Z_MODELCACHE")
      let unknown = CommandRun("validate", "A.sqlite", in: folder)
      #expect(unknown.status == .noPath)
      #expect(unknown.errors.contains("carries no model of its own"))
      #expect(CommandRun("validate", "B.sqlite", in: folder).status == .missingInput)
    }
  }
}
