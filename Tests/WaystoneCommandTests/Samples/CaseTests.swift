import Foundation
import MigrationPlanning
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The projects of `Cases`, whose verdicts and migrations were wrong once.
@Suite struct CaseTests {
  private static let root =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Cases"

  @Test func `each project has its case`() {
    let folders = TemporaryFolder.names(in: Self.root).filter { $0 != "README.md" }
    #expect(folders == RightedCase.all.map(\.name))
  }

  @Test(arguments: RightedCase.all) func `a project is told of and migrated rightly`(
    project: RightedCase
  ) throws {
    try with(project) { folder in
      for run in project.runs {
        if let (file, text) = run.change {
          try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
          if let text { try SketchedModel.write(text, to: "\(folder)/\(file)") }
        }
        let result = CommandRun(run.arguments, in: folder)
        let command = run.arguments.joined(separator: " ")
        #expect(
          result.status.rawValue == run.status,
          "\(command): \(result.output)\(result.errors)"
        )
        let words = "\(result.words) \(result.errors)"
        for text in run.says { #expect(words.contains(text), "\(command): \(words)") }
        for text in run.never { #expect(!words.contains(text), "\(command): \(words)") }
      }
      for (file, query, count) in project.counts {
        let store = try SQLiteConnection(path: "\(folder)/\(file)", access: .readOnly)
        #expect(try store.count(query) == count, "\(file): \(query)")
      }
    }
  }

  @Test func `the plan for a store costs least, and what is shown is its cost`() throws {
    let project = try #require(RightedCase.all.first { $0.name == "not-least-for-store" })
    try with(project) { folder in
      func costs(_ value: [String: Any]) throws -> [Int] {
        let cost = try #require(value["cost"] as? [String: Any])
        return try PlanCost.Part.allCases.map { try #require(cost[$0.rawValue] as? Int) }
      }
      let plan = try CommandRun("plan", "s.sqlite", "--to", "v6", "--format", "json", in: folder)
        .json()
      let told = try CommandRun("explain", "s.sqlite", "v6", "--format", "json", in: folder).json()
      let chosen = try costs(plan)
      #expect(try costs(told) == chosen)
      let hops = try #require(plan["hops"] as? [[String: Any]])
      let drops = hops.flatMap { $0["findings"] as? [[String: Any]] ?? [] }.filter {
        $0["risk"] as? String == "lossy" && $0["severity"] as? String == "warning"
      }
      let isOf = PlanCost.Part.allCases.firstIndex(of: .lossyFindings)
      #expect(isOf.map { chosen[$0] } == drops.count)
      #expect(chosen[PlanCost.Part.allCases.count - 2] == hops.count)
      let others = try #require(told["alternatives"] as? [[String: Any]])
      #expect(others.count == 3)
      for other in others {
        #expect(chosen.lexicographicallyPrecedes(try costs(other)), "\(other["path"] ?? "")")
      }
    }
  }

  /// Lends a copy of a project, with a store of `v1`, and one in which all links of a to-one lead to one
  /// object.
  private func with(_ project: RightedCase, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { parent in
      let folder = "\(parent)/\(project.name)"
      try FileManager.default.copyItem(atPath: "\(Self.root)/\(project.name)", toPath: folder)
      if project.runs.contains(where: { $0.arguments.contains("s.sqlite") }) {
        let made = CommandRun(
          "generate",
          "v1",
          "--rows",
          "60",
          "--seed",
          "1",
          "-o",
          "s.sqlite",
          in: folder
        )
        try #require(made.status == .success, "\(made.errors)")
      }
      if project.runs.contains(where: { $0.arguments.contains("shared.sqlite") }) {
        try FileManager.default.copyItem(
          atPath: "\(folder)/s.sqlite",
          toPath: "\(folder)/shared.sqlite"
        )
        // In one store no two objects share the object that they lead to, in the other all do.
        for (name, key) in [("s", "Z_PK"), ("shared", "(SELECT MIN(Z_PK) FROM ZB)")] {
          let store = try SQLiteConnection(path: "\(folder)/\(name).sqlite", access: .readWrite)
          try store.execute("UPDATE ZA SET ZB = \(key)")
        }
      }
      try body(folder)
    }
  }
}
