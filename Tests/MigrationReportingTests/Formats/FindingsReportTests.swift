import MigrationReporting
import ObjectModel
import Testing

/// Promises of the formats about findings of any look.
@Suite struct FindingsReportTests {
  private func finding(
    _ code: FindingCode = .attributeDropped,
    _ severity: Finding.Severity = .warning,
    file: String? = "Models/A.xcdatamodeld/v 2.xcdatamodel/contents",
    line: Int? = 4,
    message: String = "It is gone."
  ) -> Finding {
    Finding(
      code,
      severity,
      at: Finding.Place(file: file, line: line, version: "v2", entity: "Note", property: "title"),
      message: message,
      remedy: "Accept it."
    )
  }

  private func results(_ findings: [Finding]) throws -> [JSONValue] {
    let group = FindingsReport.Group(
      name: "all",
      entries: findings.map { FindingsReport.Entry($0) }
    )
    let log = try FindingsReport(verb: "check", groups: [group]).sarif(version: "1.0.0")
    guard case .array(let runs) = log["runs"], case .array(let results) = runs.first?["results"]
    else { return [] }
    return results
  }

  private func print(of result: JSONValue?) -> JSONValue? {
    result?["partialFingerprints"]?["waystone/v1"]
  }

  @Test func `a fingerprint stays when a line moves or a sentence is worded anew`() throws {
    let first = try print(of: results([finding()]).first)
    #expect(first != nil)
    #expect(try print(of: results([finding(line: 99)]).first) == first)
    #expect(try print(of: results([finding(message: "It went.")]).first) == first)
    #expect(try print(of: results([finding(.typeNarrowed)]).first) != first)
    #expect(try print(of: results([finding(file: "B/contents")]).first) != first)
  }

  @Test func `findings that agree in all but their words have fingerprints of their own`() throws {
    let found = try results([finding(message: "One."), finding(message: "Two.")])
    #expect(found.count == 2)
    #expect(Set(found.map { print(of: $0) }).count == 2)
  }

  @Test func `a finding of several paths is one result`() throws {
    #expect(try results([finding(), finding(), finding()]).count == 1)
  }

  @Test(arguments: [
    ("A b/ü#?%.mom", "A%20b/%C3%BC%23%3F%25.mom", true),
    ("a:b/c", "a%3Ab/c", true),
    ("/abs/x y", "file:///abs/x%20y", false),
  ])
  func `a path is a URI`(path: String, uri: String, isBelowRoot: Bool) throws {
    let location = try results([finding(file: path)]).first?["locations"]
    guard case .array(let all) = location else {
      Issue.record("There is no location.")
      return
    }
    let artifact = all.first?["physicalLocation"]?["artifactLocation"]
    #expect(artifact?["uri"] == .string(uri))
    #expect((artifact?["uriBaseId"] == "%SRCROOT%") == isBelowRoot)
  }

  @Test func `what was accepted is suppressed and fails nothing`() throws {
    let accepted = FindingsReport.Entry(
      finding(.entityDropped, .error),
      acceptance: "Nobody used it."
    )
    let report = FindingsReport(
      verb: "check",
      groups: [FindingsReport.Group(name: "m", entries: [accepted])]
    )
    #expect(report.failures.isEmpty)
    #expect(
      try report.sarif(version: "1.0.0").compact.contains(#""justification":"Nobody used it.""#)
    )
    #expect(!report.junit.contains("<failure"))
    #expect(report.junit.contains("accepted: Nobody used it."))
    #expect(report.githubAnnotations.hasPrefix("::notice "))
    #expect(report.githubAnnotations.contains("%0AAccepted: Nobody used it."))
    #expect(report.markdown.contains("1 accepted"))
  }

  @Test(arguments: Finding.Severity.allCases, Finding.Severity.allCases)
  func `the threshold decides what fails`(severity: Finding.Severity, least: Finding.Severity) {
    let entry = FindingsReport.Entry(finding(.entityDropped, severity))
    let report = FindingsReport(
      verb: "check",
      groups: [FindingsReport.Group(name: "m", entries: [entry], threshold: least)]
    )
    #expect(report.failures == (severity >= least ? [entry] : []))
    #expect(report.junit.contains("<failure") == (severity >= least))
  }

  @Test func `an annotation is one line whatever the names hold`() {
    for name in SketchedCoverage.hostileNames {
      var hostile = finding(file: "\(name)/contents", message: "\(name) is gone.\nNext line.")
      hostile.place.entity = name
      let report = FindingsReport(
        verb: "check",
        groups: [FindingsReport.Group(name: name, entries: [FindingsReport.Entry(hostile)])]
      )
      let lines = report.githubAnnotations.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count == 2)
      #expect(lines.first?.hasPrefix("::warning file=") == true)
      #expect(!report.githubAnnotations.unicodeScalars.contains("\r"))
      let shown = report.xcodeDiagnostics(below: "/app")
      #expect(shown.split(whereSeparator: \.isNewline).count == 1)
      #expect(shown.contains("/contents:4:1: warning: WS"))
    }
  }
}
