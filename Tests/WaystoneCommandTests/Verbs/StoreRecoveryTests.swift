import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// A store whose version is missing from the archive, through the whole command.
@Suite struct StoreRecoveryTests {
  private static let versions: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("isbn", ""), ("title", "")])),
    ("v3", SketchedModel.book([("isbn", ""), ("title", ""), ("year", "")])),
  ]

  /// Makes a store of v2 and an archive that lacks it.
  private func withForgottenVersion(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/All")
      let made = CommandRun(
        "generate",
        "v2",
        "--rows",
        "20",
        "--seed",
        "7",
        "-o",
        "Old.sqlite",
        "--models",
        "All",
        in: folder
      )
      #expect(made.status == .success, "\(made.errors)")
      let kept = Self.versions.filter { $0.name != "v2" }
      try SketchedModel.write(kept, into: "\(folder)/ModelArchive")
      try body(folder)
    }
  }

  @Test func `the store's own model takes the place of the missing version`() throws {
    try withForgottenVersion { folder in
      let inspection = CommandRun("inspect", "Old.sqlite", "--format", "json", in: folder)
      let found1 = try inspection.json()["match"] as? String
      #expect(found1 == "recovered")
      #expect(inspection.status == .noPath)
      #expect(inspection.errors.contains("waystone export Old.sqlite"), "\(inspection.errors)")
      let plan = CommandRun("plan", "Old.sqlite", "--to", "v3", in: folder)
      #expect(plan.status == .success, "\(plan.errors)")
      #expect(plan.output.contains("recovered → v3"))
      #expect(plan.output.contains("recovered from the store"))
      let run = CommandRun(
        "migrate",
        "Old.sqlite",
        "--to",
        "v3",
        "-o",
        "New.sqlite",
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let result = CommandRun("inspect", "New.sqlite", "--format", "json", in: folder)
      let found2 = try result.json()["versions"] as? [String]
      #expect(found2 == ["v3"])
    }
  }

  @Test func `archived, the version is like any other`() throws {
    try withForgottenVersion { folder in
      let place = "ModelArchive/Library.xcdatamodeld/v2.xcdatamodel"
      let export = CommandRun("export", "Old.sqlite", "-o", place, in: folder)
      #expect(export.status == .success, "\(export.errors)")
      let inspection = CommandRun("inspect", "Old.sqlite", "--format", "json", in: folder)
      let found3 = try inspection.json()["versions"] as? [String]
      #expect(found3 == ["v2"])
    }
  }
}
