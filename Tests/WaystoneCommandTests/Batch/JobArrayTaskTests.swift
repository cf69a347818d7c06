import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The part of a batch that a task of an array takes, by its scheduler's variables.
@Suite struct JobArrayTaskTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/old",
      withIntermediateDirectories: false
    )
  }

  /// Runs a batch on a folder without stores.
  private func run(_ environment: [String: String], _ more: String...) -> CommandRun {
    CommandRun(
      ["batch", "old", "--models", SampleArchive.root, "--output", "out"] + more,
      in: folder.path,
      environment: environment
    )
  }

  /// The part for which the only ledger is.
  private func part() throws -> String? {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out")
    let ledgers = names.filter { $0.hasSuffix(".waystone.sqlite") }
    try #require(ledgers.count == 1, "\(names)")
    let shard = try AppDatabase("\(folder.path)/out/\(ledgers[0])").rows("SELECT shard FROM batch")
    let text = shard.first?[0].text
    let name = text.map { "-" + $0.replacingOccurrences(of: "/", with: "-of-") } ?? ""
    #expect(ledgers[0] == "batch\(name).waystone.sqlite")
    return text
  }

  private static func slurm(_ task: Int, of tasks: ClosedRange<Int>, count: Int? = nil) -> [String:
    String]
  {
    [
      "SLURM_ARRAY_TASK_ID": "\(task)", "SLURM_ARRAY_TASK_MIN": "\(tasks.lowerBound)",
      "SLURM_ARRAY_TASK_MAX": "\(tasks.upperBound)",
      "SLURM_ARRAY_TASK_COUNT": "\(count ?? tasks.count)",
    ]
  }

  private static let known: [(environment: [String: String], shard: String, part: String)] = [
    (slurm(1, of: 1...4), "auto", "1/4"),
    (slurm(4, of: 1...4), "auto", "4/4"),
    (slurm(0, of: 0...3), "auto", "1/4"),
    (slurm(3, of: 0...3), "auto", "4/4"),
    (slurm(3, of: 3...3), "auto/4", "3/4"),
    (slurm(4, of: 2...4, count: 2), "auto/4", "4/4"),
    (["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "8"], "auto", "1/8"),
    (["JOB_COMPLETION_INDEX": "7", "JOB_COMPLETIONS": "8"], "auto", "8/8"),
    (["JOB_COMPLETION_INDEX": "7"], "auto/8", "8/8"),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "5"], "auto", "3/5"),
    (["PARALLEL_SEQ": "2", "PARALLEL_TOTAL": "3"], "auto", "2/3"),
    (["PARALLEL_SEQ": "3"], "auto/3", "3/3"),
  ]

  @Test(arguments: known)
  func `a task takes the part that its number says`(
    environment: [String: String],
    shard: String,
    part: String
  ) throws {
    let run = run(environment, "--shard", shard)
    #expect(run.status == .success, "\(run.errors)")
    #expect(try self.part() == part)
  }

  private static let unknown: [(environment: [String: String], shard: String, word: String)] = [
    // A task that was submitted again alone is told that it is one of one.
    (slurm(3, of: 3...3), "auto", "--shard auto/8"),
    (slurm(7, of: 1...7, count: 3), "auto", "--shard auto/8"),
    (["SLURM_ARRAY_TASK_ID": "3"], "auto", "--shard auto/8"),
    (slurm(3, of: 0...3), "auto/4", "none of the tasks 1 to 4"),
    (slurm(5, of: 5...5), "auto/4", "none of the tasks 1 to 4"),
    (["JOB_COMPLETION_INDEX": "0"], "auto", "--shard auto/8"),
    (["JOB_COMPLETION_INDEX": "8", "JOB_COMPLETIONS": "8"], "auto", "--shard auto/8"),
    (["JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "8"], "auto/4", "JOB_COMPLETIONS says 8"),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "2"], "auto", "--shard auto/8"),
    (["PARALLEL_SEQ": "2"], "auto", "--shard auto/8"),
    (["PARALLEL_SEQ": "0", "PARALLEL_TOTAL": "2"], "auto", "--shard auto/8"),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "9223372036854775807"], "auto/4", "none of the tasks"),
    ([:], "auto", "--shard 1/8"),
    ([:], "auto/4", "--shard 1/8"),
    ([:], "auto/", "auto/ is no part"),
    ([:], "5/4", "5/4 is no part"),
  ]

  @Test(arguments: unknown)
  func `a task whose part nobody says does nothing`(
    environment: [String: String],
    shard: String,
    word: String
  ) {
    let run = run(environment, "--shard", shard)
    #expect(run.status == .usage)
    #expect(run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(word))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/out"))
  }

  @Test func `a task that is not told to take a part takes none, and not all`() throws {
    let run = run(Self.slurm(1, of: 1...4))
    #expect(run.status == .usage)
    #expect(run.errors.contains("--shard auto"))
    #expect(self.run([:]).status == .success)
    #expect(try part() == nil)
  }

  @Test func `a tree is divided in one way`() throws {
    #expect(run([:], "--shard", "1/4").status == .success)
    for shard in [["--shard", "1/2"], ["--shard", "2/3"], []] {
      let other = CommandRun(
        ["batch", "old", "--models", SampleArchive.root, "--output", "out"] + shard,
        in: folder.path
      )
      #expect(other.status == .usage)
      #expect(other.errors.contains("batch-1-of-4.waystone.sqlite"))
    }
    #expect(run([:], "--shard", "2/4").status == .success)
    // What the parts were merged into may lie beside them.
    let ledgers = [1, 2].map { "out/batch-\($0)-of-4.waystone.sqlite" }
    let merged = CommandRun(
      ["batch", "merge"] + ledgers + ["--into", "out/batch.waystone.sqlite"],
      in: folder.path
    )
    #expect(merged.status == .success, "\(merged.errors)")
    #expect(run([:], "--shard", "3/4").status == .success)
  }

  @Test func `a tree that was begun as a whole is not divided`() {
    #expect(run([:]).status == .success)
    #expect(run([:], "--shard", "1/4").status == .usage)
    #expect(run([:]).status == .success)
  }
}
