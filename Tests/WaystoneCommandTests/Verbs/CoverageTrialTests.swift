import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreGeneration
import StoreMigration
import Testing
import WaystoneCommand

/// Stores that `coverage --run` makes, migrates and verifies.
@Suite struct CoverageTrialTests {
  private func tried(_ run: CommandRun, _ version: String, _ name: String) -> Int? {
    let paths = (try? run.json())?["paths"] as? [[String: Any]] ?? []
    let path = paths.first { $0["from"] as? String == version }
    let trial = path?["trial"] as? [String: Any]
    for exercise in trial?["exercises"] as? [[String: Any]] ?? [] {
      let found = "\(exercise["kind"] as? String ?? "") \(exercise["name"] as? String ?? "")"
      if found == name { return exercise["count"] as? Int }
    }
    return nil
  }

  @Test func `each version's store arrives, and what it tried is listed`() throws {
    try SampleWalk.with { walk in
      let run = CommandRun(
        ["coverage", "--run", "--rows", "120", "--models", "ModelArchive/Letters.xcdatamodeld"],
        in: walk.folder
      )
      let mismatch = Golden.mismatch(run.output, "coverage-run.txt")
      #expect(mismatch == nil)
      let json = CommandRun(
        ["coverage", "--run", "--models", "ModelArchive/Letters.xcdatamodeld", "--format", "json"],
        in: walk.folder
      )
      #expect(tried(json, "v2", "edge v2 → v3") == 1)
      #expect(tried(json, "v2", "edge v3 → v4") == 1)
      #expect(tried(json, "v2", "edge v1 → v2") == nil)
      #expect(tried(json, "v2", "entity Letter") ?? 0 > 50)
      #expect(tried(json, "v2", "attribute Letter.heading") ?? 0 > 20)
      #expect(tried(json, "v2", "relationship Letter.enclosures") ?? 0 > 20)
    }
  }

