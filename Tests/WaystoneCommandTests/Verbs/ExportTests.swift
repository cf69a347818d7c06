import Foundation
import MigrationTestSupport
import SwiftDataImport
import Testing
import WaystoneCommand

@Suite struct ExportTests {
  @Test func `a version becomes a folder that holds the same version`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let run = CommandRun("export", "v2", "-o", "Copy.xcdatamodel", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let difference = CommandRun("diff", "v2", "Copy.xcdatamodel", in: folder)
      #expect(difference.output.contains("nothing differs"))
      let again = CommandRun("export", "v2", "-o", "Copy.xcdatamodel", in: folder)
      #expect(again.status == .cannotCreate)
    }
  }

  @Test func `all versions become a folder of versions`() throws {
    try TemporaryFolder.with { folder in
      let model = try SketchedModel.write(SketchedModel.library, into: folder)
      let run = CommandRun(
        "export",
        model,
        "-o",
        "Copy.xcdatamodeld",
        "--format",
        "json",
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      let json = try run.json()
      #expect(json["schema"] as? String == "waystone.export/1")
      let versions = CommandRun("versions", "--models", "Copy.xcdatamodeld", in: folder)
      let original = CommandRun("versions", "--models", model, in: folder)
      func table(_ run: CommandRun) -> [Substring] {
        Array(run.output.split(separator: "\n")[1...])
      }
      #expect(table(versions) == table(original))
    }
  }

  @Test func `several versions are not one`() throws {
    try TemporaryFolder.with { folder in
      let model = try SketchedModel.write(SketchedModel.library, into: folder)
      #expect(CommandRun("export", model, "-o", "A.xcdatamodel", in: folder).status == .usage)
      #expect(CommandRun("export", model, "--canonical", in: folder).status == .usage)
      #expect(CommandRun("export", model, "-o", "A.xml", in: folder).status == .usage)
      #expect(CommandRun("export", model, in: folder).status == .usage)
    }
  }

  @Test func `git sees equal models as equal text`() throws {
    try TemporaryFolder.with { folder in
      let entities = SketchedModel.book([("isbn", ""), ("title", "")])
      let reordered = SketchedModel.book([("title", ""), ("isbn", "")])
      try SketchedModel.write(SketchedModel.contents(entities), to: "\(folder)/a1_contents")
      try SketchedModel.write(SketchedModel.contents(reordered), to: "\(folder)/b2_contents")
      let first = CommandRun("export", "--canonical", "a1_contents", in: folder)
      let second = CommandRun("export", "--canonical", "b2_contents", in: folder)
      #expect(first.status == .success, "\(first.errors)")
      #expect(first.output == second.output)
      #expect(first.output.contains(#"<attribute name="isbn""#))
    }
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `a store's own model is archived, and then names its version`() throws {
    let names = [".sqlite", ".wiredatabase", ".moody", ".storedata", ".db", ".store"]
    let stores = Corpus.files { path in names.contains { path.hasSuffix($0) } }
    var counts = (exported: 0, photos: 0, without: 0)
    for store in stores {
      try TemporaryFolder.with { folder in
        let run = CommandRun("export", store, "-o", "Recovered.xcdatamodel", in: folder)
        guard run.status == .success else {
          #expect(run.status == .damagedInput || run.status == .missingInput, "\(run.errors)")
          counts.without += 1
          return
        }
        let inspection = CommandRun(
          "inspect",
          store,
          "--models",
          "Recovered.xcdatamodel",
          "--format",
          "json",
          in: folder
        )
        let json = try inspection.json()
        #expect(json["match"] as? String == "exact", "\(store)")
        #expect(json["versions"] as? [String] == ["Recovered"])
        counts.exported += 1
        if store.contains("photoslibrary") { counts.photos += 1 }
      }
    }
    print(
      "\(counts.exported) stores were exported and identified by the export alone,",
      "\(counts.photos) of them of Photos; \(counts.without) carry no model."
    )
    #expect(counts.exported > 40 && counts.photos > 0)
  }

  @Test(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
  func `Swift that would be read with other hashes is not written`() throws {
    func entity(_ name: String, to other: String, _ more: String = "") -> String {
      #"<entity name="\#(name)" syncable="YES"><relationship name="partner" optional="YES" maxCount="1" "#
        + #"deletionRule="Nullify" destinationEntity="\#(other)" \#(more)/></entity>"#
    }
    try TemporaryFolder.with { folder in
      // Without a word on inverses SwiftData would take each for the other's.
      let open = entity("A", to: "B") + entity("B", to: "A")
      let closed =
        entity("A", to: "B", #"inverseName="partner" inverseEntity="B""#)
        + entity("B", to: "A", #"inverseName="partner" inverseEntity="A""#)
      for (name, entities, status) in [
        ("Open", open, CommandStatus.damagedInput), ("Closed", closed, .success),
      ] {
        try SketchedModel.write([("v1", entities)], into: "\(folder)/\(name)")
        let run = CommandRun(
          "export",
          "v1",
          "--models",
          name,
          "--swift",
          "-o",
          "\(name).swift",
          in: folder
        )
        #expect(run.status == status, "\(run.output)\(run.errors)")
        #expect(
          (TemporaryFolder.bytes(of: "\(folder)/\(name).swift") == nil) == (status != .success)
        )
      }
    }
  }
}
