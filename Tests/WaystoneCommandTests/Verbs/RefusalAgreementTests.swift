import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing
import Waystone
import WaystoneCommand

/// Each verb and the library answer alike whether a run takes a store, and by the same code.
@Suite struct RefusalAgreementTests {
  /// An answer: whether the store may run, and the codes that stand against it.
  private struct Answer {
    let verb: String
    let mayRun: Bool
    let codes: Set<String>
    let words: String

    init(_ verb: String, mayRun: Bool, _ codes: Set<String>, _ words: String) {
      (self.verb, self.mayRun, self.codes, self.words) = (verb, mayRun, codes, words)
    }

    /// The answer of a verb whose report is a JSON object, or an error is.
    init(_ verb: String, _ run: CommandRun) throws {
      let json =
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
      self.init(
        verb,
        mayRun: run.status == .success,
        Self.codes(in: json),
        run.output + run.errors
      )
    }

    /// The codes of errors anywhere in a report.
    private static func codes(in value: Any) -> Set<String> {
      if let list = value as? [Any] { return Set(list.flatMap { codes(in: $0) }) }
      guard let object = value as? [String: Any] else { return [] }
      var found = Set(object.values.flatMap { codes(in: $0) })
      let isFailure = object["schema"] as? String == "waystone.error/1"
      // Where the app migrates the stores, what Waystone alone lacks is a note.
      let isLacking = object["rule"] as? String == "unresolvedPolicy"
      if isFailure || isLacking || object["severity"] as? String == "error",
        let code = object["code"] as? String
      {
        found.insert(code)
      }
      return found
    }
  }

  private func batch(_ words: [String], in folder: String) throws -> Answer {
    let run = try ProcessRun(["batch", "in", "--output", "out"] + words, in: folder)
    let rows = try AppDatabase("\(folder)/out/batch.waystone.sqlite")
      .rows("SELECT state, code FROM store")
    return Answer(
      "batch",
      mayRun: rows.first?.first?.text == "migrated",
      Set(rows.compactMap { $0.last?.text }),
      "\(rows) \(run.output)\(run.errors)"
    )
  }

  private func forecast(_ words: [String], in folder: String) throws -> Answer {
    let arguments = ["batch", "in", "--dry-run", "--format", "json", "--output", "dry"] + words
    let run = try ProcessRun(arguments, in: folder)
    let json =
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
    let versions = json["versions"] as? [[String: Any]] ?? []
    let refusals = versions.flatMap { $0["refusals"] as? [[String: Any]] ?? [] }
    let states = versions.compactMap { $0["states"] as? [String: Int] }
    return Answer(
      "batch --dry-run",
      mayRun: states == [["migrated": 1]],
      Set(refusals.compactMap { $0["code"] as? String }),
      run.output + run.errors
    )
  }

  private func library(_ store: AwkwardStore, in folder: String) -> Answer {
    do {
      let models = try ModelArchive(contentsOf: URL(filePath: store.models(in: folder)))
      let found = try Store(reading: URL(filePath: "\(folder)/in/s.sqlite"))
      var options = MigrationOptions()
      if store.hop != nil { options.mappings = ["\(folder)/v1-to-v2.hop.yml"] }
      let plan = try models.plan(for: found, to: VersionName(store.to), options)
      return Answer(
        "library",
        mayRun: plan.isSafe,
        Set(plan.blockers.findings.map(\.code.rawValue)),
        "\(plan.blockers)"
      )
    } catch {
      let error = WaystoneError(error)
      return Answer("library", mayRun: false, [error.reason], "\(error)")
    }
  }

  @Test(arguments: AwkwardStore.all)
  func `all verbs and the library give one answer about a store`(_ store: AwkwardStore) throws {
    try TemporaryFolder.with { folder in
      try store.write(in: folder)
      let path = "\(folder)/in/s.sqlite"
      let before = TemporaryFolder.bytes(of: path)
      let models = ["--models", store.models(in: folder)]
      let ends = ["--to", store.to] + models
      func run(_ words: String...) -> CommandRun {
        CommandRun(words + ends + ["--format", "json"], in: folder)
      }
      var answers = [
        try Answer("plan", run("plan", path)),
        try Answer("migrate --dry-run", run("migrate", path, "-o", "o.sqlite", "--dry-run")),
        try Answer("coverage", run("coverage", path)),
        try Answer(
          "coverage --run",
          run("coverage", path, "--run", "--rows", "5")
        ),
        library(store, in: folder),
        try forecast(ends, in: folder),
        try batch(ends, in: folder),
      ]
      answers.append(try Answer("migrate", run("migrate", path, "-o", "o.sqlite")))
      for answer in answers {
        #expect(answer.mayRun == (store.code == nil), "\(answer.verb): \(answer.words)")
        guard let code = store.code else { continue }
        // A store that cannot be read has no plan: coverage and the search of a batch report it in words.
        let hasCode =
          code.hasPrefix("WS") || !answer.codes.isEmpty && !answer.verb.hasPrefix("coverage")
        #expect(!hasCode || answer.codes.contains(code), "\(answer.verb): \(answer.words)")
        #expect(!answer.words.contains("eport this"), "\(answer.verb): \(answer.words)")
      }
      #expect(TemporaryFolder.bytes(of: path) == before)
    }
  }
}