  @Test func `a condition that no row of a made store broke is not verified`() throws {
    try TemporaryFolder.with { folder in
      func link(_ name: String, _ entity: String, _ inverse: String, _ count: String) -> String {
        #"<relationship name="\#(name)" optional="YES" \#(count) deletionRule="Nullify" "#
          + #"destinationEntity="\#(entity)" inverseName="\#(inverse)" inverseEntity="\#(entity)"/>"#
      }
      func entity(_ name: String, _ parts: String) -> String {
        #"<entity name="\#(name)" syncable="YES">\#(parts)</entity>"#
      }
      let (many, one) = (#"toMany="YES""#, #"maxCount="1""#)
      let back = entity("B", link("a", "A", "bs", one))
      try SketchedModel.write(
        [
          ("v1", entity("A", link("bs", "B", "a", many)) + back),
          ("v2", entity("A", link("bs", "B", "a", one)) + back),
        ],
        into: "\(folder)/ModelArchive"
      )
      for (rows, cell, line) in [
        ("2", "verified in part", "0 of 1 condition tried; not: WS317 A.bs"),
        ("40", "verified", "1 of 1 condition tried"),
      ] {
        let words = CommandRun("coverage", "--run", "--rows", rows, in: folder).words
        #expect(words.contains(line), "\(words)")
        #expect(words.contains("verified in part") == (cell == "verified in part"), "\(words)")
      }
      let run = CommandRun("coverage", "--run", "--rows", "2", "--format", "json", in: folder)
      #expect(tried(run, "v1", "condition WS317 A.bs") == 0)
      #expect(run.output.contains("No row of the made store broke the condition of WS317 A.bs"))
    }
  }

  @Test func `a policy is called with the objects of its entity`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(MappingCommandTests.books, into: "\(folder)/ModelArchive")
      try SketchedModel.write(
        MappingCommandTests.hop.replacing("    where: title != nil\n", with: ""),
        to: "\(folder)/ModelArchive/Mappings/v2-to-v3.hop.yml"
      )
      let arguments = ["coverage", "--run", "--rows", "30", "--format", "json"]
      var registry = MigrationRegistry()
      registry.register(BookPolicy.self)
      let run = CommandRun(arguments, in: folder, registry: registry)
      #expect(tried(run, "v2", "policy Library.BookPolicy") == 30)
      #expect(tried(run, "v1", "policy Library.BookPolicy") == 30)

      let without = CommandRun(arguments, in: folder)
      // What did not arrive was not tried.
      #expect(tried(without, "v2", "entity Book") == 0)
      #expect(tried(run, "v2", "entity Book") == 30)
      #expect(tried(without, "v2", "policy Library.BookPolicy") == 0)
      #expect(tried(without, "v2", "edge v2 → v3") == 0)
      #expect(without.output.contains("The mapping needs your policy Library.BookPolicy"))
      #expect(without.status == .answerIsNo)
      let words = CommandRun(["coverage", "--run", "--rows", "30"], in: folder).words
      #expect(words.contains("needs code"))
      #expect(
        words.contains("Waystone: 0 of 2 can migrate; 2 need code."),
        "\(words)"
      )
    }
  }

  /// The names in the hop file of ``MappingCommandTests``.
  private final class BookPolicy: EntityMigrationPolicy {}

  @Test func `an entity without rows and a failure are told of, path by path`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(CoverageCommandTests.titles, into: "\(folder)/ModelArchive/A")
      try SketchedModel.write(
        [("w1", SketchedModel.book([("a", "")])), ("w2", SketchedModel.book([("b", "")]))],
        into: "\(folder)/ModelArchive/B",
        model: "Shelf"
      )
      let hop = """
        from: w1
        to: w2
        sql: {before: [SELECT nothing FROM nowhere]}
        entities: [{source: Book}]
        """
      try SketchedModel.write(hop, to: "\(folder)/ModelArchive/B/w1-to-w2.hop.yml")
      let run = CommandRun(
        [
          "coverage", "--run", "--allow-sql", "--rows", "1", "--runtime", "progressive", "--format",
          "json",
        ],
        in: folder
      )
      let paths = try run.json()["paths"] as? [[String: Any]] ?? []
      let verified = paths.map { ($0["trial"] as? [String: Any])?["verified"] as? Bool }
      #expect(verified == [true, true, false], "\(run.output) \(run.errors)")
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("WS725"))
      #expect(TemporaryFolder.names(in: folder) == ["ModelArchive"])
    }
  }

  /// A model of which no store can be made, as a child declares what its parent does, beside one of
  /// which a store arrives.
  private func withUnmakeableStore(
    configuration: String = "",
    _ body: (String) throws -> Void
  ) throws {
    func entities(_ more: String) -> String {
      let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
      return #"<entity name="Base">\#(name)\#(more)</entity>"#
        + #"<entity name="Child" parentEntity="Base">\#(name)</entity>"#
    }
    let year = #"<attribute name="year" optional="YES" attributeType="Integer 32"/>"#
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("o1", entities("")), ("o2", entities(year))],
        into: "\(folder)/ModelArchive",
        model: "Odd"
      )
      try SketchedModel.write(
        [
          ("w1", SketchedModel.book([("a", "")])),
          ("w2", SketchedModel.book([("a", ""), ("b", "")])),
        ],
        into: "\(folder)/ModelArchive",
        model: "Shelf"
      )
      if !configuration.isEmpty {
        try SketchedModel.write(configuration, to: "\(folder)/waystone.yml")
      }
      try body(folder)
    }
  }

  @Test func `a store that cannot be made is a gap`() throws {
    try withUnmakeableStore { folder in
      let run = CommandRun("coverage", "--run", "--rows", "9", in: folder)
      #expect(run.status == .answerIsNo)
      #expect(run.output.contains("WS725"), "\(run.output)")
      #expect(run.words.contains("No store of o1 was tried"), "\(run.words)")
      #expect(!run.words.contains("No gap"))
      let junit = CommandRun("coverage", "--run", "--rows", "9", "--format", "junit", in: folder)
      #expect(junit.output.contains(#"failures="1""#), "\(junit.output)")
      #expect(junit.output.contains("A made store was not migrated"))
      // Nor could any other store of the version be migrated, as the table says without a trial.
      #expect(junit.output.contains(#"<failure type="WS217""#))
      let untried = CommandRun("coverage", in: folder)
      #expect(untried.status == .answerIsNo)
      #expect(untried.output.contains("1 hop, refused"), "\(untried.output)")
    }
  }

  @Test func `a failed trial that is accepted passes everywhere and is not called proven`() throws {
    let accepting = """
      accept:
        - {code: WS725, version: o1, reason: The app keeps no such rows.}
        - {code: WS217, place: Child.name, reason: Nobody has such a store.}
      """
    try withUnmakeableStore(configuration: accepting) { folder in
      let run = CommandRun("coverage", "--run", "--rows", "9", in: folder)
      #expect(run.status == .success)
      #expect(run.output.hasSuffix("Not proven: 1 of 2 paths has no trial that arrived.\n"))
      let junit = CommandRun("coverage", "--run", "--rows", "9", "--format", "junit", in: folder)
      #expect(junit.status == .success)
      #expect(!junit.output.contains("<failure"), "\(junit.output)")
      let file = CommandRun(
        ["coverage", "--run", "--rows", "9", "-o", "coverage.md"],
        in: folder
      )
      #expect(file.output.contains("is written. Not proven: 1 of 2 paths"))
    }
  }

  @Test func `a store without rows proves nothing`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        Array(SketchedModel.library.prefix(2)),
        into: "\(folder)/ModelArchive"
      )
      let archive = try ArchiveLoader.load("\(folder)/ModelArchive")
      let model = try #require(archive.versions.first).model
      try StoreGenerator(model: model, rows: 1, seed: 1).write(to: "\(folder)/Empty.sqlite")
      let connection = try AppDatabase("\(folder)/Empty.sqlite")
      try connection.execute("DELETE FROM ZBOOK")
      try connection.checkpointTruncating()
      let run = CommandRun("coverage", "Empty.sqlite", "--run", "--rows", "9", in: folder)
      #expect(run.status == .success, "\(run.output)")
      #expect(run.output.hasSuffix("Not proven: 1 of 2 paths has no trial that arrived.\n"))
      let junit = CommandRun(
        ["coverage", "Empty.sqlite", "--run", "--rows", "9", "--format", "junit"],
        in: folder
      )
      #expect(
        junit.output.contains(
          #"<skipped message="Empty.sqlite (0 rows) was migrated: no step was tried.""#
        ),
        "\(junit.output)"
      )
      #expect(junit.output.contains("A store of 9 rows was made and migrated, and the result"))
    }
  }

  @Test func `a trial settles names by the sample that waystone.yml names`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        Array(SketchedModel.library.prefix(2)),
        into: "\(folder)/ModelArchive"
      )
      let archive = try ArchiveLoader.load("\(folder)/ModelArchive")
      func run(_ version: Int) throws -> CommandRun {
        let model = archive.versions[version].model
        try StoreGenerator(model: model, rows: 1, seed: 1)
          .write(to: "\(folder)/sample\(version).sqlite")
        try SketchedModel.write(
          "samples:\n  v2: sample\(version).sqlite\n",
          to: "\(folder)/waystone.yml"
        )
        return CommandRun("coverage", "--run", "--rows", "9", in: folder)
      }
      #expect(try run(1).status == .success)
      let other = try run(0)
      #expect(other.status == .usage)
      #expect(
        other.errors.contains("sample0.sqlite is no store of v2, but of v1."),
        "\(other.errors)"
      )
    }
  }
}
