internal import MigrationPlanning
internal import Mustache
internal import ObjectModel
package import Waystone

/// A coverage report as one HTML file that needs nothing else: no network, no other file.
///
/// The template, the style sheet and the script are files beside this one, which the package manager
/// compiles into the program: a bundle of resources would stay behind where a statically linked
/// executable is copied to another machine.
///
/// All foreign text gets into the page through Mustache, which escapes it, or as JSON in which no
/// character ends the script element. The page's own policy forbids every request and every script
/// and style but the two whose hashes it names.
struct CoveragePage {
  private let report: CoverageReport
  private let origin: PageOrigin
  /// Whether the page states the outcomes of versions, and not only their order.
  private let hasOutcomes: Bool
  /// The findings of the whole report; a finding's number on the page is its index.
  private let entries: [FindingsReport.Entry]
  /// The number of findings that are left out because they only report additions; the steps list those.
  private let additions: Int
  private let causes: PageCauses
  /// The common folder of all files on the page, which is shown once.
  private let folder: String

  /// A page of a report.
  init(_ report: CoverageReport, origin: PageOrigin, hasOutcomes: Bool) {
    self.report = report
    self.hasOutcomes = hasOutcomes
    self.origin = origin
    let all = report.findingsReport.entries
    entries = all.filter { !$0.isAddition }
    additions = all.count - entries.count
    causes = PageCauses(entries, names: report.namesByVersion)
    folder = Self.folder(
      of: causes.causes.filter { $0.versions.count < 2 }.compactMap(\.entry.finding.place.file)
    )
  }

