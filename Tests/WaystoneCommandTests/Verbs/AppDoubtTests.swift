import MigrationTestSupport
import Testing
import WaystoneCommand

/// Steps into new versions of which Apple's documents do not say whether the app takes them.
@Suite struct AppDoubtTests {
  /// Two versions, what of their step is in doubt, and a hop file for it.
  struct Step: Sendable, CustomTestStringConvertible {
    let code: String
    let place: String
    let versions: [(name: String, entities: String)]
    let hop: String

    init(_ code: String, _ place: String, _ old: String, _ new: String, hop: String) {
      (self.code, self.place, self.hop) = (code, place, hop)
      versions = [("v1", old), ("v2", new)]
    }

    var testDescription: String { "\(code) \(place)" }

    static let all = [
      Step(
        "WS306",
        "A.b",
        entity("A", name) + entity("B", name),
        entity("A", name + link("b", "B", "a", isOptional: false))
          + entity("B", name + link("a", "A", "b")),
        hop: "[{source: A}, {source: B}]"
      ),
      Step(
        "WS328",
        "A.d",
        entity("A", name + derived("name")),
        entity("A", name + derived("canonical:(name)")),
        hop: "[{source: A}]"
      ),
      Step(
        "WS335",
        "A",
        entity("A", name, #"isAbstract="YES""#) + entity("B", "", #"parentEntity="A""#),
        entity("A", name) + entity("B", "", #"parentEntity="A""#),
        hop: "[{source: B}]"
      ),
    ]

    private static let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#

    private static func derived(_ expression: String) -> String {
      #"<attribute name="d" optional="YES" attributeType="String" derived="YES" "#
        + #"derivationExpression="\#(expression)"/>"#
    }

    private static func link(
      _ name: String,
      _ entity: String,
      _ inverse: String,
      isOptional: Bool = true
    ) -> String {
      #"<relationship name="\#(name)" \#(isOptional ? #"optional="YES""# : "") maxCount="1" "#
        + #"deletionRule="Nullify" destinationEntity="\#(entity)" inverseName="\#(inverse)" "#
        + #"inverseEntity="\#(entity)"/>"#
    }

    private static func entity(_ name: String, _ contents: String, _ more: String = "") -> String {
      #"<entity name="\#(name)" \#(more) syncable="YES">\#(contents)</entity>"#
    }
  }

  /// Lends a project of two versions of which users have the first.
  private func with(
    _ versions: [(name: String, entities: String)],
    hop: String? = nil,
    runtime: String = "direct",
    _ body: (_ folder: String, _ configuration: String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions, into: folder)
      let configuration = "models: .\nruntime: \(runtime)\n"
      try SketchedModel.write(configuration, to: "\(folder)/waystone.yml")
      if let hop {
        try SketchedModel.write(
          "from: v1\nto: v2\nentities: \(hop)\n",
          to: "\(folder)/v1-v2.hop.yml"
        )
      }
      let lock = CommandRun("lock", "v1", in: folder)
      try #require(lock.status == .success, "\(lock.errors)")
      try body(folder, configuration)
    }
  }

