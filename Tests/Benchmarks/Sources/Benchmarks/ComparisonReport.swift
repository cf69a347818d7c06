#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The report of a comparison: limits, tables and charts.
struct ComparisonReport {
  let series: [ComparisonSeries]
  let rows: Int
  let runs: Int
  let command: String
  let machine: Machine

  /// Whether all limits hold.
  var isWithinLimits: Bool { limits.allSatisfy(\.isKept) }

  /// The limits, which hold at the full number of rows; wall and processor time both count.
  private var limits: [ComparisonLimit] {
    guard let six = point(hops: 6), let twenty = point(hops: 20) else { return [] }
    var limits = [
      ComparisonLimit(
        "6 hops / SQL by hand, one pass",
        1.1,
        six.ratio(of: .fused, to: .pass, \.wall),
        six.ratio(of: .fused, to: .pass, \.processor)
      ),
      ComparisonLimit(
        "6 hops, verified / SQL by hand, one pass",
        1.9,
        six.ratio(of: .fusedVerified, to: .pass, \.wall),
        six.ratio(of: .fusedVerified, to: .pass, \.processor)
      ),
      ComparisonLimit(
        "20 hops / 6 hops",
        1.1,
        twenty.ratio(of: .fused, to: .fused, in: six, \.wall),
        twenty.ratio(of: .fused, to: .fused, in: six, \.processor)
      ),
    ]
    let best = Contender.peers.min {
      six.median(of: $0, \.wall) ?? .infinity < six.median(of: $1, \.wall) ?? .infinity
    }
    if let best, six.measurements[best] != nil {
      limits.append(
        ComparisonLimit(
          "6 hops, a checkpoint each, not verified / \(best.rawValue)",
          0.5,
          six.ratio(of: .stepwise, to: best, \.wall),
          six.ratio(of: .stepwise, to: best, \.processor)
        )
      )
    }
    return limits
  }

  private func point(hops: Int) -> ComparisonSeries? {
    series.first { $0.shape.name == "narrow" && $0.rows == rows && $0.hops == hops }
  }

  /// The report: how it was made, limits, and one table an axis.
  var markdown: String {
    """
    # Comparison

    `\(command)`

    \(machine.description).
    Medians of \(runs) runs in turns, each a process of its own; a peer that took \
    \(Int(ComparisonSeries.patience)) s at a point takes no further turns there (see runs). xSQL \
    is the ratio to SQL by hand in one pass, the median of all turns. Calls are counted in a run \
    that is not timed. The first result of each is held against Waystone's: rows, columns, indexes.

    ## Limits

    \(Self.table(["ratio", "wall", "CPU", "limit", ""], limits.map(\.cells)))

    ## Time against hops, \(Chart.grouped(rows)) rows

    \(table(hopsAxis, leading: "hops") { $0.hops == 0 ? "any" : "\($0.hops)" })

    ## Time against rows, \(ComparisonBenchmark.middle) hops

    \(table(rowsAxis, leading: "rows") { Chart.grouped($0.rows) })

    ## Shapes, \(ComparisonBenchmark.middle) hops, \(Chart.grouped(max(1, rows / 10))) rows

    \(table(shapesAxis, leading: "shape") { "\($0.shape.name), \($0.size >> 20) MB" })

    """
  }

  /// Writes `comparison.md` and two charts into a folder, which is made where it is absent.
  func write(to folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let files = [
      "comparison.md": markdown, "time-against-hops.svg": hopsChart.svg,
      "time-against-rows.svg": rowsChart.svg,
    ]
    for (name, text) in files {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
    }
  }

  private var hopsAxis: [ComparisonSeries] {
    series.filter { $0.shape.name == "narrow" && $0.rows == rows }
  }

  private var rowsAxis: [ComparisonSeries] {
    series.filter {
      $0.shape.name == "narrow" && [0, ComparisonBenchmark.middle].contains($0.hops)
    }.sorted { ($0.rows, $0.hops) < ($1.rows, $1.hops) }
  }

  private var shapesAxis: [ComparisonSeries] {
    series.filter {
      $0.rows == max(1, rows / 10) && [0, ComparisonBenchmark.middle].contains($0.hops)
    }
  }

