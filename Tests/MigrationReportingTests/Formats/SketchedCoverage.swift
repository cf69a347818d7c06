import MigrationPlanning
import MigrationReporting
import ObjectModel
import Waystone

/// Coverage reports made by hand.
enum SketchedCoverage {
  static let lost = Finding(
    .appLosesSilently,
    .error,
    risk: .undeclared,
    at: Finding.Place(
      file: "App/Notes.xcdatamodeld/v4.xcdatamodel/contents",
      line: 12,
      version: "v4",
      entity: "Attachment",
      property: "title"
    ),
    message: "The step from v1 to v4 leaves Attachment.title empty, which v3 fills from Note.text.",
    remedy: "Migrate through v2 and v3, or author a mapping from v1 to v4."
  )
  static let dropped = Finding(
    .attributeDropped,
    .warning,
    risk: .lossy,
    at: Finding.Place(
      file: "App/Notes.xcdatamodeld/v4.xcdatamodel/contents",
      version: "v4",
      entity: "Note",
      property: "colour"
    ),
    message: "\(subject: "Note.colour") is gone in v4, 100 % of it.",
    advice: "Accept the loss, or author a mapping that keeps it."
  )
  static let added = Finding(
    .attributeAdded,
    .note,
    risk: .additive,
    at: Finding.Place(version: "v2", entity: "Note", property: "pinned"),
    message: "pinned is new, and false in rows that are there.",
    remedy: "Nothing needs to be done."
  )
  static let refusal = Finding(
    .typeConverted,
    .error,
    at: Finding.Place(
      file: "App/Notes.xcdatamodeld/v1.xcdatamodel/contents",
      line: 7,
      version: "v1",
      entity: "Note",
      property: "year"
    ),
    message: "A string cannot be inferred to become an integer.",
    remedy: "Author a mapping from v0 to v1."
  )
  static let fails = Finding(
    .appFails,
    .error,
    at: Finding.Place(
      file: "App/Notes.xcdatamodeld/v0.xcdatamodel/contents",
      version: "v0"
    ),
    message: "The app cannot open a store of \(version: "v0"): nothing leads to v4.",
    advice: "Author a mapping from \(version: "v0") to v4."
  )
  static let stranded = Finding(
    .shippedWithoutPath,
    .error,
    at: Finding.Place(
      file: "App/Notes.xcdatamodeld/v0.xcdatamodel/contents",
      version: "v0"
    ),
    message: "No path leads from v0 to v4.",
    remedy: "Author a mapping from v0 to v1."
  )
  static let unexercised = Finding(
    .unexercisedEdge,
    .note,
    at: Finding.Place(file: "App/Old, unused: v1-v3.hop.yml", version: "v3"),
    message: "No version's path to v4 takes the edge from v1 to v3.",
    remedy: "Remove it."
  )

  /// Five versions: one that nothing leads away from, one that the app loses data of, one whose
  /// store was tried, and a shortcut that means something else.
  static var notes: CoverageReport {
    var model = CoverageReport.Model(name: "Notes")
    model.nodes = (0...4).map { number in
      CoverageReport.Node(
        names: number == 3 ? ["v3", "v3 draft"] : ["v\(number)"],
        files: ["App/Notes.xcdatamodeld/v\(number).xcdatamodel/contents"],
        isCurrent: number == 4,
        isShipped: number < 4
      )
    }
    var refused = CoverageReport.Edge(from: 0, to: 1, nil)
    refused.findings = [refusal]
    refused.changes = [.init("Note", .changed, "attribute year: type String → Integer 32")]
    var adds = CoverageReport.Edge(from: 1, to: 2, .inferred, .equivalent, worst: .additive)
    adds.findings = [added]
    adds.changes = [.init("Note", .added, "attribute pinned: Boolean, default NO")]
    var authored = CoverageReport.Edge(
      from: 2,
      to: 3,
      .authored,
      .equivalent,
      files: ["App/Notes.v2-v3.xcmappingmodel"]
    )
    authored.changes = [
      .init("Attachment", .added, "entity"), .init("Note", .removed, "attribute image"),
    ]
    var drops = CoverageReport.Edge(from: 3, to: 4, .extended, .equivalent, worst: .lossy)
    drops.findings = [dropped]
    drops.changes = [.init("Note", .removed, "attribute colour: String")]
    let loss = MappingDifference(kind: .lost, entityName: "Attachment", propertyName: "title")
    var shortcut = CoverageReport.Edge(
      from: 1,
      to: 4,
      .inferred,
      .notEquivalent([loss]),
      worst: .undeclared
    )
    shortcut.findings = [lost]
    let equivalent = CoverageReport.Edge(
      from: 1,
      to: 3,
      .authored,
      .unknown(.missingStep(from: 0, to: 1)),
      worst: .conditional,
      files: ["App/Old, unused: v1-v3.hop.yml"]
    )
    var farther = CoverageReport.Edge(from: 0, to: 4, nil)
    farther.findings = [refusal]
    model.edges = [refused, farther, adds, equivalent, shortcut, authored, drops]
    model.counts = CoverageReport.EdgeCounts()
    model.counts?.all = 10
    model.counts?.equivalent = 5
    model.counts?.notEquivalent = 2
    model.counts?.unknown = 1
    model.counts?.refused = 2
    model.paths = paths
    model.routes = [[1, 2], [1, 2, 3], [1, 2, 3, 4], [2, 3], [2, 3, 4], [3, 4]]
    var report = CoverageReport(runtime: .direct)
    report.models = [model]
    report.findings = [unexercised]
    return report
  }

