import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// A store of letters whose pictures lie in files: `-o` gives the output copies of them.
@Suite struct `External files` {
  private static let models = "\(SampleArchive.root)/Letters.xcdatamodeld"
  private static let names = [
    "0B1C2D3E-0000-4000-8000-00000000000A", "0B1C2D3E-0000-4000-8000-00000000000B",
  ]

  /// A folder with `S.sqlite`, two of whose values lie in files.
  private struct Place {
    let folder = try? ScratchFolder()
    var path: String { folder?.path ?? "" }
    var external: String { path + "/.S_SUPPORT/_EXTERNAL_DATA" }
    var copied: String { path + "/.O_SUPPORT/_EXTERNAL_DATA" }

    init() throws {
      let run = CommandRun(
        ["generate", "v1", "--rows", "60", "-o", "S.sqlite", "--models", models],
        in: path
      )
      try #require(run.status == .success, "\(run.errors)")
      let store = try SQLiteConnection(path: path + "/S.sqlite", access: .readWrite)
      for (index, name) in names.enumerated() {
        try store.execute(
          "UPDATE ZENCLOSURE SET ZPICTURE = CAST(x'02' || CAST(? AS BLOB) || x'00' AS BLOB) "
            + "WHERE Z_PK = (SELECT Z_PK FROM ZENCLOSURE ORDER BY Z_PK LIMIT 1 OFFSET ?)",
          [.text(name), .integer(Int64(index))]
        )
      }
      try FileManager.default.createDirectory(
        atPath: external,
        withIntermediateDirectories: true
      )
      for (index, name) in names.enumerated() {
        let bytes = [UInt8](repeating: UInt8(index + 1), count: 200_000)
        try TemporaryFolder.write(bytes, to: "\(external)/\(name)")
      }
    }

    func migrate(_ more: String...) -> CommandRun {
      CommandRun(
        ["migrate", "S.sqlite", "--to", "v4", "--models", models, "--format", "json"] + more,
        in: path
      )
    }
  }

  private func codes(_ run: CommandRun) throws -> [String] {
    let findings = try run.json()["findings"] as? [[String: Any]] ?? []
    return findings.compactMap { $0["code"] as? String }
  }

  @Test func `each file is carried, missing, orphaned or odd, and the report says which`() throws
  {  // M1
    let place = try Place()
    try TemporaryFolder.write([7], to: place.external + "/orphan")
    try FileSystem.remove("\(place.external)/\(Self.names[1])")
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
    let run = place.migrate("-o", "O.sqlite")
    #expect(run.status == .success, "\(run.errors)")
    let found = try codes(run)
    #expect(found.contains("WS506") && found.contains("WS521") && found.contains("WS522"))
    let files = try #require(try run.json()["externalFiles"] as? [String: Any])
    #expect(files["carried"] as? Int == 2)
    #expect(files["bytes"] as? Int == 200_001)
    #expect(files["missing"] as? Int == 1)
    #expect(files["orphaned"] as? [String] == ["orphan"])
    #expect((files["odd"] as? [[String: Any]])?.count == 4)
    #expect(TemporaryFolder.names(in: place.copied) == [Self.names[0], "orphan"])
  }