  /// Returns the page's text.
  ///
  /// - Throws: An error of Mustache on the template.
  func text() throws -> String {
    let frame = PageFrame(
      template: PackageResources.page_mustache,
      style: PackageResources.page_css,
      script: PackageResources.page_js
    )
    var versionTable = PageTexts()
    let numbers = Dictionary(
      entries.enumerated().map { ($1.finding, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let models = report.models.enumerated().map { index, model in
      CoveragePageModel(model: model, index: index, numbers: numbers)
    }
    // A model that has one version needs no picture.
    let alone = report.models.filter { $0.paths.isEmpty && $0.nodes.count < 2 }
    let places = causes.places.map {
      [$0.cause, versionTable.number(of: TerminalText.escaped($0.version))]
    }
    let context: [String: Any] = [
      "data": try Self.embedded([
        "models": models.map(\.data), "hasOutcomes": hasOutcomes, "findings": places,
        "versions": versionTable.all,
        // The findings on one version can be read on the page.
        "messages": causes.causes.map { $0.parts?.map(TerminalText.escaped) },
      ]),
      "version": origin.version,
      "hasOutcomes": hasOutcomes,
      "kind": hasOutcomes ? "migration coverage" : "versions",
      "title": (origin.app ?? report.models.map(\.name).joined(separator: ", ")).shown,
      "commit": (origin.commit ?? "").shown,
      "date": (origin.date ?? "").shown,
      "runtime": report.runtime.rawValue,
      "runtimeSentence": report.runtime.sentence,
      "headline": headline,
      "isHeld": !report.isComplete,
      "first": first,
      "hasFirst": !first.isEmpty,
      "app": Self.bar(looks.map { ($0.look.app, $0.count) }, Self.appWords),
      "waystone": Self.bar(looks.map { ($0.look.waystone, $0.count) }, Self.waystoneWords),
      "trials": trials,
      "models": models.filter { !alone.contains($0.model) }.map(\.context),
      "alone": alone.map(\.name).joined(separator: ", ").shown,
      "aloneCount": Quantity.count(alone.count, "model"),
      "severities": severities,
      "hasFindings": !entries.isEmpty,
      "additions": (additions > 0 ? Quantity.count(additions, "addition") : "").shown,
      "folder": folder.shown,
      "codes": Set(entries.map(\.finding.code.rawValue)).sorted(by: ByteOrder.precedes),
      "versions": versions,
      "legend": Self.legend,
    ]
    return try frame.text(context)
  }

  private var paths: [CoverageReport.Path] { report.models.flatMap(\.paths) }

  /// The outcome of each path's store, with the number of versions that share it.
  private var looks: [(look: PathStyle, count: Int)] {
    paths.map { (PathStyle($0), max(1, $0.versions.count)) }
  }

  /// Returns the cause of a finding: the properties for which no mapping can be inferred.
  private func reason(of finding: Finding) -> String {
    guard let path = paths.first(where: { $0.judged.contains(finding) }) else { return "" }
    let reasons = GapGroup.reasons(of: finding, in: path)
    let more = reasons.count > 2 ? " (and \(reasons.count - 2) more)" : ""
    return reasons.prefix(2).map(\.message).joined(separator: " ") + more
  }

  private static let appWords = [
    "arrives": "✓ arrives", "depends": "◇ if the data fit", "code": "◇ runs code",
    "lossy": "▽ arrives, drops data",
    "otherDefaults": "◇ other defaults", "keeps": "✓ keeps what the history drops or changes",
    "loses": "▼ loses data silently",
    "fails": "✕ fails", "unknown": "? unknown",
  ]
  private static let waystoneWords = [
    "arrives": "✓ arrives", "depends": "◇ if the data fit", "code": "◇ runs code",
    "lossy": "▽ drops data", "fails": "✕ no path", "needs": "✕ needs names, code or more",
    "waits": "◇ needs names, code or more",
  ]

  // MARK: What holds the release

  /// A sentence on the findings that hold the release.
  private var headline: String {
    let looks = looks
    guard !looks.isEmpty else { return "There is no version to look at." }
    func count(_ name: String, _ side: KeyPath<PathStyle, PathStyle.Verdict>) -> Int {
      looks.reduce(0) { $0 + ($1.look[keyPath: side].name == name ? $1.count : 0) }
    }
    let all = looks.reduce(0) { $0 + $1.count }
    var parts: [String] = []
    for (number, words) in [
      (count("loses", \.app), "data silently in the app"), (count("fails", \.app), "in the app"),
    ] where number > 0 {
      let verb = words.hasPrefix("data") ? ("loses", "lose") : ("fails", "fail")
      parts.append("\(Quantity.count(number, "version")) \(number == 1 ? verb.0 : verb.1) \(words)")
    }
    let stuck = count("fails", \.waystone)
    if stuck > 0 {
      parts.append(
        "\(Quantity.count(stuck, "version")) \(stuck == 1 ? "has" : "have") no path in Waystone"
      )
    }
    let needy = looks.filter { $0.look.waystone.name == "needs" }
    if let needs = needy.first?.look.needs {
      let number = needy.reduce(0) { $0 + $1.count }
      let isOne = needy.allSatisfy { $0.look.needs == needs }
      let words = isOne ? needs.joined(separator: ", ") : "needs names, code or more"
      parts.append("Waystone \(words) for \(Quantity.count(number, "version"))")
    }
    let errors = report.findings.count { $0.severity >= report.threshold }
    if errors > 0 { parts.insert(Quantity.count(errors, "finding fails", "findings fail"), at: 0) }
    let bad = looks.count(where: \.look.isTrialBad)
    if bad > 0 { parts.append("\(Quantity.count(bad, "trial run")) failed") }
    if report.isComplete {
      let tried = paths.contains { $0.trial != nil } ? "" : " No store was tried."
      let coded = paths.filter { $0.app.kind.isArrival && $0.app.runsCode }
        .reduce(0) { $0 + $1.versions.count }
      let unproven =
        coded == 0
        ? "" : " Not proven: what the app's own code does for \(Quantity.count(coded, "version"))."
      let isAccepted =
        !report.accepted.isEmpty
        || paths.contains { path in
          path.accepted.contains { $0.finding.severity >= report.threshold }
        }
      let seen = "Nothing holds the release: \(Quantity.count(all, "version")) looked at"
      let sentence =
        isAccepted && !parts.isEmpty
        ? "Accepted: \(parts.joined(separator: ", "))"
        : ([seen] + parts).joined(separator: "; ")
      return "\(sentence).\(unproven)\(tried)"
    }
    return parts.isEmpty
      ? "Findings hold the release." : "Held: \(parts.joined(separator: "; "))."
  }

  /// The causes that hold most versions, with their remedies.
  private var first: [[String: Any]] {
    let project = Set(report.findings)
    var seen: Set<FindingCode> = []
    // One of each code: its other findings are below.
    let failing = causes.causes.enumerated().filter {
      $1.entry.acceptance == nil && $1.entry.finding.severity >= report.threshold
        && seen.insert($1.entry.finding.code).inserted
    }
    // The changes of a new version can still be edited.
    let own = failing.filter { project.contains($0.element.entry.finding) }
    let others = failing.filter { !project.contains($0.element.entry.finding) }
    return (own.prefix(others.isEmpty ? 4 : 2) + others.prefix(own.isEmpty ? 4 : 2))
      .map { number, cause in
        [
          "number": "\(number)",
          "code": cause.entry.finding.code.rawValue,
          "message": TerminalText.escaped(cause.read(cause.entry.finding.statement)),
          "reason": reason(of: cause.entry.finding).shown,
          "remedy": cause.read(cause.entry.finding.advice).shown,
          "count": (cause.versions.count > 1 ? Quantity.count(cause.versions.count, "version") : "")
            .shown,
        ]
      }
  }

  /// Returns the folder that contains all of some files; empty where there are not several.
  private static func folder(of files: [String]) -> String {
    let folders = Set(files).map { $0.split(separator: "/", omittingEmptySubsequences: false) }
    guard folders.count > 1, var shared = folders.first?.dropLast() else { return "" }
    for folder in folders {
      shared = shared.prefix(zip(shared, folder.dropLast()).prefix { $0 == $1 }.count)
    }
    return shared.joined(separator: "/")
  }

  /// Returns JSON in which no character can end the script element or begin a comment in it.
  static func embedded(_ value: JSONMembers) throws -> String {
    var result = ""
    for scalar in try JSONValue(encoding: value).compact.unicodeScalars {
      switch scalar {
      case "<": result += "\\u003c"
      case ">": result += "\\u003e"
      case "&": result += "\\u0026"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let legend: [[String: String]] =
    Risk.allCases.map { risk in
      ["look": risk.name, "name": risk.words, "meaning": risk.meaning]
    } + [["look": "refused", "name": "refused", "meaning": "there is no mapping"]]

  /// Returns the parts of a bar, one for each verdict that occurs.
  private static func bar(
    _ verdicts: [(verdict: PathStyle.Verdict, count: Int)],
    _ words: [String: String]
  ) -> [[String: Any]] {
    let names = [
      "arrives", "keeps", "otherDefaults", "depends", "code", "lossy", "unknown", "waits", "loses",
      "needs",
      "fails",
    ]
    return PageFrame.bar(
      names.map { name in
        let count = verdicts.reduce(0) { $0 + ($1.verdict.name == name ? $1.count : 0) }
        return (look: name, label: words[name] ?? name, count: count)
      }
    )
  }

  private var trials: String {
    let trials = paths.compactMap(\.trial)
    guard !trials.isEmpty else { return "" }
    let good = trials.count(where: \.isGood)
    return "\(Quantity.grouped(good)) of \(Quantity.count(trials.count, "trial run")) verified."
  }

  /// The findings by severity; only the group that holds the release is open.
  private var severities: [[String: Any]] {
    let all = causes.causes.enumerated()
    return ["error", "warning", "note", "accepted"].compactMap { severity in
      let own = all.filter { $1.severity == severity }
      guard !own.isEmpty else { return nil }
      return [
        "name": severity,
        "count": Quantity.grouped(own.reduce(0) { $0 + $1.element.count }),
        "causes": Quantity.count(own.count, "cause"),
        "isOpen": severity == "error" && own.count <= 4,
        "rows": rows(own.map { ($0.offset, $0.element) }),
      ]
    }
  }

  private var versions: [String] {
    var seen: Set<String> = []
    return entries.compactMap(\.finding.place.version).filter { seen.insert($0).inserted }
      .map(TerminalText.escaped)
  }

  /// Returns the rows of some causes; advice that drops share is in the first of them.
  private func rows(_ causes: [(number: Int, cause: PageCauses.Cause)]) -> [[String: Any]] {
    let drops = causes.filter { $0.cause.entry.finding.isRenamable }
    return causes.map { number, cause in
      var row = row(number, cause)
      if drops.count > 1, cause.entry.finding.isRenamable {
        let advice = Finding.renaming(as: cause.entry.finding.advice)
        row["remedy"] = (number == drops[0].number ? advice : "").shown
      }
      return row
    }
  }

  private func row(_ number: Int, _ cause: PageCauses.Cause) -> [String: Any] {
    let finding = cause.entry.finding
    let versions = cause.versions.map(TerminalText.escaped)
    return [
      "number": "\(number)",
      "severity": cause.severity,
      "code": finding.code.rawValue,
      "rule": Rule.all[finding.code]?.summary ?? "",
      "version": versions.count > 1
        ? Quantity.count(versions.count, "version") : versions.first ?? "",
      "list": versions.count > 1 ? versions.joined(separator: ", ") as Any : false,
      "subject": TerminalText.escaped(finding.place.subject ?? ""),
      "file": (versions.count > 1 ? "" : position(finding.place)).shown,
      "message": TerminalText.escaped(cause.read(cause.entry.finding.statement)),
      "remedy": (finding.severity > .note ? cause.read(finding.advice) : "").shown,
      "acceptance": (cause.entry.acceptance ?? "").shown,
    ]
  }

  /// Returns the file, below the folder that contains all, and the line.
  private func position(_ place: Finding.Place) -> String {
    guard var file = place.file else { return "" }
    if !folder.isEmpty { file.removeFirst(folder.count + 1) }
    return file + (place.line.map { ":\($0)" } ?? "")
  }
}

extension FindingsReport.Entry {
  /// Whether the finding reports only an addition, which costs nothing.
  fileprivate var isAddition: Bool {
    acceptance == nil && finding.severity == .note && finding.risk == .additive
  }
}

extension String {
  /// Foreign text as a part of the page that is left out where there is none.
  ///
  /// To Mustache even an empty text is something.
  var shown: Any { isEmpty ? false : TerminalText.escaped(self) }
}

extension Risk {
  /// The effect of the risk on the data, in a few words.
  fileprivate var meaning: String {
    switch self {
    case .exact: "nothing is lost or invented"
    case .additive: "something is added"
    case .conditional: "lossless if the data fit"
    case .unknown: "what SQL, code or an expression does is not known"
    case .lossy: "dropped by design"
    case .undeclared: "lost, and no version declares it"
    }
  }
}

extension CoverageReport {
  /// The shipped versions whose stores take a path, by the name of the version that it leaves.
  fileprivate var namesByVersion: [String: [String]] {
    let pairs = models.flatMap { model in
      model.paths.filter { $0.store == nil && !$0.versions.isEmpty }.map { path in
        (model.short(model.name(of: path.source)), path.versions.map(model.short))
      }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the report as one self-contained HTML page.
  ///
  /// - Parameter origin: The origin that the head of the page names.
  /// - Throws: An error of Mustache on the template.
  package func html(of origin: PageOrigin) throws -> String {
    try CoveragePage(self, origin: origin, hasOutcomes: true).text()
  }

  /// Returns a page of versions and steps alone, without outcomes.
  ///
  /// - Throws: An error of Mustache on the template.
  package func versionsHTML(of origin: PageOrigin) throws -> String {
    var report = self
    for index in report.models.indices { report.models[index].paths = [] }
    return try CoveragePage(report, origin: origin, hasOutcomes: false).text()
  }
}
