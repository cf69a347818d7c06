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
  private let version: String
  /// The findings of the whole report; a finding's number on the page is its index.
  private let entries: [FindingsReport.Entry]

  /// A page of a report.
  init(_ report: CoverageReport, version: String) {
    self.report = report
    self.version = version
    entries = report.findingsReport.entries
  }

  /// The page.
  ///
  /// - Throws: What Mustache has to say of the template.
  func text() throws -> String {
    let style = String(decoding: PackageResources.page_css, as: UTF8.self)
    let script = String(decoding: PackageResources.page_js, as: UTF8.self)
    let template = try MustacheTemplate(
      string: String(decoding: PackageResources.page_mustache, as: UTF8.self)
    )
    let numbers = Dictionary(
      entries.enumerated().map { ($1.finding, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let models = report.models.enumerated().map { index, model in
      CoveragePageModel(model: model, index: index, numbers: numbers)
    }
    let context: [String: Any] = [
      "policy": "default-src 'none'; img-src data:; style-src '\(Self.hash(style))'; "
        + "script-src '\(Self.hash(script))'; base-uri 'none'; form-action 'none'",
      "style": style,
      "script": script,
      "data": Self.embedded(["models": .array(models.map(\.data))]),
      "version": version,
      "runtime": report.runtime.rawValue,
      "runtimeSentence": report.runtime.sentence,
      "names": report.models.map(\.name).joined(separator: ", ").shown,
      "headline": report.headline,
      "app": Self.bar(
        AppOutcome.Kind.allCases.map { kind in
          (
            kind.rawValue, "\(kind.words.mark) \(kind.words.one)",
            paths.count { $0.app.kind == kind }
          )
        }
      ),
      "waystone": Self.bar([
        ("arrives", "✓ has a path", paths.count { $0.nodes != nil }),
        ("fails", "✕ has none", paths.count { $0.nodes == nil }),
      ]),
      "trials": trials,
      "models": models.map(\.context),
      "findings": findingRows,
      "hasFindings": !entries.isEmpty,
      "severities": severities,
      "codes": Set(entries.map(\.finding.code.rawValue)).sorted(by: ByteOrder.precedes),
      "versions": versions,
      "legend": Self.legend,
    ]
    return template.render(context)
  }

  private var paths: [CoverageReport.Path] { report.models.flatMap(\.paths) }

  /// A text's hash as a content security policy names it.
  private static func hash(_ text: String) -> String {
    "sha256-" + Base64.string(SHA256.hash(Array(text.utf8)))
  }

  /// JSON in which no character can end the script element or begin a comment in it.
  static func embedded(_ value: JSONValue) -> String {
    var result = ""
    for scalar in value.compact.unicodeScalars {
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
      ["look": risk.name, "name": risk.name, "meaning": risk.meaning]
    } + [["look": "refused", "name": "refused", "meaning": "there is no mapping"]]

  /// Counts as the parts of a bar, those that are not zero.
  private static func bar(_ parts: [(name: String, label: String, count: Int)]) -> [[String: Any]] {
    let total = max(1, parts.reduce(0) { $0 + $1.count })
    var sum = 0
    return parts.compactMap { part in
      guard part.count > 0 else { return nil }
      defer { sum += part.count }
      return [
        "name": part.name,
        "label": part.label,
        "count": Quantity.grouped(part.count),
        "start": Self.percent(sum, total),
        "width": Self.percent(part.count, total),
      ]
    }
  }

  private static func percent(_ part: Int, _ total: Int) -> String {
    let tenths = part * 1000 / total
    return "\(tenths / 10).\(tenths % 10)"
  }

  private var trials: String {
    let trials = paths.compactMap(\.trial)
    guard !trials.isEmpty else { return "" }
    let good = trials.count(where: \.isGood)
    return "\(Quantity.grouped(good)) of \(Quantity.count(trials.count, "trial run")) verified."
  }

  private var severities: [[String: Any]] {
    var result: [[String: Any]] = Finding.Severity.allCases.reversed().map { severity in
      let count = entries.count { $0.acceptance == nil && $0.finding.severity == severity }
      return ["name": severity.rawValue, "count": Quantity.grouped(count)]
    }
    let accepted = entries.count { $0.acceptance != nil }
    if accepted > 0 { result.append(["name": "accepted", "count": Quantity.grouped(accepted)]) }
    return result
  }

  private var versions: [String] {
    var seen: Set<String> = []
    return entries.compactMap(\.finding.place.version).filter { seen.insert($0).inserted }
      .map(TerminalText.escaped)
  }

  private var findingRows: [[String: Any]] {
    let numbered = entries.enumerated()
    let ordered = Finding.Severity.allCases.reversed().flatMap { severity in
      numbered.filter { $1.acceptance == nil && $1.finding.severity == severity }
    }
    return (ordered + numbered.filter { $1.acceptance != nil }).map { number, entry in
      let finding = entry.finding
      let rule = Rule.all[finding.code.rawValue]
      return [
        "number": "\(number)",
        "severity": entry.acceptance == nil ? finding.severity.rawValue : "accepted",
        "code": finding.code.rawValue,
        "rule": rule?.summary ?? "",
        "version": TerminalText.escaped(finding.place.version ?? ""),
        "subject": TerminalText.escaped(finding.place.subject ?? ""),
        "file": Self.position(finding.place),
        "message": TerminalText.escaped(finding.message),
        "remedy": (finding.severity > .note ? finding.remedy : "").shown,
        "acceptance": (entry.acceptance ?? "").shown,
      ]
    }
  }

  /// The file and line, in pieces between which a line may break.
  private static func position(_ place: Finding.Place) -> [String] {
    guard let file = place.file else { return [] }
    var pieces = TerminalText.escaped(file).split(separator: "/", omittingEmptySubsequences: false)
      .map { String($0) + "/" }
    let end = place.line.map { ":\($0)" } ?? ""
    if let last = pieces.popLast() { pieces.append(last.dropLast() + end) }
    return pieces
  }
}

extension String {
  /// Foreign text as a part of the page that is left out where there is none.
  ///
  /// To Mustache even an empty text is something.
  var shown: Any { isEmpty ? false : TerminalText.escaped(self) }
}

extension Risk {
  /// What it means for the data, in a few words.
  fileprivate var meaning: String {
    switch self {
    case .exact: "nothing is lost or invented"
    case .additive: "something is added"
    case .conditional: "lossless if the data fit"
    case .lossy: "dropped by design"
    case .undeclared: "lost, and nobody declared it"
    }
  }
}

extension CoverageReport {
  /// The report as one self-contained HTML page.
  ///
  /// - Parameter version: The version of the command.
  /// - Throws: What Mustache has to say of the page's template.
  package func html(version: String) throws -> String {
    try CoveragePage(self, version: version).text()
  }
}