  @Test func `a store whose values lack their files is not verified`() throws {
    let place = try Place()
    func run(_ verb: String) -> CommandRun {
      CommandRun([verb, "S.sqlite", "--models", Self.models], in: place.path)
    }
    #expect(run("verify").status == .success, "\(run("verify").output)")
    #expect(!run("validate").output.contains("not checked"))
    try FileSystem.remove("\(place.external)/\(Self.names[1])")
    let verified = run("verify")
    #expect(verified.status == .answerIsNo)
    #expect(
      verified.words.contains("Enclosure.picture: 1 value in files"),
      "\(verified.output)"
    )
    #expect(verified.output.contains("not verified"))
    #expect(run("validate").words.contains("not checked Enclosure.picture: 1 value in files"))
  }

  @Test func `a link among the files is not followed`() throws {  // M1
    let place = try Place()
    let victim = place.path + "/secret"
    try TemporaryFolder.write(Array("of another".utf8), to: victim)
    let name = "\(place.external)/\(Self.names[0])"
    try FileSystem.remove(name)
    #expect(symlink(victim, name) == 0)
    // Endless, where it were followed.
    #expect(symlink("/dev/zero", place.external + "/zero") == 0)
    let run = place.migrate("-o", "O.sqlite")
    #expect(run.status == .success, "\(run.errors)")
    let found = try codes(run)
    #expect(found.contains("WS506") && found.contains("WS522"))
    #expect(TemporaryFolder.names(in: place.copied) == [Self.names[1]])
  }

  @Test func `a link in the place of the folder is not followed`() throws {  // M1
    for component in [".S_SUPPORT", ".S_SUPPORT/_EXTERNAL_DATA"] {
      let place = try Place()
      let elsewhere = place.path + "/elsewhere"
      try FileManager.default.moveItem(atPath: "\(place.path)/\(component)", toPath: elsewhere)
      #expect(symlink(elsewhere, "\(place.path)/\(component)") == 0)
      let run = place.migrate("-o", "O.sqlite")
      #expect(run.status == .damagedInput, "\(component): \(run.output) \(run.errors)")
      #expect(try !FileSystem.exists(place.path + "/O.sqlite"))
      #expect(try !FileSystem.exists(place.copied))
    }
  }

  @Test func `an output under the store's stem is refused at once`() throws {  // C9
    let place = try Place()
    let before = TemporaryFolder.names(in: place.path)
    let run = place.migrate("-o", "S.v4")
    #expect(run.status == .cannotCreate, "\(run.errors)")
    #expect(run.errors.contains(".S_SUPPORT"), "\(run.errors)")
    #expect(TemporaryFolder.names(in: place.path) == before)
  }

  @Test func `files of the same size are not taken for the same`() throws {  // M1
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.copied,
      withIntermediateDirectories: true
    )
    let theirs = "\(place.copied)/\(Self.names[0])"
    try TemporaryFolder.write([UInt8](repeating: 9, count: 200_000), to: theirs)
    let run = place.migrate("-o", "O.sqlite")
    #expect(run.status == .cannotCreate, "\(run.errors)")
    #expect(run.errors.contains(theirs), "\(run.errors)")
    // Before the hops, not after them.
    #expect(try !FileSystem.exists(place.path + "/O.sqlite.waystone"))
    #expect(TemporaryFolder.bytes(of: theirs)?.first == 9)

    try TemporaryFolder.write([UInt8](repeating: 1, count: 200_000), to: theirs)
    let again = place.migrate("-o", "O.sqlite")
    #expect(again.status == .success, "\(again.errors)")
  }

  @Test func `the space for the files is asked for before the run`() throws {  // M1
    let place = try Place()
    // As long as no disk is, and without a block of it.
    let file = "\(place.external)/\(Self.names[0])"
    #expect(truncate(file, 1 << 42) == 0)
    let run = place.migrate("-o", "O.sqlite")
    #expect(run.status == .inputOutput, "\(run.errors)")
    #expect(run.errors.contains("bytes free"), "\(run.errors)")
    #expect(try !FileSystem.exists(place.copied))
  }

  @Test func `a rollback tells of files that the original lacks by now`() throws {
    let place = try Place()
    let run = place.migrate()
    try #require(run.status == .success, "\(run.errors)")
    try FileSystem.remove("\(place.external)/\(Self.names[1])")
    let back = CommandRun("rollback", "S.sqlite", "--format", "json", in: place.path)
    #expect(back.status == .success, "\(back.errors)")
    #expect(try codes(back) == ["WS506"])
  }

  @Test func `objects that a hop lets share a file are told of`() throws {
    try TemporaryFolder.with { folder in
      func entity(_ name: String, _ attribute: String) -> String {
        #"<entity name="\#(name)" syncable="YES"><attribute name="\#(attribute)" optional="YES" "#
          + #"attributeType="Binary" allowsExternalBinaryDataStorage="YES"/></entity>"#
      }
      try SketchedModel.write(
        [("v1", entity("P", "photo")), ("v2", entity("P", "photo") + entity("Pic", "data"))],
        into: "\(folder)/ModelArchive"
      )
      try SketchedModel.write(
        """
        from: v1
        to: v2
        entities:
          - {source: P, attributes: {photo: $source.photo}}
          - {source: P, destination: Pic, attributes: {data: $source.photo}}
        """,
        to: "\(folder)/ModelArchive/v1-v2.hop.yml"
      )
      let made = CommandRun("generate", "v1", "--rows", "9", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let run = CommandRun("migrate", "S.sqlite", "--to", "v2", "-o", "R.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.output.contains("P.photo and Pic.data get the value of P.photo"), "\(run.output)")
    }
  }
}
