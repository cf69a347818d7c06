/// The figures of all steps, each beside its limit.
struct ResultTable {
  private var lines: AlignedTable
  /// Whether no figure is over its limit.
  private(set) var isWithinLimits = true

  init(steps: [(Step, Benchmark.Series)]) {
    let isCompared = steps.contains { !$0.1.otherMigrations.isEmpty }
    lines = AlignedTable([
      ["step", "what", "wall s", "xVI wall", "xVI CPU", "limit", "peak MB", "written MB", ""]
        + (isCompared ? ["xother wall", "xother CPU"] : [])
    ])
    let yardsticks = steps.flatMap(\.1.yardsticks)
    lines.append(
      [
        "VACUUM INTO", "", Self.text(Self.median(yardsticks.map(\.wall))), "1.00", "1.00", "",
        Self.megabytes(yardsticks.map(\.peak).max() ?? 0),
        Self.megabytes(Int(Self.median(yardsticks.map { Double($0.written) }))), "",
      ] + (isCompared ? ["", ""] : [])
    )
    for (step, series) in steps {
      add(
        step.name,
        step.deed,
        series.migrations,
        series.yardsticks,
        (step.limit, step.limit),
        other: series.otherMigrations
      )
      guard step.isVerified else { continue }
      add(
        "",
        "  its verification",
        series.verifications,
        series.yardsticks,
        Step.verificationLimit,
        beyond: series.migrations,
        other: series.otherVerifications
      )
    }
  }

  private mutating func add(
    _ name: String,
    _ deed: String,
    _ measurements: [Measurement],
    _ yardsticks: [Measurement],
    _ limit: (wall: Double, processor: Double),
    beyond others: [Measurement] = [],
    other: [Measurement]
  ) {
    func differences(_ value: (Measurement) -> Double) -> [Double] {
      guard !others.isEmpty else { return measurements.map(value) }
      return zip(measurements, others).map { value($0) - value($1) }
    }
    func ratio(_ value: (Measurement) -> Double) -> Double {
      Self.median(zip(differences(value), yardsticks.map(value)).map { $0 / $1 })
    }
    /// The ratio of whole runs: that of differences would be one of noise.
    func compared(_ value: (Measurement) -> Double) -> String {
      Self.text(Self.median(zip(measurements.map(value), other.map(value)).map { $0 / $1 }))
    }
    let wall = ratio(\.wall)
    let processor = ratio(\.processor)
    let peak = measurements.map(\.peak).max() ?? 0
    let isWithin = wall <= limit.wall && processor <= limit.processor && peak < Step.memoryLimit
    isWithinLimits = isWithinLimits && isWithin
    let limitText =
      Self.text(limit.wall)
      + (limit.wall == limit.processor ? "" : " / \(Self.text(limit.processor))")
    lines.append(
      [
        name, deed, Self.text(Self.median(differences(\.wall))), Self.text(wall),
        Self.text(processor), limitText, Self.megabytes(peak),
        Self.megabytes(Int(Self.median(differences { Double($0.written) }))),
        isWithin ? "ok" : "OVER",
      ] + (other.isEmpty ? [] : [compared(\.wall), compared(\.processor)])
    )
  }

  /// The table, its columns aligned.
  var text: String { lines.text(leadingColumns: [0, 1, 8]) }

  /// A number with two decimals.
  static func text(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    let fraction = String(abs(hundredths) % 100)
    let sign = hundredths < 0 ? "-" : ""
    return "\(sign)\(abs(hundredths) / 100).\(fraction.count < 2 ? "0" : "")\(fraction)"
  }

  private static func megabytes(_ bytes: Int) -> String { "\((bytes + (1 << 19)) >> 20)" }

  /// The value in the middle; 0 of none.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
