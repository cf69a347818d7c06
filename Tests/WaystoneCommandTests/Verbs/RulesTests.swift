import Foundation
import MigrationReporting
import MigrationTestSupport
import ObjectModel
import Testing
import WaystoneCommand

@Suite struct RulesTests {
  @Test func `every code is explained, and nothing else`() {
    #expect(Set(FindingCode.allCases).subtracting(Rule.all.keys) == [])
    for (code, rule) in Rule.all {
      #expect(!rule.summary.isEmpty && !rule.why.isEmpty && !rule.fix.isEmpty)
      if code.rawValue.hasPrefix("WS2") { #expect(!rule.example.isEmpty, "\(code)") }
    }
  }

  @Test func `a code that is given up is not given again`() {
    #expect(FindingCode.spent.allSatisfy { FindingCode(rawValue: $0) == nil })
  }

  @Test func `one rule is explained with an example and the fix`() {
    let mismatch = Golden.mismatch(CommandRun("rules", "WS209").output, "rules-WS209.txt")
    #expect(mismatch == nil)
    #expect(CommandRun("rules", "ws209").output == CommandRun("rules", "WS209").output)
    #expect(CommandRun("rules", "suspectedRename").output == CommandRun("rules", "WS209").output)
  }

  @Test func `a hundred is explained`() {
    let mismatch = Golden.mismatch(CommandRun("rules", "WS2xx").output, "rules-WS2xx.txt")
    #expect(mismatch == nil)
  }

  @Test func `all codes are listed`() throws {
    let text = CommandRun("rules").output
    for code in FindingCode.allCases { #expect(text.contains(code.rawValue)) }
    let json = try CommandRun("rules", "--format", "json").json()
    #expect((json["rules"] as? [Any])?.count == FindingCode.allCases.count)
  }

  @Test func `the article of all findings is what the verb prints`() throws {
    let article = SampleArchive.root + "/../Sources/Waystone/Waystone.docc/Findings.md"
    let text = try String(contentsOfFile: article, encoding: .utf8)
    let printed = CommandRun("rules", "--format", "markdown").output
    #expect(text == printed, "waystone rules --format markdown >…/Findings.md")
    for code in FindingCode.allCases { #expect(printed.contains("\n### \(code.rawValue)\n")) }
  }

  @Test func `a code that is none is wrong usage`() {
    #expect(CommandRun("rules", "WS999").status == .usage)
    #expect(CommandRun("rules", "WS0xx").status == .usage)
  }

  @Test func `versions are linted when asked`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", SketchedModel.book([("pinned", "")])),
          ("v2", SketchedModel.book([("isPinned", #"elementID="pined""#)])),
        ],
        into: "\(folder)/ModelArchive"
      )
      #expect(!CommandRun("versions", in: folder).output.contains("WS208"))
      #expect(CommandRun("versions", "--lint", in: folder).output.contains("WS208"))
    }
  }
}
