import MigrationReporting
import MigrationTestSupport
import ObjectModel
import Testing
import Waystone

/// One report made by hand in each of the formats, against files that a person has read.
@Suite struct FormatGoldenTests {
  private func check(_ text: String, _ name: String) {
    let mismatch = Golden.mismatch(text, name)
    #expect(mismatch == nil)
  }

  @Test func `JUnit has a suite for each version and a case for each path`() {
    check(SketchedCoverage.notes.junit, "coverage.junit.xml")
  }

  @Test func `SARIF has the findings with places, rules and fingerprints`() throws {
    let report = SketchedCoverage.notes.findingsReport
    try check(report.sarif(version: "0.1.0").prettyPrinted + "\n", "coverage.sarif")
  }

  @Test func `SARIF's rules lead to their pages where the release has a site`() throws {
    let report = SketchedCoverage.notes.findingsReport
    func addresses(_ site: String?) throws -> [String] {
      try report.sarif(version: "0.1.0", site: site).prettyPrinted.split(separator: "\n")
        .filter { $0.contains("\"helpUri\"") }.map { String($0.filter { $0 != " " }) }
    }
    #expect(try addresses(nil) == [])
    let found = try addresses("https://example.com/docs/")
    #expect(try !found.isEmpty && found == addresses("https://example.com/docs"))
    let page = "https://example.com/docs/documentation/waystone/ws302/"
    #expect(found.contains("\"helpUri\":\"\(page)\","))
    let site = "https://example.com/docs"
    let rule = RulesReport(codes: [.attributeDropped], isExplained: true, site: site)
    #expect(rule.text(isVerbose: false).contains("  \(page)\n"))
    #expect(try rule.json.prettyPrinted.contains("\"page\": \"\(page)\""))
  }

  @Test func `GitHub's annotations stand in the order of severity`() {
    let report = SketchedCoverage.notes.findingsReport
    check(report.githubAnnotations, "coverage.github.txt")
  }

  @Test func `Markdown has a table of paths and one of findings`() {
    check(SketchedCoverage.notes.markdown, "coverage.md")
  }

  @Test func `chosen paths are thick in drawings`() {
    check(SketchedCoverage.notes.mermaid, "coverage.mmd")
    check(SketchedCoverage.notes.dot, "coverage.dot")
  }

  @Test func `hostile names are harmless in each format`() throws {
    let report = SketchedCoverage.hostile
    let findings = report.findingsReport
    check(report.junit, "hostile.junit.xml")
    try check(findings.sarif(version: "0.1.0").prettyPrinted + "\n", "hostile.sarif")
    check(findings.githubAnnotations, "hostile.github.txt")
    check(report.markdown, "hostile.md")
    check(report.mermaid, "hostile.mmd")
    check(report.dot, "hostile.dot")
  }

  @Test func `a check is told to other programs too`() throws {
    var mapping = CheckReport.Mapping(
      path: "App/Notes.v2-v3.xcmappingmodel",
      from: "v2",
      to: "v3",
      findings: [SketchedCoverage.dropped, SketchedCoverage.added]
    )
    let bad = CheckReport(mappings: [mapping], findings: [SketchedCoverage.unexercised])
    mapping.findings = []
    let good = CheckReport(mappings: [mapping], findings: [])
    check(bad.findingsReport().junit, "check.junit.xml")
    check(bad.findingsReport().markdown, "check.md")
    check(good.findingsReport().junit, "check-good.junit.xml")
    try check(
      good.findingsReport().sarif(version: "0.1.0").prettyPrinted + "\n",
      "check-good.sarif"
    )
    check(good.findingsReport().markdown, "check-good.md")
  }
}