  private static var paths: [CoverageReport.Path] {
    func path(
      _ source: Int,
      _ kind: AppOutcome.Kind,
      _ summary: String,
      _ findings: [Finding] = []
    ) -> CoverageReport.Path {
      CoverageReport.Path(
        source: source,
        destination: 4,
        app: AppOutcome(
          kind: kind,
          nodes: kind == .fails ? [source] : [source, 4],
          summary: summary,
          findings: findings
        )
      )
    }
    var none = path(0, .fails, "Core Data finds no mapping from v0 to v4.", [fails, refusal])
    none.findings = [stranded, refusal]
    var trap = path(1, .loses, "Core Data infers v1 to v4, and Attachment.title is empty.", [lost])
    trap.nodes = [1, 2, 3, 4]
    trap.findings = [added, dropped]
    trap.worst = .lossy
    trap.bytesPerHundredMegabytes = 310_000_000
    trap.trial = CoverageReport.Trial(isVerified: true, rows: 1200)
    var store = trap
    store.store = "Fixtures/old & <odd>.sqlite"
    store.trial = CoverageReport.Trial(
      isVerified: false,
      rows: 3,
      failure: "the disk has 3 MB left."
    )
    var opaque = path(2, .unknown, "The mapping model names a policy, which nobody can look into.")
    opaque.nodes = [2, 3, 4]
    opaque.findings = [dropped]
    opaque.worst = .lossy
    opaque.bytesPerHundredMegabytes = 210_000_000
    var good = path(3, .arrives, "Core Data infers v3 to v4.", [dropped])
    good.nodes = [3, 4]
    good.app.drops = [dropped]
    good.findings = [dropped]
    good.worst = .lossy
    good.bytesPerHundredMegabytes = 100_000_000
    return [none, trap, store, opaque, good].map { path in
      var path = path
      if path.findings.contains(dropped) {
        path.accepted = [
          AcceptedFinding(
            finding: dropped,
            reason: "Colours were never shown to </td> anybody."
          )
        ]
      }
      return path
    }
  }

  /// Names that mean something to each of the formats.
  static let hostileNames = [
    "</script><img src=x onerror=alert(1)>", "a\"b'c&d]]>e",
    "::error file=x::y%0A|`*_[z](javascript:1)",
    "\u{1b}[31m\u{0}\u{b}\u{fffe}\u{2028}\u{202e}gnp", "line\r\nbreak\ttab, colon: 100%",
    "{{name}} {{{raw}}} <!-- ]] -->", "日本語 😀 é",
  ]

  /// A model whose every name and sentence is hostile.
  static var hostile: CoverageReport {
    var model = CoverageReport.Model(name: hostileNames[0])
    model.nodes = hostileNames.enumerated().map { index, name in
      CoverageReport.Node(
        names: [name],
        files: ["Odd/\(name).xcdatamodel/contents"],
        isCurrent: index == hostileNames.count - 1,
        isShipped: true
      )
    }
    let last = hostileNames.count - 1
    for (index, name) in hostileNames.enumerated().dropLast() {
      let finding = Finding(
        .entityDropped,
        index == 0 ? .error : .warning,
        risk: .lossy,
        at: Finding.Place(
          file: "Odd/\(name).xcdatamodel/contents",
          line: index + 1,
          version: name,
          entity: name,
          property: name
        ),
        message: "\(version: name) is gone.",
        advice: "Look at \(version: name)."
      )
      var edge = CoverageReport.Edge(
        from: index,
        to: index + 1,
        .authored,
        .equivalent,
        worst: .lossy,
        files: ["Odd/\(name).hop.yml"]
      )
      edge.findings = [finding]
      edge.changes = [.init(name, .removed, "entity")]
      model.edges.append(edge)
      var loss = finding
      loss.code = .appLosesSilently
      var path = CoverageReport.Path(
        source: index,
        destination: last,
        app: AppOutcome(
          kind: index == 0 ? .loses : .arrives,
          nodes: [index, last],
          summary: "It is said of \(name).",
          findings: index == 0 ? [loss] : []
        )
      )
      path.nodes = Array(index...last)
      path.findings = [finding]
      path.worst = .lossy
      path.store = index == 1 ? name : nil
      model.paths.append(path)
    }
    var report = CoverageReport(runtime: .progressive)
    report.models = [model]
    return report
  }
}
