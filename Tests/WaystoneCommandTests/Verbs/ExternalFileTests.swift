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

  @Test func `a rollback tells of files that the original lacks by now`() throws {
    let place = try Place()
    let run = place.migrate()
    try #require(run.status == .success, "\(run.errors)")
    try FileSystem.remove("\(place.external)/\(Self.names[1])")
    let back = CommandRun("rollback", "S.sqlite", "--format", "json", in: place.path)
    #expect(back.status == .success, "\(back.errors)")
    #expect(try codes(back) == ["WS506"])
  }
}
