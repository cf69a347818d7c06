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

  @Test(arguments: [(true, ["v2", "v3"]), (false, ["v3"])])
  func `a version is stopped at where its condition holds`(isUnique: Bool, stops: [String]) throws {
    try TemporaryFolder.with { folder in
      try store(in: folder, rows: 20, isUnique: isUnique)
      let run = CommandRun(
        ["plan", "B.sqlite", "--to", "v3", "--prefer", "v2", "--format", "json"] + models,
        in: folder
      )
      let hops = try run.json()["hops"] as? [[String: Any]] ?? []
      #expect(hops.map { $0["to"] as? String ?? "" } == stops)
      #expect(run.status == .success)
    }
  }

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

  @Test func `a shortcut that is named is taken where the rows stop a run over its versions`()
    throws
  {
    try TemporaryFolder.with { folder in
      func note(_ type: String, _ more: String = "") -> String {
        #"<entity name="Note" syncable="YES"><attribute name="n" optional="YES" "#
          + #"attributeType="Integer \#(type)"/>\#(more)</entity>"#
      }
      let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
      try SketchedModel.write(
        [("v1", note("32")), ("v2", note("16")), ("v3", note("32", title))],
        into: folder,
        model: "ModelArchive"
      )
      let made = CommandRun(
        ["generate", "v1", "--rows", "9", "-o", "N.sqlite"] + models,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      let store = try AppDatabase("\(folder)/N.sqlite")
      try store.execute("UPDATE ZNOTE SET ZN = 100000 + Z_PK")
      try store.checkpointTruncating()
      let plan = CommandRun(["plan", "N.sqlite"] + models, in: folder)
      #expect(plan.status == .answerIsNo)
      #expect(plan.words.contains("2 hops refused: WS310"), "\(plan.words)")
      let named = CommandRun(
        ["plan", "N.sqlite", "--accept-shortcut", "v1..v3"] + models,
        in: folder
      )
      #expect(named.status == .success)
      #expect(named.words.contains("does not do the same as the path through v2"))
      #expect(named.words.contains("Nothing is dropped."), "\(named.words)")
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