  private func table(
    _ points: [ComparisonSeries],
    leading: String,
    _ name: (ComparisonSeries) -> String
  ) -> String {
    let headings = [
      leading, "who", "runs", "wall s", "CPU s", "xSQL wall", "xSQL CPU", "peak MB", "written MB",
      "statements", "page reads", "read MB", "allocations", "fsyncs",
    ]
    return Self.table(headings, points.flatMap { lines($0, name($0)) })
  }

  private func lines(_ point: ComparisonSeries, _ name: String) -> [[String]] {
    // The floors are the same for any number of hops: they are held against the middle.
    let yardstick =
      point.hops > 0
      ? point
      : series.first {
        $0.shape.name == point.shape.name && $0.rows == point.rows
          && $0.hops == ComparisonBenchmark.middle
      }
    return Contender.allCases.compactMap { contender in
      guard let measured = point.measurements[contender] else { return nil }
      func seconds(_ value: (Measurement) -> Double) -> String {
        ImportBenchmark.milliseconds(point.median(of: contender, value) ?? 0)
      }
      func ratio(_ value: (Measurement) -> Double) -> String {
        point.ratio(of: contender, to: .pass, in: yardstick, value).map(ResultTable.text) ?? ""
      }
      let calls = point.calls[contender]
      let counts = [
        calls?.statements, calls?.reads, calls.map { $0.readBytes >> 20 }, calls?.allocations,
        calls?.syncs,
      ]
      let written = point.median(of: contender) { Double($0.written) } ?? 0
      return [
        name, contender.rawValue, "\(measured.count)", seconds(\.wall), seconds(\.processor),
        ratio(\.wall), ratio(\.processor), "\((measured.map(\.peak).max() ?? 0) >> 20)",
        "\(Int(written) >> 20)",
      ] + counts.map { $0.map(Chart.grouped) ?? "" }
    }
  }

  /// A table in Markdown.
  private static func table(_ headings: [String], _ lines: [[String]]) -> String {
    let rule = headings.map { _ in "---" }
    return ([headings, rule] + lines).map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }

  private var hopsChart: Chart {
    chart(
      "Time against hops: \(Chart.grouped(rows)) rows of 10 attributes",
      "hops",
      points: hopsAxis.filter { $0.hops > 0 },
      floors: hopsAxis.filter { $0.hops == 0 }
    ) { Double($0.hops) }
  }

  private var rowsChart: Chart {
    chart(
      "Time against rows: \(ComparisonBenchmark.middle) hops",
      "rows of 10 attributes",
      points: rowsAxis.filter { $0.hops > 0 },
      floors: rowsAxis.filter { $0.hops == 0 }
    ) { Double($0.rows) }
  }

  private func chart(
    _ title: String,
    _ xLabel: String,
    points: [ComparisonSeries],
    floors: [ComparisonSeries],
    _ x: (ComparisonSeries) -> Double
  ) -> Chart {
    let drawn = Contender.allCases.filter { $0 != .stepwiseVerified }
    let lines = drawn.enumerated().compactMap { color, contender -> Chart.Line? in
      let own = contender.isMigrating ? points : floors
      var places = own.compactMap { point in
        point.median(of: contender, \.wall).map { (x: x(point), y: $0) }
      }
      // A floor that was measured once holds for all numbers of hops.
      if let place = places.first, places.count == 1, !contender.isMigrating {
        places = points.map { (x: x($0), y: place.y) }
      }
      guard !places.isEmpty else { return nil }
      return Chart.Line(
        name: contender.rawValue,
        points: places,
        color: color,
        isDashed: !contender.isMigrating
      )
    }
    let ends = lines.map { "\($0.name) \(ResultTable.text($0.points.last?.y ?? 0)) s" }
    return Chart(
      title: title,
      description: """
        Seconds of wall time, medians of \(runs) runs, \(machine.description). \
        At the right end: \
        \(ends.joined(separator: ", ")).
        """,
      xLabel: xLabel,
      yLabel: "seconds of wall time, both axes logarithmic",
      lines: lines
    )
  }
}
