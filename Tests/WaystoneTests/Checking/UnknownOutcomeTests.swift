import MigrationTestSupport
import Testing
import Waystone

/// An unknown outcome in the app holds a release in each verb, for whichever reason.
@Suite struct UnknownOutcomeTests {
  private static let uuid = "5B0C2C55-6E0B-4B39-9C2A-0F1F8C4E7A10"

  /// A history in which Renaming IDs differ, with the disputed place and the version that disputes it.
  struct Dispute: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let place: String
    let versions: [String]

    static let all = [
      Dispute(
        testDescription: "a UUID as the Renaming ID of an entity, lost between equal hashes",
        place: "v3 Member",
        versions: [
          "Member was \(uuid) { name: String? }",
          "Member was \(uuid) { name: String?; mail: String? }",
          "Member { name: String?; mail: String? }",
        ]
      ),
      Dispute(
        testDescription: "a UUID as the Renaming ID of an attribute, lost between equal hashes",
        place: "v3 Member.name",
        versions: [
          "Member { name: String? was \(uuid) }",
          "Member { name: String? was \(uuid); mail: String? }",
          "Member { name: String?; mail: String? }",
        ]
      ),
      Dispute(
        testDescription: "a Renaming ID that nothing had",
        place: "v2 Parcel.weight",
        versions: [
          "Parcel { weight: String? }", "Parcel { weight: String? was mass; added: String? }",
        ]
      ),
    ]
  }

  @Test(arguments: Dispute.all)
  func `check and coverage report disputed Renaming IDs as one error, until it is accepted`(
    dispute: Dispute
  ) throws {
    try SketchedProject.with(dispute.versions) { project in
      let disputed = try project.check().failures
      #expect(disputed.briefs == ["error WS206 \(dispute.place)"])
      // A UUID was never a name: nothing is renamed by it, and nothing of that name is dropped.
      let (check, coverage) = (try project.check(), try project.coverage())
      for finding in check.allFindings + coverage.allFindings {
        #expect(
          !finding.message.contains("renames it") && !finding.message.contains("drops \(Self.uuid)")
        )
      }
      #expect(try !project.verdict())
      let causes = (disputed + coverage.gaps).map { finding in
        "code: \(finding.code.rawValue)" + (finding.place.subject.map { ", place: \($0)" } ?? "")
      }
      try project.configure(
        "accept:\n" + Set(causes).map { "  - {\($0), reason: Tried.}\n" }.joined()
      )
      #expect(try project.verdict())
    }
  }

  @Test func `a real former name is still called renamed and dropped`() throws {
    try SketchedProject.with(
      "Note { title: String? }",
      "Note { heading: String? was title }",
      "Note { heading: String? }"
    ) { project in
      let message = try #require(try project.check().failures.first).message
      #expect(message.contains("v2 renames it") && message.contains("drops title"))
    }
  }

  @Test func `an unknown without a place is accepted by its version`() throws {
    try SketchedProject.with("Note { title: String? }", "Note { title: String?; more: String? }") {
      project in
      try project.write(
        "stages:\n  - custom: {from: v1, to: v2}\n    did: {handlers: [fill]}\n",
        to: "Library.staged.yml"
      )
      try project.expectFailures(["error WS723 v1"])
      #expect(try !project.verdict())
      try project.accept("code: WS723, version: v1")
      #expect(try project.verdict())
    }
  }

  @Test func `an unknown names the changes that are its reason`() throws {
    try SketchedProject.with(
      "Note { name: String?; d: String? derived name }",
      "Note { name: String?; d: String? derived canonical:(name) }"
    ) { project in
      let unknown = try #require(try project.coverage().gaps.of(.appOutcomeUnknown).first)
      #expect(unknown.message.contains("Note.d (WS328)"))
    }
  }
}
