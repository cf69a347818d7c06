#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A history and all that contenders need of it beforehand: models, scripts and projects.
struct PreparedHistory {
  /// The number of its steps; 0 for the floors, which need none.
  let hops: Int
  let folder: String
  let programs: ComparisonBenchmark
  private let history: ComparedHistory
  /// The digest that all results must have; known after ``prepare(_:)``.
  private var digest: ResultDigest?
  private var columns: [String] = []

  /// Writes the models of a history below a new folder.
  init(_ shape: Shape, hops: Int, programs: ComparisonBenchmark) throws {
    self.hops = hops
    self.programs = programs
    history = ComparedHistory(shape: shape, steps: hops)
    folder = "\(programs.folder)/history-\(hops)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try history.write(to: archive)
    try history.writeSteps(to: steps)
  }

  var archive: String { "\(folder)/history.xcdatamodeld" }
  private var steps: String { "\(folder)/steps.json" }
  private var script: String { "\(folder)/pass.sql" }
  private var result: String { "\(folder)/result.sqlite" }

  /// Writes the script by hand and the peers' projects, for a store of the first version.
  mutating func prepare(_ store: String) throws {
    guard hops > 0 else { return }
    defer { removeResult() }
    _ = try Measurement.running(programs.waystone, arguments(.fused, store))
    let pass = try SinglePass(
      of: store,
      like: result,
      expressions: history.expressions[hops]
    )
    try Data(pass.sql.utf8).write(to: URL(filePath: script))
    columns = try Database.rows(of: "SELECT name FROM pragma_table_info('ZNOTE')", in: result)
      .map { $0[0] }.sorted()
    digest = try ResultDigest(of: result, columns: columns)
    guard let python = programs.python else { return }
    for peer in [Contender.django, .alembic] {
      guard let script = peer.script else { continue }
      let arguments = [
        "\(ComparisonBenchmark.scripts)/\(script)", "prepare", project(peer), store, steps,
      ]
      _ = try Measurement.running(python, arguments)
    }
  }

  /// Measures one contender; what it makes is removed again.
  ///
  /// - Parameter isChecked: Whether its result is held against that of all others.
  /// - Throws: ``BenchmarkError`` where it fails, or its result is another.
  func run(
    _ contender: Contender,
    _ store: String,
    isChecked: Bool
  ) throws -> Measurement {
    defer { removeResult() }
    if contender.isPeer { try makeCopy(for: contender, of: store) }
    let measurement = try Measurement.running(
      program(contender),
      arguments(contender, store),
      printing: false
    )
    if isChecked, contender.isMigrating,
      try ResultDigest(of: result, columns: columns) != digest
    {
      throw BenchmarkError("\(contender.rawValue) does not make what Waystone makes, \(hops) hops")
    }
    return measurement
  }

  /// Counts the calls of one contender.
  func count(_ contender: Contender, _ store: String, library: String) throws -> CallCount {
    defer { removeResult() }
    return try CallCount.running(
      program(contender),
      arguments(contender, store),
      library: library,
      folder: folder
    )
  }

  private func program(_ contender: Contender) -> String {
    if contender.isPeer { return programs.python ?? "" }
    return contender.migrateOptions == nil ? programs.own : programs.waystone
  }

  private func arguments(_ contender: Contender, _ store: String) -> [String] {
    let script = "\(ComparisonBenchmark.scripts)/\(contender.script ?? "")"
    return switch contender {
    case .copy: ["copy", store, result]
    case .vacuum: ["vacuum", store, result]
    case .pass: ["sql", self.script, result]
    case .django: [script, "migrate", project(.django), result, "\(hops)"]
    case .alembic: [script, "upgrade", project(.alembic), result, "\(hops)"]
    case .sqliteUtils: [script, result, steps, "\(hops)"]
    case .fused, .fusedVerified, .stepwise, .stepwiseVerified:
      [
        "migrate", store, "--output", result, "--to", "v\(hops + 1)", "--models", archive,
        "--history", "--accept-loss", "any", "--accept-unproven-names", "--quiet",
      ] + (contender.migrateOptions ?? [])
    }
  }

  private func project(_ peer: Contender) -> String { "\(folder)/\(peer)" }

  /// A peer changes its store in place: it gets a copy, which Django has to know as its own.
  private func makeCopy(for peer: Contender, of store: String) throws {
    try Database.copy(store, to: result)
    guard peer == .django, let python = programs.python, let script = peer.script else { return }
    let arguments = ["\(ComparisonBenchmark.scripts)/\(script)", "fake", project(.django), result]
    _ = try Measurement.running(python, arguments)
  }

  private func removeResult() {
    for suffix in ["", "-wal", "-shm", "-journal", ".waystone"] {
      try? FileManager.default.removeItem(atPath: result + suffix)
    }
  }
}
