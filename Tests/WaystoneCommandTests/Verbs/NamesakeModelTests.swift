import MigrationTestSupport
import Testing
import WaystoneCommand

/// Two models of one name, in different folders.
@Suite struct NamesakeModelTests {
  @Test func `their versions have names that tell them apart and can be pasted`() throws {
    try TemporaryFolder.with { folder in
      for place in ["New", "Old"] {
        try SketchedModel.write(
          [
            ("N1", SketchedModel.book([("title", ""), (place.lowercased(), "")])),
            ("N2", SketchedModel.book([("title", ""), (place.lowercased(), ""), ("year", "")])),
          ],
          into: "\(folder)/ModelArchive/\(place)",
          model: "M"
        )
      }
      let unclear = CommandRun("plan", "N1", "--to", "N2", in: folder)
      #expect(unclear.status == .usage)
      let names = ["New", "Old"].map { "ModelArchive/\($0)/M.xcdatamodeld/N1" }
      for name in names {
        #expect(unclear.errors.contains(name), "\(unclear.errors)")
        let end = name.replacing("N1", with: "N2")
        let run = CommandRun("plan", name, "--to", end, in: folder)
        #expect(run.status == .success, "\(run.errors)")
        let short = CommandRun("plan", String(name.dropFirst(13)), "--to", end, in: folder)
        #expect(short.status == .success, "\(short.errors)")
      }
      let across = CommandRun("plan", names[0], "--to", names[1], in: folder)
      #expect(across.status != .success)
    }
  }
}
