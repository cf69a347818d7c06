import BatchMigration
import Foundation
import MigrationTestSupport
import Testing
import Waystone
import WaystoneCommand

/// Every JSON output has a published schema; ``CommandRun/json()`` holds those of all tests against it.
@Suite struct JSONSchemaTests {
  private static let tests = SampleArchive.root + "/../Tests"

  private static let goldens = ["WaystoneCommandTests", "MigrationReportingTests"]
    .flatMap { target in
      ((try? FileManager.default.contentsOfDirectory(atPath: "\(tests)/\(target)/Goldens")) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted().map { "\(target)/Goldens/\($0)" }
    }

  @Test func `there are goldens`() { #expect(Self.goldens.count > 20) }

  @Test(arguments: goldens)
  func `a golden is as its schema says`(path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(Self.tests)/\(path)"))
    let json = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    #expect(JSONSchema.mistakes(inOutput: json) == [])
  }

  @Test func `what each verb says of the samples is as its schema says`() throws {
    try SampleWalk.with { walk in
      try walk.generate("Letters/v1", as: "L.sqlite")
      try BatchVerbTests.make("\(walk.folder)/b.ledger", [.migrated, .failed])
      let runs = [
        ["inspect", "L.sqlite"], ["inspect", "ModelArchive/Library.v1-v2.hop.yml"],
        ["versions", "--lint"], ["graph", "--paths"], ["diff", "Letters/v1", "Letters/v4"],
        ["plan", "L.sqlite", "--to", "Letters/v4"], ["plan", "Notes/v1", "--to", "Notes/v4"],
        ["explain", "Letters/v1", "Letters/v4"], ["check"], ["coverage"], ["heads"], ["prune"],
        ["lock", "--lock", "other.lock"], ["rules"], ["verify", "L.sqlite"],
        ["validate", "L.sqlite"], ["query", "L.sqlite", "Letter limit 3"],
        ["digest", "L.sqlite"], ["compare", "L.sqlite", "L.sqlite"],
        ["generate", "Library/v1", "-o", "B.sqlite"],
        ["export", "Letters/v1", "-o", "E.xcdatamodel"],
        ["freeze", "SchemaV1", "--from", "Notes/v1"],
        ["init"], ["init", "--hop", "Notes/v1", "Notes/v2", "-o", "N.hop.yml"],
        ["migrate", "L.sqlite", "--to", "Letters/v4"], ["resume", "L.sqlite"],
        ["rollback", "L.sqlite", "--list"], ["clean", "L.sqlite"], ["finish", "L.sqlite"],
        ["rollback", "L.sqlite"], ["plan", "nothing"],
        ["batch", "report", "--ledger", "b.ledger"],
        ["batch", "retry", "--ledger", "b.ledger", "--state", "failed"],
        ["batch", "merge", "b.ledger", "--into", "all.ledger"],
      ]
      var seen: Set<String> = []
      for arguments in runs {
        let run = CommandRun(
          arguments + ["--format", "json"],
          in: walk.folder,
          registry: SampleWalk.allRegistry
        )
        let json = try run.json()
        seen.insert(json["schema"] as? String ?? "")
        #expect(
          arguments.contains("nothing") == (json["schema"] as? String == "waystone.error/1"),
          "\(arguments): \(run.output)"
        )
      }
      let published = try FileManager.default.contentsOfDirectory(atPath: JSONSchema.folder)
        .filter { $0.hasSuffix("-1.schema.json") }.map { "\($0.dropLast(14))/1" }
      // Those of a batch that starts processes are held by the tests of that.
      let others = [
        "shared", "certificate", "progress", "batch-forecast", "batch-verify",
        "batch-export-failures",
        "batch-progress",
      ].map { "waystone.\($0)/1" }
      #expect(seen.union(others) == Set(published))
    }
  }

  @Test(
    arguments: [
      ("hops", 1 as Any, "$.hops: no array"), ("more", true, "$.more: not in the schema"),
      ("worst", "bad", "$.worst: none of the enum"),
      ("findings", [["code": 1]], "$.findings[0].code: no string"),
      ("cost", ["hops": 1.5], "$.cost.hops: no integer"),
    ].map { ($0.0, Box(value: $0.1), $0.2) }
  )
  fileprivate func `a schema notices`(member: String, value: Box, mistake: String) throws {
    try SampleWalk.with { walk in
      let run = CommandRun(
        "plan",
        "Letters/v1",
        "--to",
        "Letters/v4",
        "--format",
        "json",
        in: walk.folder
      )
      let json = try run.json().merging([member: value.value]) { $1 }
      #expect(JSONSchema.mistakes(inOutput: json).contains(mistake))
    }
  }
}

/// A value of JSON as an argument of a test.
private struct Box: @unchecked Sendable {
  let value: Any
}
