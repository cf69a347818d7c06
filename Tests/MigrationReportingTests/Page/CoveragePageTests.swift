import Foundation
import MigrationPlanning
import MigrationReporting
import MigrationTestSupport
import ObjectModel
import Testing
import Waystone

/// Promises of the page before any browser opens it.
@Suite struct CoveragePageTests {
  /// The text between two others, and what comes after.
  private static func between(_ start: String, _ end: String, in text: String) -> String? {
    guard let from = text.range(of: start),
      let to = text.range(of: end, range: from.upperBound..<text.endIndex)
    else { return nil }
    return String(text[from.upperBound..<to.lowerBound])
  }

  private static func data(of page: String) -> String? {
    between(#"<script type="application/json" id="data">"#, "</script>", in: page)
  }

  @Test func `the page of a report is as a person has read it`() throws {
    var page = try SketchedCoverage.notes.html(of: PageOrigin(version: "0.1.0"))
    // The files beside the template are looked at in a browser.
    for (start, end) in [("<style>", "</style>"), ("<script>", "</script>")] {
      let text = try #require(Self.between(start, end, in: page))
      page = page.replacingOccurrences(of: text, with: "…")
    }
    page = page.replacing(/sha256-[A-Za-z0-9+\/=]+/, with: "…")
    let mismatch = Golden.mismatch(page, "coverage.html")
    #expect(mismatch == nil)
  }

  @Test func `the page's policy names the hashes of its one style and its one script`() throws {
    let page = try SketchedCoverage.notes.html(of: PageOrigin(version: "0.1.0"))
    let policy = try #require(
      Self.between("http-equiv=\"Content-Security-Policy\" content=\"", "\"", in: page)
    )
    #expect(policy.hasPrefix("default-src &#39;none&#39;;"))
    for (name, start, end) in [
      ("style-src", "<style>", "</style>"), ("script-src", "<script>", "</script>"),
    ] {
      let text = try #require(Self.between(start, end, in: page))
      let hash = "sha256-" + Base64.string(SHA256.hash(Array(text.utf8)))
      #expect(policy.contains("\(name) &#39;\(hash)&#39;"))
    }
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(page.components(separatedBy: "<style").count == 2)
    #expect(!page.contains(" style="))
    #expect(!page.contains(" onclick"))
  }

  @Test(arguments: ["http://", "https://", "@import", "url(\"", "src="])
  func `the page names nothing outside of itself`(text: String) throws {
    #expect(try !SketchedCoverage.notes.html(of: PageOrigin(version: "0.1.0")).contains(text))
  }

  @Test func `hostile names stay text`() throws {
    let page = try SketchedCoverage.hostile.html(of: PageOrigin(version: "0.1.0"))
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(!page.contains("<img"))
    #expect(
      !page.unicodeScalars.contains {
        "\u{1b}\u{0}\u{b}\u{202e}\u{2028}\r".unicodeScalars.contains($0)
      }
    )
    // Mustache is not run over what it put in.
    #expect(page.contains("{{name}} {{{raw}}}"))
    let data = try #require(Self.data(of: page))
    #expect(!data.contains("<"))
    #expect(!data.contains("&"))
    let value = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
    let models = value?["models"] as? [[String: Any]]
    let names = models?.first?["nodes"] as? [String]
    #expect(names?.first == SketchedCoverage.hostileNames.first)
    #expect(names?.last == SketchedCoverage.hostileNames.last)
  }

  @Test(arguments: [1, 2, 4, 17, 117])
  func `every version, edge and finding of a history is on its page`(count: Int) throws {
    let report = SketchedHistory.report(versions: max(2, count))
    let page = try report.html(of: PageOrigin(version: "0.1.0"))
    let model = try #require(report.models.first)
    #expect(page.components(separatedBy: " data-node=\"").count == model.nodes.count + 1)
    #expect(page.components(separatedBy: " data-edge=\"").count == model.edges.count + 1)
    let steps = model.edges.count { $0.isConsecutive || $0.kindName == "authored" }
    #expect(page.components(separatedBy: " id=\"step-0-").count == steps + 1)
    let data = try #require(Self.data(of: page))
    let value = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
    let causes = try #require(value?["messages"] as? [Any]).count
    #expect(page.components(separatedBy: " id=\"finding-").count == causes + 1)
    // Additions are counted, and each other finding leads to a cause.
    let told = report.findingsReport.entries.filter { $0.finding.risk != .additive }
    #expect((value?["findings"] as? [Any])?.count == told.count)
    #expect(try page == report.html(of: PageOrigin(version: "0.1.0")))
  }

  @Test func `a report without models is a page too`() throws {
    let page = try CoverageReport(runtime: .staged).html(of: PageOrigin(version: "0.1.0"))
    #expect(page.contains("There is no version to look at."))
    #expect(page.contains("There are none."))
  }

  @Test func `edges that lead nowhere are left out of the drawing`() throws {
    var report = SketchedCoverage.notes
    report.models[0].edges[0] = CoverageReport.Edge(from: 0, to: 99, nil)
    report.models[0].edges[1] = CoverageReport.Edge(from: -1, to: 4, nil)
    report.models[0].paths[0].nodes = [0, 99]
    report.models[0].paths[0].app.nodes = [-3]
    let page = try report.html(of: PageOrigin(version: "0.1.0"))
    #expect(page.components(separatedBy: " data-edge=\"").count == report.models[0].edges.count - 1)
  }
}
