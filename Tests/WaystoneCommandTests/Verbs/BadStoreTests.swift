import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores that are none: one clear error that names the file, the right status, and the input as it
/// was.
@Suite struct BadStoreTests {
  /// The contents of a file instead of a store.
  enum Content: String, CaseIterable, Sendable {
    case text
    case nothing
    case header
    case zeros

    var bytes: [UInt8] {
      switch self {
      case .text: Array("This is not a database, however long one looks at it.\n".utf8)
      case .nothing: []
      case .header: Array("SQLite format 3\0".utf8)
      case .zeros: [UInt8](repeating: 0, count: 8192)
      }
    }
  }

  static let verbs: [[String]] = [
    ["inspect", "Bad.sqlite"], ["plan", "Bad.sqlite"], ["verify", "Bad.sqlite"],
    ["dump", "Bad.sqlite"], ["dump", "Bad.sqlite", "-o", "O.sqlite"], ["query", "Bad.sqlite", "A"],
    ["migrate", "Bad.sqlite"], ["migrate", "Bad.sqlite", "-o", "Good.sqlite"],
  ]

  @Test(arguments: Content.allCases, verbs)
  func `a file that is no store is a damaged input`(content: Content, verb: [String]) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let path = "\(folder)/Bad.sqlite"
      try TemporaryFolder.write(content.bytes, to: path)
      let run = CommandRun(verb, in: folder)
      #expect(run.status == .damagedInput, "\(run.errors)")
      #expect(run.errors.hasPrefix("error: "))
      #expect(run.errors.contains("Bad.sqlite"))
      #expect(run.errors.split(separator: "\n").count == 2, "\(run.errors)")
      #expect(run.output.isEmpty)
      #expect(TemporaryFolder.bytes(of: path) == content.bytes)
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(left == ["Bad.sqlite", "ModelArchive"])
    }
  }

  @Test(arguments: verbs)
  func `a folder is no store`(verb: [String]) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      try FileManager.default.createDirectory(
        atPath: "\(folder)/Bad.sqlite",
        withIntermediateDirectories: false
      )
      let run = CommandRun(verb, in: folder)
      #expect(run.status == .damagedInput, "\(run.errors)")
      #expect(run.errors.contains("Bad.sqlite"))
    }
  }

  @Test(arguments: verbs)
  func `a store that is not there is a missing input`(verb: [String]) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let run = CommandRun(verb, in: folder)
      #expect(run.status == .missingInput, "\(run.errors)")
      #expect(run.errors.contains("Bad.sqlite"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["ModelArchive"])
    }
  }

  @Test(.enabled(if: getuid() != 0, "root may read everything"), arguments: verbs)
  func `a store that may not be read is a missing input`(verb: [String]) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let path = "\(folder)/Bad.sqlite"
      try TemporaryFolder.write(Content.zeros.bytes, to: path)
      try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
      let run = CommandRun(verb, in: folder)
      #expect(run.status == .missingInput, "\(run.errors)")
    }
  }

  @Test func `the process ends with the same statuses`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      try TemporaryFolder.write(Content.text.bytes, to: "\(folder)/Bad.sqlite")
      #expect(try ProcessRun("inspect", "Bad.sqlite", in: folder).status == 65)
      #expect(try ProcessRun("inspect", "Gone.sqlite", in: folder).status == 66)
      #expect(try ProcessRun("plan", "v1", "--to", "v7", in: folder).status == 2)
      #expect(try ProcessRun("plan", "v2", "--to", "v1", in: folder).status == 3)
      #expect(try ProcessRun("plan", "v1", in: folder).status == 0)
    }
  }
}
