import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// The findings of `check` on versions, and its advice.
@Suite struct VersionFindingTests {
  private static func entity(_ name: String, _ attributes: String..., unique: String? = nil)
    -> String
  {
    let lines = attributes.map {
      #"<attribute name="\#($0)" optional="YES" attributeType="String"/>"#
    }
    let constraint = unique.map {
      #"<uniquenessConstraints><uniquenessConstraint><constraint value="\#($0)"/>"#
        + "</uniquenessConstraint></uniquenessConstraints>"
    }
    return #"<entity name="\#(name)" representedClassName="\#(name)" syncable="YES">"#
      + lines.joined() + (constraint ?? "") + "</entity>"
  }

  /// Lends a project with versions, of which one is current, and a `waystone.yml`.
  private func with(
    _ versions: [(name: String, entities: String)],
    current: String? = nil,
    _ configuration: String = "",
    _ body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let model = try SketchedModel.write(versions, into: folder)
      if let current {
        let file = "\(model)/.xccurrentversion"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try SketchedModel.write(
          text.replacing(
            "\(versions.last?.name ?? "").xcdatamodel",
            with: "\(current).xcdatamodel"
          ),
          to: file
        )
      }
      try SketchedModel.write("models: .\n" + configuration, to: "\(folder)/waystone.yml")
      try body(folder)
    }
  }

  @Test func `a version that a later one went back to goes on to the current one`() throws {
    let versions = [
      ("v1", Self.entity("A", "name", "old")), ("v2", Self.entity("A", "name")),
      ("v3", Self.entity("A", "name", "old")),
    ]
    try with(versions, current: "v2") { folder in
      let check = CommandRun("check", in: folder)
      #expect(check.words.contains("WS302 v2: A.old is dropped"), "\(check.output)")
      #expect(!check.words.contains("WS707"), "\(check.output)")
      let plan = CommandRun("plan", "v1", in: folder)
      #expect(plan.status == .success && plan.words.contains("A.old is dropped"), "\(plan.errors)")
      let coverage = try CommandRun("coverage", "--format", "json", in: folder).json()
      let paths = coverage["paths"] as? [[String: Any]]
      #expect(paths?.map { $0["versions"] as? [String] } == [["v1"]], "\(coverage)")
      #expect(CommandRun("graph", in: folder).words.contains("v1 = v3 → v2"))
    }
  }

  @Test func `versions that count on are no two heads`() throws {
    let versions = [
      ("v1", Self.entity("A", "name")), ("v2", Self.entity("A", "name", "one")),
      ("v3", Self.entity("A", "name", "two")),
    ]
    try with(versions, "shipped: [v1]\n") { folder in
      #expect(CommandRun("heads", in: folder).words.contains("v3 is next after v1"))
      #expect(!CommandRun("check", in: folder).words.contains("WS708"))
    }
    let branches = [versions[0], ("v2-left", versions[1].1), ("v2-right", versions[2].1)]
    try with(branches, "shipped: [v1]\n") { folder in
      #expect(CommandRun("check", in: folder).words.contains("WS708"))
    }
  }

  @Test func `a constraint of a unique entity whose attribute is new claims nothing of rows`()
    throws
  {
    let first = ("v1", Self.entity("A", "id", "name", unique: "id"))
    try with([first, ("v2", Self.entity("A", "id", "name", "uuid", unique: "uuid"))]) { folder in
      let words = CommandRun("check", "--verbose", in: folder).words
      #expect(words.contains("A.uuid is new") && !words.contains("WS314"), "\(words)")
    }
    try with([first, ("v2", Self.entity("A", "id", "name", unique: "name"))]) { folder in
      #expect(CommandRun("check", "--verbose", in: folder).words.contains("WS314"))
    }
  }

  @Test func `all that a dropped property may be is named where nothing tells which`() throws {
    let versions = [
      ("v1", Self.entity("Book", "author", "title") + Self.entity("Person", "name")),
      ("v2", Self.entity("Book", "heading", "writer") + Self.entity("Human", "name")),
    ]
    try with(versions) { folder in
      let words = CommandRun("check", in: folder).words
      for name in ["author", "title"] {
        #expect(
          words.contains("Book.\(name) (Book.heading and Book.writer are new)"),
          "\(words)"
        )
      }
      // A small entity with the same attributes is one, whatever its name.
      #expect(
        words.contains("Person (Human is new)"),
        "\(words)"
      )
    }
  }

  @Test func `a Renaming ID is to be set where it was lost, and in later versions`() throws {
    func book(_ identifier: String) -> String { SketchedModel.book([("heading", identifier)]) }
    let versions = [
      ("v1", SketchedModel.book([("title", "")])), ("v2", book(#"elementID="title""#)),
      ("v3", SketchedModel.book([("heading", ""), ("pages", "")])),
    ]
    try with(versions) { folder in
      let words = CommandRun("check", in: folder).words
      #expect(words.contains("WS206"), "\(words)")
      #expect(
        words.contains(
          #"Set its Renaming ID to "title", in this version and all later ones; no version hash "#
            + "changes."
        ),
        "\(words)"
      )
    }
  }

  @Test func `one wrong Renaming ID is one finding`() throws {
    func book(_ identifier: String, _ more: String...) -> String {
      SketchedModel.book([("title", identifier)] + more.map { ($0, "") })
    }
    let versions = [
      ("v1", book("")), ("v2", book(#"elementID="tilte""#, "pages")),
      ("v3", book("", "pages", "year")),
    ]
    try with(versions) { folder in
      let words = CommandRun("check", in: folder).words
      #expect(!words.contains("WS208"), "\(words)")
      #expect(words.contains("v3 has mended it: no edit is needed."), "\(words)")
    }
  }

  private static let narrowed: [(name: String, entities: String)] = ["String", "Date"].enumerated()
    .map { index, type in
      (
        "v\(index + 1)",
        Self.entity("A", "name").replacing(
          "</entity>",
          with: #"<attribute name="x" optional="YES" attributeType="\#(type)"/></entity>"#
        )
      )
    }

  @Test func `what the app cannot migrate wants a mapping model, before and after a hop file`()
    throws
  {
    try with(Self.narrowed) { folder in
      for _ in 0..<2 {
        let words = CommandRun("check", in: folder).words
        #expect(
          words.contains("WS707") && words.contains("ive the app a mapping model"),
          "\(words)"
        )
        #expect(!words.contains("init --hop"), "\(words)")
        let hop = "from: v1\nto: v2\nentities:\n  - {source: A, attributes: {x: null}}\n"
        try SketchedModel.write(hop, to: "\(folder)/a.hop.yml")
      }
    }
  }

  @Test(arguments: [true, false])
  func `a mapping model without its file is an error, and all else is reported`(isLink: Bool) throws
  {
    let versions = [("v1", Self.entity("A", "name")), ("v2", Self.entity("A", "name", "more"))]
    try with(versions) { folder in
      let made = CommandRun(["generate", "v1", "--rows", "3", "-o", "s.sqlite"], in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let mapping = "\(folder)/maps/v1-v2.xcmappingmodel"
      try FileManager.default.createDirectory(
        atPath: isLink ? "\(folder)/maps" : mapping,
        withIntermediateDirectories: true
      )
      if isLink {
        try FileManager.default.createSymbolicLink(
          atPath: mapping,
          withDestinationPath: "nowhere.xcmappingmodel"
        )
      }
      for arguments in [["check"], ["coverage"], ["plan", "v1"], ["plan", "s.sqlite"]] {
        let run = CommandRun(arguments, in: folder)
        #expect(run.words.contains("error WS106"), "\(run.output)\(run.errors)")
        #expect(run.words.contains("maps/v1-v2.xcmappingmodel"), "\(run.output)")
        #expect(run.status != .success, "\(run.output)")
      }
      let totals = try CommandRun("coverage", "--format", "json", in: folder).json()["summary"]
      #expect(
        (totals as? [String: Any])?["reachable"] as? Int == 0,
        "\(String(describing: totals))"
      )
      // The step that the mapping is for would be another without it.
      let migrated = CommandRun("migrate", "s.sqlite", in: folder)
      #expect(migrated.status == .noPath, "\(migrated.output)\(migrated.errors)")
      #expect(migrated.errors.contains("maps/v1-v2.xcmappingmodel: "), "\(migrated.errors)")
      #expect(CommandRun("versions", in: folder).status == .success)
      // One that the user names is all that the command is about.
      let named = CommandRun("check", "--mappings", "maps", in: folder)
      let words = isLink ? "v1-v2.xcmappingmodel" : "has no xcmapping.xml"
      #expect(named.errors.contains(words), "\(named.errors)")
    }
  }

  @Test func `mappings of a version that is left out are left out with a note`() throws {
    let versions = [
      ("Draft", Self.entity("A", "other")), ("v1", Self.entity("A", "name")),
      ("v2", Self.entity("A", "name", "more")),
    ]
    try with(versions, "ignore: [Draft]\n") { folder in
      let hop =
        "from: Draft\nto: v2\nentities:\n  - {source: A, attributes: {name: $source.other}}\n"
      try SketchedModel.write(hop, to: "\(folder)/draft.hop.yml")
      try SketchedModel.write(
        "stages:\n  - lightweight: [Draft, v1, v2]\n",
        to: "\(folder)/draft.staged.yml"
      )
      for verb in ["check", "coverage", "plan"] {
        let arguments = verb == "plan" ? [verb, "v1"] : [verb]
        #expect(CommandRun(arguments, in: folder).status == .success, "\(verb)")
      }
      let words = CommandRun("check", "--verbose", in: folder).words
      #expect(words.contains("note WS106 ./draft.hop.yml:1"), "\(words)")
      #expect(words.contains("for the version Draft, which `ignore`"), "\(words)")
      #expect(words.contains("it has the version Draft, which `ignore`"), "\(words)")
    }
  }

  @Test func `a policy that the app has is a note, and its path is none of Waystone's`() throws {
    try with(Self.narrowed) { folder in
      let hop =
        "from: v1\nto: v2\nentities:\n  - {source: A, policy: Mover, attributes: {x: null}}\n"
      try SketchedModel.write(hop, to: "\(folder)/a.hop.yml")
      let words = CommandRun("check", "--verbose", in: folder).words
      #expect(words.contains("note WS408"), "\(words)")
      for arguments in [["coverage"], ["coverage", "--run", "--rows", "20"]] {
        let text = CommandRun(arguments, in: folder)
        #expect(text.words.contains("0 of 1"), "\(text.output)")
        let severity = arguments.contains("--run") ? "error" : "note"
        #expect(text.words.contains("\(severity) WS408"), "\(text.output)")
        let json = try CommandRun(arguments + ["--format", "json"], in: folder).json()
        let paths = json["paths"] as? [[String: Any]]
        #expect(paths?.map { $0["reachable"] as? Bool } == [false], "\(json)")
      }
    }
    let notes = SampleArchive.root + "/Notes.xcdatamodeld"
    let check = CommandRun("check", "--models", notes, "--verbose")
    #expect(check.words.contains("note WS408"), "\(check.output)")
    #expect(check.words.contains("The app is not affected."), "\(check.output)")
    func reached(_ more: String...) throws -> (Int?, [String]) {
      let run = CommandRun(["coverage", "--models", notes, "--format", "json"] + more)
      let totals = try run.json()["summary"] as? [String: Any]
      let words = try String(
        decoding: JSONSerialization.data(withJSONObject: run.json()),
        as: UTF8.self
      )
      return (totals?["reachable"] as? Int, words.contains("WS408") ? ["WS408"] : [])
    }
    let (plain, tried) = (try reached(), try reached("--run", "--rows", "20"))
    #expect(plain.0 != nil && plain.0 == tried.0 && plain.1 == ["WS408"], "\(plain) \(tried)")
  }
}
