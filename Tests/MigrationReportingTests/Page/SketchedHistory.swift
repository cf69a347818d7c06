import MigrationPlanning
import MigrationReporting
import ObjectModel
import Waystone

/// A long history of versions, as public apps have them, made by hand.
enum SketchedHistory {
  /// A model of so many versions, with an authored edge and a shortcut here and there, and an app
  /// that opens stores directly.
  static func report(versions count: Int) -> CoverageReport {
    var model = CoverageReport.Model(name: "History")
    model.nodes = (1...count).map { number in
      CoverageReport.Node(
        names: number % 11 == 0 ? ["Model \(number)", "Model \(number)b"] : ["Model \(number)"],
        files: ["App/History.xcdatamodeld/Model \(number).xcdatamodel/contents"],
        isCurrent: number == count,
        isShipped: number % 7 != 3
      )
    }
    let risks: [Risk] = [.additive, .exact, .additive, .lossy, .additive, .conditional]
    let last = count - 1
    for index in 0..<last {
      let worst = risks[index % risks.count]
      var edge = CoverageReport.Edge(
        from: index,
        to: index + 1,
        index % 9 == 4 ? .authored : .inferred,
        .equivalent,
        worst: worst
      )
      edge.changes = (0...(index % 3)).map {
        .init("Order", .added, "attribute note\(index)_\($0): String")
      }
      edge.findings = [finding(index + 1, worst)]
      model.edges.append(edge)
      if index % 8 == 0, index + 5 <= last {
        model.edges.append(
          CoverageReport.Edge(
            from: index,
            to: index + 5,
            .authored,
            .equivalent,
            worst: .additive,
            files: ["App/Model \(index + 1)-\(index + 6).xcmappingmodel"]
          )
        )
      }
      guard index < last - 1 else { continue }
      model.edges.append(
        CoverageReport.Edge(
          from: index,
          to: last,
          index % 13 == 5 ? nil : .inferred,
          index % 13 == 5 ? nil : .equivalent,
          worst: index % 4 == 0 ? .undeclared : .lossy
        )
      )
    }
    model.routes = (0..<last).flatMap { a in ((a + 1)...last).map { way(a, $0, last) } }
    model.paths = (0..<last).filter { model.nodes[$0].isShipped }.map { path($0, last) }
    var counts = CoverageReport.EdgeCounts()
    counts.all = count * last / 2
    counts.equivalent = count * 2
    counts.refused = count
    counts.notEquivalent = counts.all - count * 3
    model.counts = counts
    var report = CoverageReport(runtime: .direct)
    report.models = [model]
    return report
  }

  private static func way(_ source: Int, _ destination: Int, _ last: Int) -> [Int] {
    var nodes = [source]
    while let node = nodes.last, node < destination {
      nodes.append(node % 8 == 0 && node + 5 <= destination ? node + 5 : node + 1)
    }
    return nodes
  }

  private static func path(_ index: Int, _ last: Int) -> CoverageReport.Path {
    let isNext = index == last - 1
    let kind: AppOutcome.Kind =
      isNext ? .arrives : index % 13 == 5 ? .fails : index % 4 == 0 ? .loses : .arrives
    let summary =
      switch kind {
      case .arrives, .otherDefaults, .keeps: "Core Data infers the step."
      case .loses: "Core Data infers the step, and Order.note is empty."
      case .fails: "Core Data finds no mapping."
      case .unknown: "Nobody can tell."
      }
    var path = CoverageReport.Path(
      source: index,
      destination: last,
      app: AppOutcome(
        kind: kind,
        nodes: [index, last],
        summary: summary,
        findings: kind == .arrives ? [] : [lost(index + 1)]
      )
    )
    path.nodes = way(index, last, last)
    path.worst = .lossy
    path.findings = (path.nodes ?? []).dropFirst().prefix(12).map { finding($0, .lossy) }
    path.bytesPerHundredMegabytes = 90_000_000 * (last - index)
    return path
  }

  private static func finding(_ number: Int, _ risk: Risk) -> Finding {
    Finding(
      risk == .lossy ? .attributeDropped : .attributeAdded,
      risk == .lossy ? .warning : .note,
      risk: risk,
      at: Finding.Place(
        file: "App/History.xcdatamodeld/Model \(number).xcdatamodel/contents",
        line: 10 + number,
        version: "Model \(number)",
        entity: "Order",
        property: "note\(number)"
      ),
      message: "note\(number) \(risk == .lossy ? "is gone" : "is new").",
      remedy: "Look at it."
    )
  }

  private static func lost(_ number: Int) -> Finding {
    Finding(
      .appLosesSilently,
      .error,
      risk: .undeclared,
      at: Finding.Place(version: "Model \(number)", entity: "Order", property: "note"),
      message: "The way straight from \(version: "Model \(number)") loses Order.note.",
      advice: "Migrate step by step."
    )
  }

  /// A history with two branches that come together again.
  static var branched: CoverageReport {
    var model = CoverageReport.Model(name: "Branches")
    model.nodes = ["v1", "v2", "v2 hotfix", "v3", "v3 hotfix", "v4"].map { name in
      CoverageReport.Node(names: [name], files: [], isCurrent: name == "v4", isShipped: true)
    }
    for (source, destination) in [(0, 1), (0, 2), (1, 3), (2, 4), (3, 5), (4, 5)] {
      var edge = CoverageReport.Edge(
        from: source,
        to: destination,
        .inferred,
        .equivalent,
        worst: Risk.allCases[source % 4]
      )
      edge.summary.isConsecutive = true
      model.edges.append(edge)
    }
    var report = CoverageReport(runtime: .progressive)
    report.models = [model]
    return report
  }
}
