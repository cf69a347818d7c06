import Foundation
import MigrationPlanning
import MigrationReporting
import ObjectModel
import Testing
import Waystone

/// Writes what `Scripts/test-reports` reads, where the environment names a folder.
@Suite struct SampleFiles {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["WAYSTONE_SAMPLES"] != nil))
  func `write samples of every format`() throws {
    let folder = try #require(ProcessInfo.processInfo.environment["WAYSTONE_SAMPLES"])
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let reports = [
      ("notes", SketchedCoverage.notes), ("hostile", SketchedCoverage.hostile),
      ("17", SketchedHistory.report(versions: 17)), ("117", SketchedHistory.report(versions: 117)),
      ("branched", SketchedHistory.branched), ("empty", CoverageReport(runtime: .staged)),
    ]
    for (name, report) in reports {
      let findings = report.findingsReport
      let files = [
        ("html", try report.html(of: PageOrigin(version: "0.1.0"))),
        ("versions.html", try report.versionsHTML(of: PageOrigin(version: "0.1.0"))),
        ("sarif", try findings.sarif(version: "0.1.0").prettyPrinted),
        ("xml", report.junit), ("github", findings.githubAnnotations),
        ("md", report.markdown), ("mmd", report.mermaid), ("dot", report.dot),
      ]
      for (suffix, text) in files {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name).\(suffix)"))
      }
    }
  }
}
