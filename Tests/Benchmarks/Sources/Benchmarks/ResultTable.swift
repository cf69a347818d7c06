/// The figures of all steps, each beside its limit.
struct ResultTable {
  private var lines: AlignedTable
  /// Whether no figure is over its limit.
  private(set) var isWithinLimits = true
  /// Whether another build was measured in turn.
  private let isCompared: Bool

  init(steps: [(Step, Benchmark.Series)]) {
    isCompared = steps.contains { !$0.1.otherMigrations.isEmpty }
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
        less: series.migrations.map(\.check),
        limit: (step.limit, step.limit)
      )
      if step.isVerified {
        add(
          "",
          "  its verification",
          series.verifications,
          series.yardsticks,
          less: series.migrations.map {
            Measurement.Check(
              wall: $0.wall - $0.check.wall,
              processor: $0.processor - $0.check.processor
            )
          },
          writtenBefore: series.migrations.map(\.written),
          limit: Step.verificationLimit
        )
      }
      add(
        "",
        step.isVerified ? "  both" : "  and the check of the store",
        step.isVerified ? series.verifications : series.migrations,
        series.yardsticks,
        other: step.isVerified ? series.otherVerifications : series.otherMigrations
      )
    }
  }

  private mutating func add(
    _ name: String,
    _ deed: String,
    _ measurements: [Measurement],
    _ yardsticks: [Measurement],
    less parts: [Measurement.Check]? = nil,
    writtenBefore: [Int]? = nil,
    limit: (wall: Double, processor: Double)? = nil,
    other: [Measurement] = []
  ) {
    let parts = parts ?? measurements.map { _ in Measurement.Check(wall: 0, processor: 0) }
    let walls = zip(measurements, parts).map { $0.wall - $1.wall }
    let processors = zip(measurements, parts).map { $0.processor - $1.processor }
    func ratio(_ values: [Double], _ others: [Double]) -> Double {
      Self.median(zip(values, others).map { $0 / $1 })
    }
    let wall = ratio(walls, yardsticks.map(\.wall))
    let processor = ratio(processors, yardsticks.map(\.processor))
    let peak = measurements.map(\.peak).max() ?? 0
    let isWithin =
      limit.map { wall <= $0.wall && processor <= $0.processor && peak < Step.memoryLimit } ?? true
    isWithinLimits = isWithinLimits && isWithin
    let limitText = limit.map {
      Self.text($0.wall) + ($0.wall == $0.processor ? "" : " / \(Self.text($0.processor))")
    }
    lines.append(
      [
        name, deed, Self.text(Self.median(walls)), Self.text(wall), Self.text(processor),
        limitText ?? "", Self.megabytes(peak),
        Self.megabytes(
          Int(
            Self.median(
              zip(measurements, writtenBefore ?? measurements.map { _ in 0 }).map {
                Double($0.written - $1)
              }
            )
          )
        ),
        limit == nil ? "" : isWithin ? "ok" : "OVER",
      ]
        + (other.isEmpty
          ? (isCompared ? ["", ""] : [])
          : [
            Self.text(ratio(measurements.map(\.wall), other.map(\.wall))),
            Self.text(ratio(measurements.map(\.processor), other.map(\.processor))),
          ])
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
