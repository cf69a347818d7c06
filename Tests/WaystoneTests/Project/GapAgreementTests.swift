import Foundation
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing
import Waystone

/// `check` and `coverage` hold a new version for the same gaps.
@Suite struct `A gap of coverage` {
  /// The projects of our own: folders with a waystone.yml, the models beside them, and each by itself.
  private static let projects: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: SampleArchive.root)) ?? []
    return [""]
      + names.filter {
        $0.hasSuffix(".xcdatamodeld")
          || FileManager.default.fileExists(atPath: "\(SampleArchive.root)/\($0)/waystone.yml")
      }.sorted()
  }()

  private enum Locked: CaseIterable { case none, before }

  /// Lends the body a copy of all models, with the project in it.
  private static func with(
    _ name: String,
    _ locked: Locked,
    _ configure: (String) throws -> Void = { _ in },
    _ body: (Project) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let archive = "\(folder)/ModelArchive"
      try FileManager.default.copyItem(atPath: SampleArchive.root, toPath: archive)
      let path = name.isEmpty ? archive : "\(archive)/\(name)"
      var project = try Project(at: URL(filePath: path))
      try? FileManager.default.removeItem(atPath: project.lockPath)
      if locked == .before { _ = try project.lock(.shipped) }
      try configure(path)
      project = try Project(at: URL(filePath: path))
      try body(project)
    }
  }

  private static func gaps(_ project: Project) throws -> [Finding] {
    let report = try project.coverage()
    return report.models.flatMap(\.paths).flatMap { $0.gaps(from: report.threshold) }
  }

  @Test(arguments: projects)
  func `fails the check of a version that is not locked`(_ name: String) throws {
    #expect(Self.projects.count > 7)
    for locked in Locked.allCases {
      try Self.with(name, locked) { project in
        let gaps = try Self.gaps(project)
        let check = try project.check()
        #expect(gaps.isEmpty || !check.isClean, "\(name), \(locked): \(gaps.map(\.message))")
        // What an app loses silently is named, by its own code or by its cause.
        let named = Set(check.failures.compactMap(\.place.subject))
        let lost = gaps.filter { $0.code == .appLosesSilently }.compactMap(\.place.subject)
        #expect(named.isSuperset(of: lost), "\(name), \(locked)")
      }
    }
  }

  @Test func `by a lost original name fails the check until it is mended or accepted`() throws {
    let loses: (Finding) -> Bool = {
      $0.code == .appLosesSilently && $0.place.subject == "Recipe.instructions"
    }
    try Self.with("Recipes", .before) { project in
      let failures = try project.check().failures
      #expect(failures.filter(loses).map(\.place.version) == ["v1", "v2"])
      #expect(failures.allSatisfy(loses))
      #expect(failures.allSatisfy { $0.remedy.contains("originalName") })
    }
    let accept = "accept:\n  - {code: WS722, place: Recipe.instructions, reason: Tried by hand.}\n"
    try Self.with("Recipes", .before) { path in
      let file = "\(path)/waystone.yml"
      let text = try String(contentsOfFile: file, encoding: .utf8)
      try TemporaryFolder.write(Array((text + accept).utf8), to: file)
    } _: { project in
      let check = try project.check()
      #expect(check.isClean && check.accepted.filter { loses($0.finding) }.count == 2)
      #expect(!check.allFindings.contains { $0.code == .acceptanceFitsNothing })
      #expect(try Self.gaps(project).isEmpty)
    }
    try Self.with("Recipes", .none) { path in
      for schema in ["SchemaV1", "SchemaV2"] {
        let file = "\(path)/Sources/\(schema).swift"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let mended = text.replacing(
          "var instructions",
          with: "@Attribute(originalName: \"method\") var instructions"
        )
        try TemporaryFolder.write(Array(mended.utf8), to: file)
      }
    } _: { project in
      let check = try project.check()
      let gaps = try Self.gaps(project)
      #expect(check.isClean && gaps.isEmpty)
    }
  }
}
