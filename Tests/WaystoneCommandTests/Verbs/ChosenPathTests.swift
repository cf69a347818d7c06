import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing
import WaystoneCommand

/// Paths that the data of a store chooses.
@Suite struct ChosenPathTests {
  /// Writes three versions, of which the second wants `isbn` unique, and a store of the first.
  private func store(in folder: String, rows: Int, isUnique: Bool) throws {
    let unique = """
      <uniquenessConstraints><uniquenessConstraint><constraint value="isbn"/>\
      </uniquenessConstraint></uniquenessConstraints></entity>
      """
    let models = try SketchedModel.write(
      [
        ("v1", SketchedModel.book([("isbn", "")])),
        ("v2", SketchedModel.book([("isbn", "")]).replacing("</entity>", with: unique)),
        ("v3", SketchedModel.book([("isbn", ""), ("title", "")])),
      ],
      into: folder,
      model: "ModelArchive"
    )
    let version = try #require(ArchiveLoader.load(models).versions.first)
    let path = "\(folder)/B.sqlite"
    try StoreGenerator(model: version.model, rows: rows, seed: 1).write(to: path)
    let connection = try AppDatabase(path)
    try connection.execute("UPDATE ZBOOK SET ZISBN = \(isUnique ? "Z_PK" : "'same'")")
    try connection.checkpointTruncating()
  }

  private let models = ["--models", "ModelArchive.xcdatamodeld"]

  @Test func `a run that is resumed takes the path that the data chose`() throws {
    try TemporaryFolder.with { folder in
      try store(in: folder, rows: 30_000, isUnique: true)
      let stopped = try ProcessRun(
        ["migrate", "B.sqlite", "--to", "v3", "--prefer", "v2", "--progress", "ndjson"] + models,
        in: folder,
        stoppedBy: SIGTERM
      )
      #expect(stopped.status == CommandStatus.interrupted.rawValue, "\(stopped.errors)")
      let resumed = CommandRun("resume", "B.sqlite", "--format", "json", in: folder)
      #expect(resumed.status == .success, "\(resumed.errors)")
      let verified = CommandRun(["verify", "B.sqlite"] + models, in: folder)
      #expect(verified.status == .success && verified.output.contains("against v3"))
    }
  }

  @Test func `an explanation asks the store too`() throws {
    try TemporaryFolder.with { folder in
      try store(in: folder, rows: 20, isUnique: false)
      let run = CommandRun(["explain", "B.sqlite", "v2"] + models, in: folder)
      #expect(run.words.contains("of 20 rows share what is to be unique, in 1 group; keys 1, 2"))
    }
  }
}
