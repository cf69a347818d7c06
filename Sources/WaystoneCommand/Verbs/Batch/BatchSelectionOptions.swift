internal import ArgumentParser
internal import BatchMigration
internal import Waystone

/// The options that select stores of a batch.
struct BatchSelectionOptions: ParsableArguments {
  @Option(
    name: .customLong("only-version"),
    help: ArgumentHelp(
      "Migrate stores of this version alone; may be repeated.",
      valueName: "version"
    )
  )
  var versions: [String] = []

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Migrate stores alone of which this is true; may be repeated, and then all must be.",
      discussion: "`name=*/Documents/*` by the name that reports show, `size<10MB` or `size>=1MB`.",
      valueName: "condition"
    )
  )
  var conditions: [String] = []

  @Option(
    help: ArgumentHelp(
      "Migrate the part I of N; auto asks Slurm, Kubernetes, AWS Batch or GNU parallel.",
      discussion:
        "The parts are disjoint and about equal: each store's name decides. Each has a ledger of its "
        + "own; `waystone batch merge` puts them together. auto/N takes the task's number from the "
        + "scheduler, and N parts: then one task of an array can be submitted again alone.",
      valueName: "i/n"
    )
  )
  var shard: String?

  /// Returns the part of the stores, where an option or a scheduler's variables name one.
  ///
  /// - Throws: ``WaystoneError`` where the process is a task of an array and no option decides whether
  ///   it takes a part.
  func part(_ environment: [String: String]) throws -> BatchShard? {
    let task = JobArrayTask(environment)
    guard let shard else {
      guard let task else { return nil }
      throw WaystoneError(
        .badArgument,
        "This process is one task of \(task.scheduler), and nothing says which stores are its own.",
        recovery: "Take its part with --shard auto, or all stores with --shard 1/1."
      )
    }
    let words = shard.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    if words.first == "auto" {
      let count = words.count == 2 ? Int(words[1]) : nil
      guard words.count == 1 || count != nil else { throw Self.misunderstood(shard) }
      guard let task else {
        throw WaystoneError(
          .badArgument,
          "No variable of a scheduler says which part of the stores is this process's.",
          recovery: "Name the part: --shard 1/8."
        )
      }
      return try task.shard(of: count)
    }
    guard let part = BatchShard(shard) else { throw Self.misunderstood(shard) }
    return part
  }

  private static func misunderstood(_ shard: String) -> WaystoneError {
    WaystoneError(
      .badArgument,
      "\(shard) is no part.",
      recovery: "Name it as 3/8: the third of eight. Or auto, or auto/8."
    )
  }

  /// Returns the versions asked for, by the names that workers use.
  ///
  /// - Throws: ``WaystoneError``, `unknownVersion` or `ambiguousVersion`, where no model has one.
  func versions(in projects: [Project]) throws -> [String] {
    var found: Set<String> = []
    for name in versions {
      var refusal: WaystoneError?
      var isKnown = false
      for project in projects {
        do throws(WaystoneError) {
          found.insert(project.names.name(of: try project.names.version(name)))
          isKnown = true
        } catch {
          refusal = refusal ?? error
        }
      }
      if !isKnown, let refusal { throw refusal }
    }
    return found.sorted()
  }

  /// The stores of a ledger that are meant.
  var ledgerSelection: LedgerSelection {
    get throws {
      var selection = LedgerSelection(order: .largestFirst)
      for condition in conditions { try StoreCondition(condition).apply(to: &selection) }
      return selection
    }
  }
}