  @Test(arguments: Step.all, [false, true])
  func `a step that the app may not take fails check and coverage until it was tried`(
    step: Step,
    hasHop: Bool
  ) throws {
    try with(step.versions, hop: hasHop ? step.hop : nil) { folder, configuration in
      let check = CommandRun("check", in: folder)
      #expect(check.status == .answerIsNo)
      #expect(check.words.contains("error \(step.code) v2: "), "\(check.output)")
      #expect(check.words.contains("What the app does with stores of v1 is unknown."))
      #expect(check.words.contains("Try the app on a store of v1 first; if it works, accept"))
      let failed = try #require(check.words.firstRange(of: "Failed: ")).upperBound
      #expect(check.words[failed...].contains(step.code), "\(check.output)")
      let coverage = CommandRun("coverage", in: folder)
      #expect(coverage.status == .answerIsNo)
      #expect(coverage.words.contains("error \(step.code)"), "\(coverage.output)")
      // A hop file that gives a required relationship no link has a finding of its own.
      let examples = check.output.split(separator: "\n").filter { $0.hasPrefix("  - {code: ") }
      #expect(examples.contains { $0.contains(step.code) }, "\(check.output)")
      let accepted = examples.joined(separator: "\n").replacing("...", with: "We tried it.")
      try SketchedModel.write(
        configuration + "accept:\n" + accepted + "\n",
        to: "\(folder)/waystone.yml"
      )
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .success, "\(run.output)")
        #expect(run.words.contains("We tried it."), "\(run.output)")
      }
    }
  }

  @Test(arguments: Step.all) func `a step that users have taken is in no doubt`(step: Step) throws {
    try with(step.versions) { folder, _ in
      #expect(CommandRun("lock", "v2", in: folder).status == .success)
      let check = CommandRun("check", "--format", "json", in: folder)
      #expect(check.status == .success)
      let findings = try check.json()["findings"] as? [[String: Any]] ?? []
      #expect(!findings.contains { $0["severity"] as? String == "error" }, "\(findings)")
    }
  }

  @Test(arguments: ["direct", "progressive"])
  func `what only a hop file carries is lost by the app, which check says too`(runtime: String)
    throws
  {
    let versions = [
      ("v1", SketchedModel.book([("title", "")])),
      ("v2", SketchedModel.book([("loud", ""), ("title", "")])),
    ]
    let hop = "[{source: Book, attributes: {loud: 'uppercase:($source.title)'}}]"
    try with(versions, hop: hop, runtime: runtime) { folder, configuration in
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .answerIsNo)
        #expect(
          run.words.contains("error WS722 v1: Book.loud is lost: it stays empty in the app"),
          "\(run.output)"
        )
      }
      let changed = CommandRun("check", "--format", "json", in: folder)
      let first = try #require((try changed.json()["findings"] as? [[String: Any]])?.first)
      #expect("\(first)".contains("v2.xcdatamodel"), "\(first)")
      try SketchedModel.write(
        configuration
          + "accept: [{code: WS722, place: Book.loud, version: v1, reason: Waystone runs first.}]\n",
        to: "\(folder)/waystone.yml"
      )
      for verb in ["check", "coverage"] {
        #expect(CommandRun(verb, in: folder).status == .success)
      }
    }
  }

  @Test func `a hop file changes nothing of what the app may lose on a step that it takes itself`()
    throws
  {
    func book(_ type: String) -> String {
      #"<entity name="Book" syncable="YES"><attribute name="pages" optional="YES" attributeType="Integer "#
        + #"\#(type)"/></entity>"#
    }
    let versions = [("v1", book("64")), ("v2", book("16"))]
    for hop in [nil, "[{source: Book}]"] {
      try with(versions, hop: hop) { folder, configuration in
        for verb in ["check", "coverage"] {
          let run = CommandRun(verb, in: folder)
          #expect(run.status == .answerIsNo)
          #expect(run.words.contains("error WS310 v2: Book.pages changes from"), "\(run.output)")
          #expect(run.words.contains("does not read v1-v2.hop.yml") == (hop != nil))
        }
        let lines = CommandRun("check", in: folder).output.split(separator: "\n")
          .filter { $0.contains("{code: WS310, place: Book.pages") }
        #expect(lines.count == 1, "\(lines)")
        let entry = try #require(lines.first).replacing("\"...\"", with: "Books are short.")
        try SketchedModel.write(
          configuration + "accept:\n\(entry)\n",
          to: "\(folder)/waystone.yml"
        )
        for verb in ["check", "coverage"] {
          #expect(CommandRun(verb, in: folder).status == .success)
        }
      }
    }
  }

  @Test func `a required attribute that may be a dropped one is one finding, with both its fixes`()
    throws
  {
    func book(_ attribute: String, _ more: String = "") -> String {
      SketchedModel.book([(attribute, more)]).replacing(#"optional="YES""#, with: "")
    }
    let versions = [
      ("v1", book("title", #"elementID="caption""#)), ("v2", book("headline")),
    ]
    try with(versions) { folder, _ in
      let check = CommandRun("check", in: folder)
      #expect(check.words.contains("1 error, 0 warnings"), "\(check.output)")
      #expect(check.words.contains("Failed: WS707."))
      #expect(!check.words.contains("WS209") && !check.words.contains("WS401"))
      for run in [check, CommandRun("coverage", in: folder)] {
        #expect(
          run.words.contains("existing rows have no value for it. Book.title is no longer in"),
          "\(run.output)"
        )
        #expect(
          run.words.contains(
            #"Only if it holds the data of title, set its Renaming ID to "caption", in this version "#
              + "and all later ones; no version hash changes. Else give it a default in the model"
          ),
          "\(run.output)"
        )
      }
    }
    let optional = [versions[0], ("v2", SketchedModel.book([("headline", "")]))]
    try with(optional) { folder, _ in
      #expect(CommandRun("check", in: folder).words.contains("Failed: WS209."))
    }
  }
}
