import Foundation
import MigrationTestSupport
import ModelImport
import Testing
import Waystone

/// A project whose versions a test draws, in a folder of its own, with the library's answers about it.
struct SketchedProject {
  let folder: String

  /// Lends the body a project of one model with versions called v1, v2 and so on; the last one is current.
  ///
  /// - Parameters:
  ///   - sketches: The versions, as ``ModelSketch`` draws them, or as elements of Xcode's file.
  ///   - count: The number of versions, from the first on, that a lock has; none makes no lock.
  ///   - configuration: Lines of `waystone.yml` after `models: .`.
  static func with(
    _ sketches: String...,
    locked count: Int = 0,
    configured configuration: String = "",
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try with(sketches, locked: count, configured: configuration, body)
  }

  /// The same of a list of versions.
  static func with(
    _ sketches: [String],
    locked count: Int = 0,
    configured configuration: String = "",
    _ body: (SketchedProject) throws -> Void
  ) throws {
    let versions = sketches.enumerated().map { ("v\($0 + 1)", $1) }
    try with(named: versions, locked: count, configured: configuration, body)
  }

  /// The same of versions with names.
  static func with(
    named versions: [(name: String, sketch: String)],
    locked count: Int = 0,
    configured configuration: String = "",
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      try project.draw(versions)
      try project.configure(configuration)
      if count > 0 { try project.lock(versions.prefix(count).map(\.name)) }
      try body(project)
    }
  }

  // MARK: Files

  /// Draws versions of a model, the last of which becomes the current one.
  func draw(_ versions: [(name: String, sketch: String)], of model: String = "Library") throws {
    for (name, sketch) in versions { try redraw(name, sketch, of: model) }
    try setCurrent(versions.last?.name ?? "", of: model)
  }

  /// Draws a version; the current one stays what it is.
  func redraw(_ version: String, _ sketch: String, of model: String = "Library") throws {
    let isXML = sketch.hasPrefix("<")
    let text =
      isXML
      ? SketchedModel.contents(sketch)
      : try ModelXMLWriter.write(ModelSketch.model(sketch)).contents
    try write(text, to: "\(model).xcdatamodeld/\(version).xcdatamodel/contents")
  }

  /// Makes a version the current one.
  func setCurrent(_ version: String, of model: String = "Library") throws {
    try write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
      <string>\(version).xcdatamodel</string></dict></plist>
      """,
      to: "\(model).xcdatamodeld/.xccurrentversion"
    )
  }

  /// Removes a file or folder.
  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
  }

  /// Removes a version.
  func remove(version: String) throws {
    try remove("Library.xcdatamodeld/\(version).xcdatamodel")
  }

  /// Writes a file, making its folder.
  func write(_ text: String, to name: String) throws {
    let url = URL(filePath: "\(folder)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  /// Writes `waystone.yml`.
  func configure(_ lines: String) throws { try write("models: .\n\(lines)\n", to: "waystone.yml") }

  /// Accepts findings: `code: WS302, place: Book.title`.
  func accept(_ entries: String..., configured lines: String = "") throws {
    let list = entries.map { "  - {\($0), reason: Tried.}\n" }.joined()
    try configure("\(lines)\naccept:\n\(list)")
  }

  /// Writes a hop file with the entities of a list in YAML: `[{source: Book}]`.
  func hop(_ entities: String, from start: String = "v1", to end: String = "v2") throws {
    try write("from: \(start)\nto: \(end)\nentities: \(entities)\n", to: "\(start)-\(end).hop.yml")
  }

  // MARK: Answers

  /// The project as its files are now.
  var project: Project { get throws { try Project(at: URL(filePath: folder)) } }

  /// Locks versions; without names those that a first lock takes.
  @discardableResult func lock(_ names: [String] = []) throws -> LockUpdate {
    try project.lock(names.isEmpty ? .shipped : .named(names.map { VersionName($0) }))
  }

  /// Locks a version anew as it is now, with a reason.
  @discardableResult func lock(accepting version: String, _ choice: LockChoice = .named([])) throws
    -> LockUpdate
  {
    try project.lock(choice, accepting: VersionName(version), because: "Tried.")
  }

  /// Checks the project.
  func check(_ change: (inout CheckOptions) throws -> Void = { _ in }) throws -> CheckReport {
    var options = CheckOptions()
    try change(&options)
    return try project.check(options)
  }

  /// Expects that a check fails for some findings, and no others.
  func expectFailures(_ expected: [String], at location: SourceLocation = #_sourceLocation) throws {
    let found = try check().failures.briefs
    #expect(found == expected, sourceLocation: location)
  }

  /// Surveys the project.
  func coverage(
    _ runtime: AppRuntime? = nil,
    _ change: (inout CoverageOptions) -> Void = { _ in }
  ) throws -> CoverageReport {
    var options = CoverageOptions()
    options.runtime = runtime
    change(&options)
    return try project.coverage(options)
  }

  /// Expects that coverage has some findings among its gaps.
  func expectGaps(_ expected: [String], at location: SourceLocation = #_sourceLocation) throws {
    let found = try coverage().gaps.briefs
    #expect(expected.allSatisfy { found.contains($0) }, "\(found)", sourceLocation: location)
  }

  /// The codes for which check and coverage fail, which have to be the same.
  func verdict(_ comment: Comment? = nil, at location: SourceLocation = #_sourceLocation) throws
    -> Bool
  {
    let (check, coverage) = (try check(), try coverage())
    #expect(check.isClean == coverage.isComplete, comment, sourceLocation: location)
    return check.isClean && coverage.isComplete
  }

  /// Plans from a version or a store.
  func plan(
    _ start: String,
    to end: String = "@current",
    _ change: (inout MigrationOptions) -> Void = { _ in }
  ) throws -> Planned {
    var options = MigrationOptions()
    change(&options)
    let project = try project
    let planning = try PlanningRequest(from: start, to: end, in: project)
    let request = MigrationRequest(planning, in: project, options: options)
    return try planning.asking(options) { evidence in
      let plan = try planning.plan(options: options, evidence)
      let check = try request.check(plan, evidence)
      return Planned(plan: plan, check: check)
    }
  }

  /// Returns the codes for which a run from a version or a store is refused, or for which there is no plan.
  func planOrRefusals(_ start: String, to end: String = "@current") throws -> [String] {
    do { return try plan(start, to: end).refusals } catch let error as PlanningError {
      return error.blockingFindings.map(\.code.rawValue)
    }
  }

  /// Returns why there is no plan from a version or a store, or no run of it.
  func refusal(_ start: String, to end: String = "@current") throws -> String {
    do {
      return try plan(start, to: end).check.refusals.map(\.message).joined(separator: " ")
    } catch let error as PlanningError {
      return error.blockingFindings.map(\.message).joined(separator: " ")
    }
  }

  /// Migrates a store, in place or to another file, and returns what became of it.
  @discardableResult func migrate(
    _ store: String,
    version: String = "@current",
    to output: String? = nil,
    _ change: (inout MigrationOptions) -> Void = { _ in }
  ) throws -> MigrationOutcome {
    var options = MigrationOptions()
    options.output = output.map { "\(folder)/\($0)" }
    change(&options)
    let project = try project
    let planning = try PlanningRequest(from: store, to: version, in: project)
    let request = MigrationRequest(planning, in: project, options: options)
    let plan = try request.plan()
    return try plan.run(request.options(for: plan.plan))
  }

  /// Makes a store of a version in the folder, changes it by SQL, and returns its name.
  @discardableResult func store(
    _ version: String,
    rows: Int = 9,
    _ sql: String = "",
    as name: String = "s.sqlite"
  ) throws -> String {
    try project.models.generateStore(
      at: URL(filePath: "\(folder)/\(name)"),
      of: VersionName(version),
      rows: rows,
      seed: 3
    )
    if !sql.isEmpty {
      let app = try AppDatabase("\(folder)/\(name)")
      try app.execute(sql)
      try app.checkpointTruncating()
    }
    return name
  }
}

/// A plan, and the answer whether a run of it begins.
struct Planned {
  let plan: MigrationPlan
  let check: PlanCheck

  /// All findings, of the hops and beside them.
  var findings: [Finding] {
    plan.allFindings + check.settlement.findings + check.transformers + check.findings
  }
  /// The codes for which a run is refused.
  var refusals: [String] { check.refusals.map(\.code) }
  /// The names of the versions where it stops, the last one included.
  var stops: [String] { plan.hops.map { $0.destination.name } }
}

extension CoverageReport {
  /// The findings for which it fails.
  var gaps: [Finding] {
    models.flatMap(\.paths).flatMap { $0.gaps(from: threshold) }
      + findings.filter { $0.severity >= threshold }
  }

  /// The outcomes in the app, by the names of versions, or by the store: `v1, v2: loses`.
  var outcomes: [String] {
    models.flatMap(\.paths).map { path in
      "\(path.store ?? path.versions.sorted().joined(separator: ", ")): \(path.app.kind)"
    }
  }

  /// All findings on paths, of the app, of Waystone and of trials, with those on the whole.
  var allFindings: [Finding] {
    models.flatMap(\.paths).flatMap { path in
      path.app.findings + path.findings + (path.trial?.findings ?? [])
    } + findings
  }

  /// The causes for which versions do not arrive, and that are not accepted.
  var openCauses: [Finding] { models.flatMap(\.paths).flatMap(\.openCauses) }
}
