import MigrationPlanning
import ObjectModel
import Testing
import Waystone

@Suite struct ConfigurationRulesTests {
  @Test func `what was shipped, how it runs and what may pass is read`() throws {
    let configuration = try Configuration.parse(
      """
      shipped: [v1, v2]
      runtime: progressive
      relies-on: both
      policy:
        maximum: warning
        loss: none
        coverage: 95
      accept:
        - code: WS302
          place: Note.title
          version: v3
          reason: The title moved to the body.
        - {code: WS105, version: v9, reason: The order is known}
      """,
      path: "waystone.yml"
    )
    #expect(configuration.shipped[""]?.versions == ["v1", "v2"])
    #expect(configuration.runtime == .progressive)
    #expect(configuration.reliance == .both)
    #expect(configuration.policy.maximum == .warning)
    #expect(configuration.policy.loss == .none)
    #expect(configuration.policy.coverage == 95)
    let acceptances = configuration.acceptances
    #expect(acceptances.map(\.code) == [.attributeDropped, .doubtfulOrder])
    #expect(acceptances.map(\.place) == ["Note.title", nil])
    #expect(acceptances.map(\.version) == ["v3", "v9"])
    #expect(acceptances.first?.reason == "The title moved to the body.")
    #expect(acceptances.map(\.line) == [9, 13])
  }

  @Test func `shipped versions may be given for each model`() throws {
    let configuration = try Configuration.parse(
      "shipped:\n  A: [a1, a2]\n  B: [b]\n",
      path: "waystone.yml"
    )
    #expect(configuration.shipped["A"]?.versions == ["a1", "a2"])
    #expect(configuration.shipped["B"]?.line == 3)
  }

  @Test func `a file that says nothing lets errors fail and declared loss pass`() {
    let configuration = Configuration(path: "waystone.yml")
    #expect(configuration.shipped.isEmpty)
    #expect(configuration.runtime == nil)
    #expect(configuration.reliance == .app)
    #expect(configuration.policy.threshold == .error)
    #expect(configuration.policy.loss == .declared)
    #expect(configuration.policy.coverage == nil)
  }

  @Test(arguments: [
    ("relies-on: core-data\n", "1: `relies-on` must be app, waystone or both."),
    ("relies-on: [app]\n", "1: `relies-on` must be app, waystone or both."),
    ("shipped: v1\n", "1: `shipped` must be a list of versions."),
    ("shipped:\n- v1\n- v1\n", "3: Version v1 stands twice in `shipped`."),
    (
      "runtime: magic\n",
      "1: `runtime` must be direct, progressive, staged, swiftdata or swiftdata-plan."
    ),
    ("policy: strict\n", "1: `policy` must be keys and values."),
    ("policy:\n  maximum: fatal\n", "2: `maximum` must be note, warning or error."),
    ("policy:\n  loss: any\n", "2: `loss` must be none or declared."),
    ("policy:\n  coverage: 101\n", "2: `coverage` must be a number from 0 to 100."),
    ("policy:\n  cover: 1\n", "2: A policy has no key `cover`."),
    ("accept: WS302\n", "1: `accept` must be a list of findings, each with a code and a reason."),
    (
      "accept:\n- WS302\n", "2: `accept` must be a list of findings, each with a code and a reason."
    ),
    ("accept:\n- code: WS999\n", "2: There is no finding WS999."),
    ("accept:\n- place: A.b\n  reason: r\n", "2: An accepted finding must have a code."),
    ("accept:\n- code: WS302\n  place: A.b\n", "2: An accepted finding must have a reason."),
    (
      "accept:\n- {code: WS302, place: A.b, reason: ' '}\n",
      "2: An accepted finding must have a reason."
    ),
    (
      "accept:\n- {code: WS302, reason: r}\n",
      "2: An accepted finding must have a place or a version."
    ),
    (
      "accept:\n- code: WS302\n  because: r\n",
      "3: An accepted finding has no key `because`."
    ),
  ])
  func `an error names file and line`(text: String, message: String) {
    let error = #expect(throws: WaystoneError.self) {
      try Configuration.parse(text, path: "waystone.yml")
    }
    #expect(error?.message == "waystone.yml:\(message)")
    #expect(error?.code == .badConfiguration)
  }

  @Test(arguments: [
    ("place: Note.title", true), ("place: Note.body", false), ("place: Note", false),
    ("place: Maps/a.cdm", true), ("version: v3", true), ("version: Letters/v3", true),
    ("version: v30", false), ("version: 3", false), ("place: Note.title, version: v3", true),
    ("place: Note.title, version: v2", false),
  ])
  func `an acceptance fits a finding of its code, place and version`(
    text: String,
    isFitting: Bool
  ) throws {
    let configuration = try Configuration.parse(
      "accept: [{code: WS302, \(text), reason: r}]",
      path: "waystone.yml"
    )
    let acceptance = try #require(configuration.acceptances.first)
    let place = Finding.Place(
      file: "Maps/a.cdm",
      version: "v3",
      entity: "Note",
      property: "title"
    )
    let finding = Finding(.attributeDropped, .warning, at: place, message: "", remedy: "")
    #expect(acceptance.fits(finding) == isFitting)
    let other = Finding(.entityDropped, .warning, at: place, message: "", remedy: "")
    #expect(!acceptance.fits(other))
  }
}
