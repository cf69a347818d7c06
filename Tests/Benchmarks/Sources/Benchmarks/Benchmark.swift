#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Measures migrations of one large store in turn with `VACUUM INTO` of the same store.
///
/// Each measurement is a process of its own, so that peaks of memory do not mix. A ratio is taken
/// pair by pair, and of all pairs the median: a machine that others use is then no judge.
struct Benchmark {
  let waystone: String
  /// Another build of the command, which runs each migration too, right after this one.
  let other: String?
  let own: String
  let folder: String
  /// A store of the base version that is there already.
  let store: String?
  let rows: Int
  let runs: Int
  let steps: [Step]

  /// The figures of a step, one element a run.
  struct Series {
    var yardsticks: [Measurement] = []
    var migrations: [Measurement] = []
    var verifications: [Measurement] = []
    /// The cost of the same with the other build.
    var otherMigrations: [Measurement] = []
    var otherVerifications: [Measurement] = []
  }

  private var base: String { store ?? "\(folder)/base.sqlite" }
  private var logged: String { "\(folder)/log.sqlite" }

  /// Makes the archives and stores, measures, and prints the table.
  ///
  /// - Returns: Whether all limits hold.
  func run() throws -> Bool {
    for step in steps {
      try write(ModelText(), version: "base", of: step)
      try write(step.next, version: "next", of: step)
    }
    guard let first = steps.first else { return true }
    if store == nil { try generate(archive(first)) }
    if steps.contains(where: { $0.manner == .log }) { try makeLoggedStore() }
    var series = steps.map { _ in Series() }
    for _ in 0..<runs {
      for (index, step) in steps.enumerated() { try measure(step, into: &series[index]) }
    }
    let attributes = try FileManager.default.attributesOfItem(atPath: base)
    let size = (attributes[.size] as? any BinaryInteger).map { Int(clamping: $0) } ?? 0
    let clones = CloneProbe.canClone(in: folder)
    print(
      """
      \(rows) rows, \(size >> 20) MB, on a file system that \(clones ? "clones" : "copies") files;
      medians of \(runs) runs; xVI is the ratio to VACUUM INTO of the same store\
      \(other.map { ",\nxother that to \($0) in the same run" } ?? "")

      """
    )
    let table = ResultTable(steps: Array(zip(steps, series)))
    print(table.text)
    return table.isWithinLimits
  }

  private func measure(_ step: Step, into series: inout Series) throws {
    let result = "\(folder)/result.sqlite"
    series.yardsticks.append(try Measurement.running(own, ["vacuum", base, result]))
    try remove(result)
    series.migrations.append(try migrate(step, verify: "none", by: waystone))
    if let other {
      series.otherMigrations.append(try migrate(step, verify: "none", by: other))
    }
    guard step.isVerified else { return }
    series.verifications.append(try migrate(step, verify: "standard", by: waystone))
    if let other {
      series.otherVerifications.append(try migrate(step, verify: "standard", by: other))
    }
  }

  private func migrate(
    _ step: Step,
    verify level: String,
    by program: String
  ) throws -> Measurement {
    let result = "\(folder)/result.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm", ".waystone"] { try? remove(result + suffix) }
    }
    var arguments = [
      "--to", "next", "--models", archive(step), "--verify", level, "--accept-unproven-names",
      "--format", "json",
    ]
    switch step.manner {
    case .output: arguments = ["migrate", base, "--output", result] + arguments
    case .log: arguments = ["migrate", logged, "--output", result] + arguments
    case .inPlace:
      try FileManager.default.copyItem(atPath: base, toPath: result)
      arguments = ["migrate", result] + arguments
    }
    let printed = "\(folder)/printed.json"
    var measurement = try Measurement.running(program, arguments, output: printed)
    measurement.check = try RunStages(printedInto: printed).check
    return measurement
  }

  private func generate(_ archive: String) throws {
    let measurement = try Measurement.running(
      waystone,
      [
        "generate", "base", "--models", archive, "--rows-of", "Note=\(rows)",
        "--rows-of", "Notebook=\(rows / 1000)", "--rows-of", "Tag=\(rows / 200)", "--seed", "1",
        "--output", base, "--quiet",
      ]
    )
    print("generated in \(ResultTable.text(measurement.wall)) s")
  }

  private func makeLoggedStore() throws {
    let open = "\(folder)/open.sqlite"
    try FileManager.default.copyItem(atPath: base, toPath: open)
    try Database.withLog(open) {
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: open + suffix, toPath: logged + suffix)
      }
    }
    try remove(open)
  }

  private func archive(_ step: Step) -> String { "\(folder)/\(step.name).xcdatamodeld" }

  private func write(_ model: ModelText, version: String, of step: Step) throws {
    let path = "\(archive(step))/\(version).xcdatamodel"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(model.contents.utf8).write(to: URL(filePath: "\(path)/contents"))
  }

  private func remove(_ path: String) throws {
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
