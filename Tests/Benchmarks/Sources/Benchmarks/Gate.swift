#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The short measurement for CI: counts, which are the same on every machine, and three ratios of
/// processor time, with room for a busy one.
struct Gate {
  let waystone: String
  /// The program with the policy; nil where it was not built.
  let policies: String?
  /// The library that counts calls; nil where they are not counted.
  let library: String?
  let own: String
  let folder: String

  /// A figure and the most that it may be.
  private struct Figure {
    let name: String
    let value: Double
    let limit: Double

    var isKept: Bool { value <= limit }
  }

  /// Bytes read, in sizes of the store, by one added attribute.
  static let readLimit = 2.5
  /// Calls of `pread` for the same, in pages of the store.
  static let pageLimit = 1.0
  /// Statements prepared by a hop of 19 rows.
  static let statementLimits = (inferred: 250.0, policy: 360.0)
  /// Calls of `fsync` and `fdatasync` by the same.
  static let syncLimits = (inferred: 30.0, policy: 30.0)
  /// Statements that a hop of many rows prepares more than one of 19.
  static let growthLimit = 50.0
  /// Calls of `malloc`, `calloc` and `realloc` for each row of the policy hop.
  static let allocationLimit = 20.0
  /// Processor time of six hops, in passes of SQL by hand.
  static let passLimit = 1.5
  /// Processor time of a hop in SQL, in bare loops over the same rows.
  static let loopLimit = 2.0
  /// Processor time of the plan for a store in a long history, in plans for its version alone.
  static let planLimit = 3.0

  static let countedRows = 100_000
  static let timedRows = 200_000
  static let runs = 5

  /// Measures, prints all figures, and names those over their limit.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    guard let policies else { throw BenchmarkError("the gate needs --policies") }
    let hop = PolicyHop(program: policies, waystone: waystone, folder: folder)
    let figures = try counts(hop) + [passRatio(), loopRatio(hop), planRatio()]
    var table = AlignedTable([["figure", "value", "limit", ""]])
    for figure in figures {
      table.append([
        figure.name, ResultTable.text(figure.value), ResultTable.text(figure.limit),
        figure.isKept ? "ok" : "OVER",
      ])
    }
    print(table.text(leadingColumns: [0, 3]))
    let grown = figures.filter { !$0.isKept }
    for figure in grown {
      print(
        """
        error: \(figure.name) grew to \(ResultTable.text(figure.value)); \
        the limit is \(ResultTable.text(figure.limit))
        """
      )
    }
    return grown.isEmpty
  }

  private func counts(_ hop: PolicyHop) throws -> [Figure] {
    guard let library else {
      #if os(Linux)
        throw BenchmarkError("the gate needs --calls")
      #else
        print("Calls are counted on Linux only: the gate has its three ratios.")
        return []
      #endif
    }
    // A slow disk would have a hop commit more often.
    let memory = try MemoryFolder(else: folder)
    defer { memory.remove() }
    let smallHop = PolicyHop(program: hop.program, waystone: waystone, folder: memory.path)
    let small = try smallHop.makeStore(rows: SmallStoreBenchmark.rows)
    let large = try hop.makeStore(rows: Self.countedRows)
    defer { try? FileManager.default.removeItem(atPath: large) }
    let pages = Double(try Database.rows(of: "PRAGMA page_count", in: large).first?[0] ?? "") ?? 0
    let pageSize = Double(try Database.rows(of: "PRAGMA page_size", in: large).first?[0] ?? "") ?? 0
    guard pages > 0, pageSize > 0 else { throw BenchmarkError("\(large) has no pages") }
    let inferred = try smallHop.countInferred(small, library: library)
    let inferredLarge = try hop.countInferred(large, library: library)
    let policy = try smallHop.count("policy", small, library: library)
    let policyLarge = try hop.count("policy", large, library: library)
    let sql = try smallHop.count("sql", small, library: library)
    let sqlLarge = try hop.count("sql", large, library: library)
    let allocations =
      Double(policyLarge.allocations - policy.allocations) / Double(Self.countedRows)
    func growth(_ small: CallCount, _ large: CallCount) -> Double {
      Double(large.statements - small.statements)
    }
    return [
      Figure(
        name: "bytes read by one added attribute, in sizes of the store",
        value: Double(inferredLarge.readBytes) / (pages * pageSize),
        limit: Self.readLimit
      ),
      Figure(
        name: "page reads of one added attribute, in pages of the store",
        value: Double(inferredLarge.reads) / pages,
        limit: Self.pageLimit
      ),
      Figure(
        name: "statements of an inferred hop of 19 rows",
        value: Double(inferred.statements),
        limit: Self.statementLimits.inferred
      ),
      Figure(
        name: "statements of a policy hop of 19 rows",
        value: Double(policy.statements),
        limit: Self.statementLimits.policy
      ),
      Figure(
        name: "statements more of an inferred hop of \(Self.countedRows) rows",
        value: growth(inferred, inferredLarge),
        limit: Self.growthLimit
      ),
      Figure(
        name: "statements more of a policy hop of \(Self.countedRows) rows",
        value: growth(policy, policyLarge),
        limit: Self.growthLimit
      ),
      Figure(
        name: "statements more of an sql hop of \(Self.countedRows) rows",
        value: growth(sql, sqlLarge),
        limit: Self.growthLimit
      ),
      Figure(
        name: "fsyncs of an inferred hop of 19 rows",
        value: Double(inferred.syncs),
        limit: Self.syncLimits.inferred
      ),
      Figure(
        name: "fsyncs of a policy hop of 19 rows",
        value: Double(policy.syncs),
        limit: Self.syncLimits.policy
      ),
      Figure(
        name: "allocations for each row of a policy hop",
        value: allocations,
        limit: Self.allocationLimit
      ),
    ]
  }

  /// Six hops in one pass against the same by hand.
  private func passRatio() throws -> Figure {
    let comparison = ComparisonBenchmark(
      waystone: waystone,
      own: own,
      python: nil,
      library: nil,
      folder: folder,
      rows: Self.timedRows,
      runs: Self.runs,
      isLarge: false
    )
    let series = try comparison.measure(
      .narrow,
      rows: Self.timedRows,
      hops: [ComparisonBenchmark.middle],
      only: [.fused, .pass]
    )
    guard let ratio = series.last?.ratio(of: .fused, to: .pass, \.processor) else {
      throw BenchmarkError("six hops were not measured")
    }
    return Figure(name: "CPU of six hops, in passes by hand", value: ratio, limit: Self.passLimit)
  }

  /// The plan for a store against that for its version.
  private func planRatio() throws -> Figure {
    let plans = StorePlanBenchmark(waystone: waystone, folder: folder, runs: Self.runs)
    return Figure(
      name: "the plan for a store in a long history, in plans for its version",
      value: try plans.planRatio(),
      limit: Self.planLimit
    )
  }

  /// A hop in SQL against a bare loop.
  private func loopRatio(_ hop: PolicyHop) throws -> Figure {
    let store = try hop.makeStore(rows: Self.timedRows)
    defer { try? FileManager.default.removeItem(atPath: store) }
    let ratios = try (0..<Self.runs).map { _ in
      let result = "\(folder)/loop.sqlite"
      defer { try? FileManager.default.removeItem(atPath: result) }
      let loop = try Measurement.running(own, ["loop", "ZNOTE", store, result])
      return try hop.run("sql", store).processor / loop.processor
    }
    return Figure(
      name: "CPU of an sql hop, in bare loops",
      value: ResultTable.median(ratios),
      limit: Self.loopLimit
    )
  }
}
