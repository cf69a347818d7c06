package import BatchMigration
internal import ObjectModel

/// A batch as one HTML file that needs nothing else: no network, no other file.
///
/// It is meant to be read, searched and printed, so it shows the stores that matter: those that did not
/// reach the version, then the slowest. The rest is counted; CSV and JSON name all.
struct BatchPage {
  private let report: BatchReport
  private let origin: PageOrigin
  private let stores: [LedgerStore]

  /// The most stores that a browser shows without delay.
  private static let most = 2000

  init(
    _ report: BatchReport,
    of ledger: borrowing BatchLedger,
    origin: PageOrigin
  ) throws {
    self.report = report
    self.origin = origin
    var stores: [LedgerStore] = []
    let reached: Set<StoreState> = [.migrated, .current]
    let missing = StoreState.retriable
    for states in [missing, [.running], reached, [.waiting]] where stores.count < Self.most {
      let selection = LedgerSelection(
        states: states,
        order: states == reached ? .slowestFirst : .found,
        limit: Self.most - stores.count
      )
      try ledger.stores(where: selection) { stores.append($0) }
    }
    self.stores = stores
  }

  /// Returns the page's text.
  ///
  /// - Throws: An error of Mustache on the template.
  func text() throws -> String {
    let frame = PageFrame(
      template: PackageResources.batch_mustache,
      style: PackageResources.page_css + PackageResources.batch_css,
      script: PackageResources.batch_js
    )
    let totals = report.totals
    let states = StoreState.allCases.filter { totals.states[$0] != nil }
    let hidden = totals.total.stores - stores.count
    return try frame.text([
      "version": origin.version,
      "date": (origin.date ?? "").shown,
      "to": TerminalText.escaped(report.batch.version),
      "place": (report.batch.output.map { "into \($0)" } ?? "in place").shown,
      "shard": (report.batch.shard.map { "part \($0)" } ?? "").shown,
      "headline": TerminalText.escaped(report.sentence),
      "isHeld": !report.isComplete,
      "mark": report.isComplete ? "✓" : report.hasFailures ? "✕" : "◇",
      "parts": PageFrame.bar(
        states.map { (look: $0.look, label: $0.rawValue, count: totals.states[$0]?.stores ?? 0) }
      ),
      "facts": facts,
      "histogram": histogram,
      "hasHistogram": !histogram.isEmpty,
      "heads": states.map(\.rawValue),
      "versions": report.versions.map { version, sums -> [String: Any] in
        [
          "name": TerminalText.escaped(version ?? "not known"),
          "cells": states.map { sums[$0].map { Quantity.grouped($0.stores) } ?? "" },
        ]
      },
      "causes": totals.causes.map { cause -> [String: Any] in
        [
          "state": cause.state.rawValue,
          "look": cause.state.look,
          "code": (cause.code ?? "").shown,
          "stores": TerminalText.escaped(BatchReport.stores(of: cause)),
          "example": TerminalText.escaped(cause.example),
          "message": (cause.message ?? "").shown,
          "recovery": (cause.recovery ?? "").shown,
        ]
      },
      "hasCauses": !totals.causes.isEmpty,
      "losses": report.lossLines.map { line -> [String: Any] in
        [
          "name": TerminalText.escaped(line.name), "what": line.what,
          "count": Quantity.grouped(Int(line.count)), "stores": Quantity.grouped(line.stores),
        ]
      },
      "lossSentence": (report.lossSentence ?? "").shown,
      "hasLosses": !report.lossLines.isEmpty,
      "oddities": report.oddities.map { oddity -> [String: Any] in
        ["name": oddity.name.shown, "reason": oddity.reason.shown]
      },
      "oddityCount": (totals.oddities > 0 ? Quantity.count(totals.oddities, "file") : "").shown,
      "moreOddities":
        (totals.oddities > report.oddities.count
        ? Quantity.grouped(totals.oddities - report.oddities.count) : "").shown,
      "states": states.map(\.rawValue),
      "rows": stores.map(row),
      "hasRows": !stores.isEmpty,
      "hidden": (hidden > 0 ? Quantity.count(hidden, "store") : "").shown,
    ])
  }

  private var facts: [String] {
    let total = report.totals.total
    var facts = ["\(Quantity.bytes(Int(total.bytes))) found"]
    if total.resultBytes > 0 {
      facts.append("\(Quantity.bytes(Int(total.resultBytes))) of results")
    }
    if total.seconds > 0 { facts.append("\(Quantity.seconds(total.seconds)) of worker time") }
    if let memory = report.totals.memory {
      facts.append("at most \(Quantity.bytes(Int(memory))) of memory in a worker")
    }
    return facts
  }

  /// The stores by the time that they took, as bars of equal width.
  private var histogram: [[String: Any]] {
    let counts = report.totals.durations
    guard let greatest = counts.max(), greatest > 0 else { return [] }
    let bounds = LedgerTotals.durationBounds
    return counts.enumerated().map { index, count in
      let height = count == 0 ? 0 : max(1, count * 100 / greatest)
      return [
        "x": index * 72 + 6,
        "middle": index * 72 + 36,
        "y": 118 - height,
        "above": 113 - height,
        "height": height,
        "count": (count > 0 ? Quantity.grouped(count) : "").shown,
        "stores": Quantity.count(count, "store"),
        "label": index < bounds.count
          ? "< \(Self.short(bounds[index])) s" : "≥ \(Self.short(bounds[bounds.count - 1])) s",
      ]
    }
  }

  private static func short(_ seconds: Double) -> String {
    seconds < 1 ? "\(seconds)" : "\(Int(seconds))"
  }

  private func row(_ store: LedgerStore) -> [String: Any] {
    [
      "name": TerminalText.escaped(store.found.name),
      "state": store.state.rawValue,
      "look": store.state.look,
      "version": TerminalText.escaped(store.version ?? ""),
      "bytes": Quantity.bytes(Int(store.found.bytes)),
      "time": store.seconds.map(Quantity.seconds) ?? "",
      "code": (store.code ?? "").shown,
      "message": (store.message ?? "").shown,
    ]
  }
}

extension StoreState {
  /// The class of the style sheet.
  fileprivate var look: String {
    switch self {
    case .migrated: "arrives"
    case .current: "keeps"
    case .refused, .damaged, .failed, .timedOut: "fails"
    case .skipped, .running: "depends"
    case .waiting: "unknown"
    }
  }
}

extension BatchReport {
  /// Returns the report as a page, with the stores that matter.
  ///
  /// - Throws: `WaystoneError`, `SQLiteError`.
  package func html(of ledger: borrowing BatchLedger, origin: PageOrigin) throws -> String {
    try BatchPage(self, of: ledger, origin: origin).text()
  }
}
