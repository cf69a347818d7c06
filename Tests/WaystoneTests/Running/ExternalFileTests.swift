import Files
import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// A store of letters whose pictures lie in files, of which an output gets copies.
@Suite struct `External files` {
  private static let names = [
    "0B1C2D3E-0000-4000-8000-00000000000A", "0B1C2D3E-0000-4000-8000-00000000000B",
  ]

  /// A store, two of whose values lie in files.
  private struct Place {
    let sample: SampleStore
    var folder: String { sample.folder }
    var external: String { "\(folder)/.app_SUPPORT/_EXTERNAL_DATA" }
    var copied: String { "\(folder)/.O_SUPPORT/_EXTERNAL_DATA" }

    /// The files of the values.
    var files: [String] { names.map { "\(external)/\($0)" } }

    @discardableResult func migrate(_ output: String? = "O.sqlite") throws -> MigrationOutcome {
      try sample.migrate(to: "Letters/v4", output: output)
    }
  }

  private func with(_ body: (Place) throws -> Void) throws {
    try SampleStore.with("Letters", "v1", rows: 60) { sample in
      let place = Place(sample: sample)
      try FileManager.default.createDirectory(
        atPath: place.external,
        withIntermediateDirectories: true
      )
      for (index, name) in Self.names.enumerated() {
        try sample.change(
          "UPDATE ZENCLOSURE SET ZPICTURE = CAST(x'02' || CAST('\(name)' AS BLOB) || x'00' AS BLOB) "
            + "WHERE Z_PK = (SELECT Z_PK FROM ZENCLOSURE ORDER BY Z_PK LIMIT 1 OFFSET \(index))"
        )
        let bytes = [UInt8](repeating: UInt8(index + 1), count: 200_000)
        try TemporaryFolder.write(bytes, to: place.files[index])
      }
      try body(place)
    }
  }

  @Test func `each file is carried, missing, orphaned or odd`() throws {  // M1
    try with { place in
      try TemporaryFolder.write([7], to: place.external + "/orphan")
      try FileSystem.remove(place.files[1])
      try FileManager.default.createDirectory(
        atPath: place.external + "/folder",
        withIntermediateDirectories: false
      )
      #expect(mkfifo(place.external + "/pipe", 0o600) == 0)
      #expect(symlink("/nowhere", place.external + "/dangling") == 0)
      let odd: [UInt8] = Array((place.external + "/").utf8) + [0xff, 0xfe, 0]
      let descriptor = odd.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
        $0.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
      }
      #expect(descriptor >= 0)
      close(descriptor)
      let outcome = try place.migrate()
      let codes = Set(outcome.findings.map(\.code))
      #expect(
        codes.isSuperset(of: [.externalDataMissing, .externalDataOrphaned, .externalDataOdd])
      )
      let files = try #require(outcome.externalFiles)
      #expect(files.carriedCount == 2 && files.carriedBytes == 200_001)
      #expect(files.missingCount == 1 && files.orphans == ["orphan"] && files.oddities.count == 4)
      #expect(TemporaryFolder.names(in: place.copied) == [Self.names[0], "orphan"])
    }
  }

  @Test func `a store whose values lack their files is not verified`() throws {
    try with { place in
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: place.sample.url)
      #expect(try store.verify(in: models).passed)
      try FileSystem.remove(place.files[1])
      #expect(try !store.verify(in: models).passed)
    }
  }

  @Test func `a link among the files is not followed`() throws {  // M1
    try with { place in
      try TemporaryFolder.write(Array("of another".utf8), to: place.folder + "/secret")
      try FileSystem.remove(place.files[0])
      #expect(symlink(place.folder + "/secret", place.files[0]) == 0)
      // Endless, where it were followed.
      #expect(symlink("/dev/zero", place.external + "/zero") == 0)
      let codes = Set(try place.migrate().findings.map(\.code))
      #expect(codes.isSuperset(of: [.externalDataMissing, .externalDataOdd]))
      #expect(TemporaryFolder.names(in: place.copied) == [Self.names[1]])
    }
  }

  @Test(arguments: [".app_SUPPORT", ".app_SUPPORT/_EXTERNAL_DATA"])
  func `a link in the place of the folder is not followed`(component: String) throws {  // M1
    try with { place in
      let elsewhere = place.folder + "/elsewhere"
      try FileManager.default.moveItem(atPath: "\(place.folder)/\(component)", toPath: elsewhere)
      #expect(symlink(elsewhere, "\(place.folder)/\(component)") == 0)
      let error = #expect(throws: WaystoneError.self) { try place.migrate() }
      #expect(error?.code == .badFile)
      #expect(try !FileSystem.exists(place.folder + "/O.sqlite"))
      #expect(try !FileSystem.exists(place.copied))
    }
  }

  @Test func `an output under the store's stem is refused at once`() throws {  // C9
    try with { place in
      let before = TemporaryFolder.names(in: place.folder)
      let error = #expect(throws: WaystoneError.self) { try place.migrate("app.v4") }
      #expect(error?.code == .cannotCreate)
      #expect(TemporaryFolder.names(in: place.folder) == before)
    }
  }

  @Test func `files of the same size are not taken for the same`() throws {  // M1
    try with { place in
      try FileManager.default.createDirectory(
        atPath: place.copied,
        withIntermediateDirectories: true
      )
      let theirs = "\(place.copied)/\(Self.names[0])"
      try TemporaryFolder.write([UInt8](repeating: 9, count: 200_000), to: theirs)
      let error = #expect(throws: WaystoneError.self) { try place.migrate() }
      #expect(error?.code == .cannotCreate && error?.message.contains(theirs) == true)
      // Before the hops, not after them.
      #expect(try !FileSystem.exists(place.folder + "/O.sqlite.waystone"))
      #expect(TemporaryFolder.bytes(of: theirs)?.first == 9)

      try TemporaryFolder.write([UInt8](repeating: 1, count: 200_000), to: theirs)
      try place.migrate()
    }
  }

  @Test func `the space for the files is asked for before the run`() throws {  // M1
    try with { place throws in
      // As long as no disk is, and without a block of it.
      #expect(truncate(place.files[0], 1 << 42) == 0)
      let error = #expect(throws: WaystoneError.self) { try place.migrate() }
      #expect(error.map { [.inputOutput, .cannotWrite].contains($0.code) } == true)
      #expect(try !FileSystem.exists(place.copied))
    }
  }

  @Test func `objects that a hop lets share a file have a finding`() throws {
    try SketchedProject.with(
      "P { photo: Binary? external }",
      "P { photo: Binary? external } Pic { data: Binary? external }"
    ) { project in
      try project.hop(
        "[{source: P, attributes: {photo: $source.photo}}, "
          + "{source: P, destination: Pic, attributes: {data: $source.photo}}]"
      )
      let outcome = try project.migrate(project.store("v1"), to: "o.sqlite")
      let words = outcome.findings.map(\.message) + outcome.notes
      #expect(words.contains { $0.contains("P.photo and Pic.data get the value of P.photo") })
    }
  }
}
