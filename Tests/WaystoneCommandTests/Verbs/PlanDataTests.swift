import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Plans for stores whose data decides what a step costs.
@Suite struct PlanDataTests {
  private struct Count: Equatable {
    let verdict: String
    let rows: Int
    let groups: Int?
    let keys: [Int]

    init(_ verdict: String, _ rows: Int, groups: Int? = nil, _ keys: [Int] = []) {
      self.verdict = verdict
      self.rows = rows
      self.groups = groups
      self.keys = keys
    }
  }

  /// The data's answer to each finding of a plan, by code.
  private func evidence(_ run: CommandRun) throws -> [String: Count] {
    let hops = try run.json()["hops"] as? [[String: Any]] ?? []
    var result: [String: Count] = [:]
    for finding in hops.flatMap({ $0["findings"] as? [[String: Any]] ?? [] }) {
      guard let code = finding["code"] as? String,
        let evidence = finding["evidence"] as? [String: Any]
      else { continue }
      result[code] = Count(
        evidence["verdict"] as? String ?? "",
        evidence["rows"] as? Int ?? -1,
        groups: evidence["groups"] as? Int,
        evidence["keys"] as? [Int] ?? []
      )
    }
    return result
  }

  private static let faults = [
    "WS302": Count("refuted", 2, [50, 51]),
    "WS310": Count("refuted", 4, [31, 32, 33, 34]),
    "WS313": Count("refuted", 3, [4, 9, 17]),
    "WS314": Count("refuted", 5, groups: 2, [1, 2, 20, 21, 22]),
  ]

  @Test(arguments: ["v1", "v2"])
  func `rows that stand against a plan are counted, also for a later hop`(version: String) throws {
    try TemporaryFolder.with { folder in
      let books = try ShelvedBooks(in: folder)
      let store = try books.store(version, "faulty", changed: ShelvedBooks.faults)
      let before = TemporaryFolder.bytes(of: store)
      let arguments = ["plan", store, "--to", "v3", "--models", books.models, "--history"]
      let run = CommandRun(arguments + ["--format", "json"])
      #expect(try evidence(run) == Self.faults)
      #expect(run.status == .answerIsNo)
      #expect(!run.output.contains("secret") && !run.output.contains("70000"))
      #expect(TemporaryFolder.bytes(of: store) == before)
      let text = CommandRun(["plan", "faulty.sqlite"] + arguments.dropFirst(2), in: folder)
      let said = text.output.replacing(folder, with: "…")
      let mismatch = Golden.mismatch(said, "plan-data-\(version).txt")
      #expect(mismatch == nil, "\(mismatch ?? "")")
    }
  }

  @Test(arguments: ["v1", "v2"])
  func `the same plan on a clean store is proven safe`(version: String) throws {
    try TemporaryFolder.with { folder in
      let books = try ShelvedBooks(in: folder)
      let store = try books.store(version, "clean")
      let arguments = ["--to", "v3", "--models", books.models, "--history"]
      let run = CommandRun(["plan", store] + arguments + ["--format", "json"])
      #expect(run.status == .success)
      #expect(try evidence(run).values.allSatisfy { $0.verdict == "proven" && $0.rows == 0 })
      #expect(try evidence(run).keys.sorted() == Self.faults.keys.sorted())
      let worst = try run.json()["worst"] as? String
      #expect(worst == (version == "v1" ? "additive" : "exact"))
      let text = CommandRun(["plan", "clean.sqlite"] + arguments, in: folder)
      let mismatch = Golden.mismatch(text.output, "plan-proven-\(version).txt")
      #expect(mismatch == nil, "\(mismatch ?? "")")
      let migrated = CommandRun(["migrate", store] + arguments)
      #expect(migrated.status == .success, "\(migrated.errors)")
    }
  }

  @Test func `a run is refused before anything is copied, with the same counts`() throws {
    try TemporaryFolder.with { folder in
      let books = try ShelvedBooks(in: folder)
      let store = try books.store("v1", "faulty", changed: ShelvedBooks.faults)
      let before = TemporaryFolder.bytes(of: store)
      let run = CommandRun(
        "migrate",
        store,
        "--to",
        "v3",
        "--models",
        books.models,
        "--history",
        "--progress",
        "ndjson"
      )
      #expect(run.status == .migrationFailed)
      #expect(run.errors.contains("WS313: in Book.heading, 3 rows have no value; keys 4, 9, 17"))
      #expect(!run.errors.contains("copying"))
      #expect(TemporaryFolder.bytes(of: store) == before)
    }
  }

  @Test func `a plan without a store asks nothing`() throws {
    try TemporaryFolder.with { folder in
      let books = try ShelvedBooks(in: folder)
      let run = CommandRun("plan", "v2", "--to", "v3", "--models", books.models, "--format", "json")
      #expect(run.status == .success)
      #expect(try evidence(run).isEmpty)
      #expect(try run.json()["worst"] as? String == "lossy")
      #expect(try run.json()["diskNeeded"] == nil)
    }
  }
}
