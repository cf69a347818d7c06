import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Two models of one name, in different folders.
@Suite struct NamesakeModelTests {
  /// Lends a project with the models `New/M` and `Old/M`, each of the versions N1 and N2.
  private func with(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      for place in ["New", "Old"] {
        let own = place.lowercased()
        try SketchedModel.write(
          [
            ("N1", SketchedModel.book([("title", ""), (own, "")])),
            ("N2", SketchedModel.book([("title", ""), (own, ""), ("year", "")])),
          ],
          into: "\(folder)/ModelArchive/\(place)",
          model: "M"
        )
      }
      try SketchedModel.write("models: ModelArchive\n", to: "\(folder)/waystone.yml")
      try body(folder)
    }
  }

  /// Replaces text in the file of a version.
  private func edit(
    _ folder: String,
    _ place: String,
    _ version: String,
    _ old: String,
    _ new: String
  ) throws {
    let path = "\(folder)/ModelArchive/\(place)/M.xcdatamodeld/\(version).xcdatamodel/contents"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try #require(text.contains(old))
    try SketchedModel.write(text.replacing(old, with: new), to: path)
  }

  @Test func `their versions have names that tell them apart and can be pasted`() throws {
    try with { folder in
      let unclear = CommandRun("plan", "N1", "--to", "N2", in: folder)
      #expect(unclear.status == .usage)
      for place in ["New", "Old"] {
        let name = "M (\(place))/N1"
        #expect(unclear.errors.contains(name), "\(unclear.errors)")
        let end = name.replacing("N1", with: "N2")
        let path = "ModelArchive/\(place)/M.xcdatamodeld/N1"
        for start in [name, path, String(path.dropFirst(13))] {
          let run = CommandRun("plan", start, "--to", end, in: folder)
          #expect(run.status == .success, "\(run.errors)")
        }
      }
      let across = CommandRun("plan", "M (New)/N1", "--to", "M (Old)/N1", in: folder)
      #expect(across.status != .success)
    }
  }

  @Test func `both are locked, and an edit of either is told`() throws {
    try with { folder in
      let lock = CommandRun("lock", in: folder)
      #expect(lock.status == .success, "\(lock.errors)")
      #expect(lock.words.contains("added M (New)/N1, M (Old)/N1"), "\(lock.output)")
      #expect(CommandRun("lock", "M (Old)/N2", in: folder).status == .success)
      let check = CommandRun("check", in: folder)
      #expect(check.status == .success, "\(check.output)")
      #expect(check.words.contains("3 versions as locked new M (New)/N2"), "\(check.output)")
      let added = #"<attribute name="more" optional="YES" attributeType="String"/></entity>"#
      try edit(folder, "Old", "N2", "</entity>", added)
      let edited = CommandRun("check", in: folder)
      #expect(edited.status == .answerIsNo)
      #expect(edited.words.contains("WS701 M (Old)/N2: Book.more was added"), "\(edited.output)")
      #expect(!edited.words.contains("WS701 M (New)"), "\(edited.output)")
    }
  }

  @Test func `what is ignored by its path is ignored in that model alone`() throws {
    try with { folder in
      let ignore = "models: ModelArchive\nignore: [Old/M.xcdatamodeld/N1]\n"
      try SketchedModel.write(ignore, to: "\(folder)/waystone.yml")
      let versions = try CommandRun("versions", "--format", "json", in: folder).json()
      let list = try #require(versions["versions"] as? [[String: Any]])
      #expect(
        list.compactMap { $0["qualifiedName"] as? String }
          == ["M (New)/N1", "M (New)/N2", "M (Old)/N2"]
      )
      // What the other model loses is told as before.
      let attribute = #"<attribute name="new" optional="YES" attributeType="String" />"#
      try edit(folder, "New", "N2", attribute, "")
      let check = CommandRun("check", in: folder)
      #expect(check.status == .answerIsNo, "\(check.output)")
    }
  }

  @Test func `a hop file that names the model without its folder still finds its versions`() throws
  {
    try with { folder in
      try edit(folder, "Old", "N2", "year", "isbn")
      try FileManager.default.moveItem(
        atPath: "\(folder)/ModelArchive/Old/M.xcdatamodeld/N1.xcdatamodel",
        toPath: "\(folder)/ModelArchive/Old/M.xcdatamodeld/A1.xcdatamodel"
      )
      try SketchedModel.write(
        "from: M/A1\nto: M/N2\nentities: [{source: Book, attributes: {isbn: '\"none\"'}}]\n",
        to: "\(folder)/ModelArchive/A1-N2.hop.yml"
      )
      let run = CommandRun("plan", "A1", "--to", "M (Old)/N2", in: folder)
      #expect(run.words.contains("A1-N2.hop.yml"), "\(run.output)\(run.errors)")
    }
  }

  @Test func `folders of one name are told apart by those around them`() throws {
    try TemporaryFolder.with { folder in
      for place in ["A/Data", "B/Data", "."] {
        let book = SketchedModel.book([("title", ""), ("of\(place.prefix(1))", "")])
        try SketchedModel.write([("v1", book)], into: "\(folder)/\(place)", model: "M")
      }
      let versions = try CommandRun("versions", "--models", ".", "--format", "json", in: folder)
        .json()
      let list = try #require(versions["versions"] as? [[String: Any]])
      #expect(
        list.compactMap { $0["model"] as? String } == ["M (A:Data)", "M (B:Data)", "M (.)"]
      )
    }
  }

  @Test func `a checkout of Waystone beside the app's models is none of them`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/App")
      let tool = "\(folder)/Tools/waystone"
      try SketchedModel.write([("v1", SketchedModel.book([]))], into: "\(tool)/ModelArchive")
      try SketchedModel.write(
        "from: none\nto: none\n",
        to: "\(tool)/ModelArchive/a.hop.yml"
      )
      try SketchedModel.write("// A package.", to: "\(tool)/Package.swift")
      // Any other package's models may be the app's.
      let other = CommandRun("versions", "--models", ".", "--format", "json", in: folder)
      #expect(try other.json()["versions"].map { ($0 as? [Any])?.count } == 4)
      try SketchedModel.write("// A command.", to: "\(tool)/Sources/WaystoneTool/main.swift")
      try SketchedModel.write("models: .\n", to: "\(folder)/waystone.yml")
      let versions = try CommandRun("versions", "--format", "json", in: folder).json()
      #expect((versions["versions"] as? [Any])?.count == 3)
      let check = CommandRun("check", in: folder)
      #expect(check.status == .success, "\(check.output)\(check.errors)")
      // Who names it, means it.
      let own = CommandRun("versions", "--models", "Tools/waystone", in: folder)
      #expect(own.status == .success, "\(own.errors)")
    }
  }
}
