import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing
import Waystone

@Suite struct LockFileTests {
  private static func lock(_ sketches: [String]) throws -> LockFile {
    var last: String?
    return LockFile(
      versions: try sketches.enumerated().map { index, sketch in
        let version = ModelVersion(
          modelName: "M",
          name: "v\(index + 1)",
          model: try ModelSketch.model(sketch)
        )
        let line = LockFile.Version(version, after: last.map { [$0] } ?? [])
        last = version.name
        return line
      }
    )
  }

  private static func withoutLines(_ lock: LockFile) -> [LockFile.Version] {
    lock.versions.map { version in
      var version = version
      version.line = 0
      return version
    }
  }

  @Test func `a lock reads as it was written`() throws {
    let lock = try Self.lock([
      "A { title: String? = x; n: Int16 }",
      "A { title: String? = y; b ->> B.a ordered }  B { a -> A.b required; unique a }",
      "abstract P { t: Date? }  C : P { u: Float = 1 }",
    ])
    let read = try LockFile.parse(Array(try lock.text.utf8), path: "waystone.lock")
    #expect(Self.withoutLines(read) == lock.versions)
    #expect(try read.text == lock.text)
  }

  @Test(arguments: 0..<40)
  func `random models survive a lock, with reasons of any letters`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    guard let model = RandomModel(&generator).model else { return }
    let version = ModelVersion(modelName: "Some model", name: "v \"1\" | = \u{2028}é", model: model)
    var line = LockFile.Version(version, after: ["v 0", "=,|"])
    line.reasons = ["a\n\tb\\ \"c\"", "\u{301}\"\u{308}"]
    let lock = LockFile(versions: [line])
    let read = try LockFile.parse(Array(try lock.text.utf8), path: "waystone.lock")
    #expect(Self.withoutLines(read) == lock.versions)
    #expect(read["Some model/v \"1\" | = \u{2028}é"] != nil)
  }

  @Test func `a union of the lines of two locks is the lock of both`() throws {
    let first = try Self.lock(["A { t: String }", "A { t: String; u: Date? }"])
    let second = try Self.lock(["A { t: String }", "A { t: String }", "A { t: Float }"])
    var lines: [Substring] = []
    for line in (try first.text + second.text).split(separator: "\n")
    where !line.contains(#""name":"v2""#) && !line.contains(#""name":"u""#) && !lines.contains(line)
    {
      lines.append(line)
    }
    let read = try LockFile.parse(
      Array(lines.joined(separator: "\r\n").utf8),
      path: "waystone.lock"
    )
    #expect(read.versions.map(\.name) == ["v1", "v3"])
  }

  /// A lock with a header and a line whose digest is right, whatever it says.
  private static func lock(_ kind: String, _ content: String) -> String {
    let digest = Hexadecimal.string(SHA256.hash(Array(content.utf8))).prefix(12)
    return header + #"{"digest":"\#(digest)","\#(kind)":\#(content)}"# + "\n"
  }

  private static let header = #"{"schema":"waystone.lock/1"}"# + "\n"

  @Test(arguments: [
    ("", 1, "does not begin with"), ("hello\n", 1, "does not begin with"),
    (#"{"schema":"waystone.lock/2"}"#, 1, "another form"),
    ("waystone.lock 1\nversion M/v1\n", 1, "a form of before the first release"),
    (header, 1, "The file has no version"),
    (header + "<<<<<<< HEAD\n", 2, "A merge left its conflict here."),
    (header + "\n# a\n", 3, "none that `waystone lock` writes"),
    (header + #"{"digest":"","entity":{}}"#, 2, "none that `waystone lock` writes"),
    (header + #"{"digest":"123456789012","entity":{}}"#, 2, "its digest is another"),
    (lock("model", "{}"), 2, "none that `waystone lock` writes"),
    (lock("entity", "{}"), 2, "none that `waystone lock` writes"),
    (lock("entity", #"{"hash":"é"}"#), 2, "none that `waystone lock` writes"),
    (lock("version", #"{"name":"\ud800"}"#), 2, "none that `waystone lock` writes"),
    (lock("version", String(repeating: "[", count: 90_000)), 2, "none that `waystone lock` writes"),
    (
      lock(
        "version",
        #"{"after":[],"checksum":"a","entities":["123456789012"],"isRemoved":false,"model":"M","#
          + #""name":"v1","reasons":[],"remainder":"b"}"#
      ), 2, "an entity 123456789012 of which no line tells"
    ),
  ])
  func `a damaged lock is named with its line`(text: String, line: Int, message: String) {
    let error = #expect(throws: WaystoneError.self) {
      try LockFile.parse(Array(text.utf8), path: "waystone.lock")
    }
    #expect(error?.code == .badFile)
    #expect(error?.message.hasPrefix("waystone.lock:\(line): ") == true)
    #expect(error?.message.contains(message) == true)
  }

  @Test func `a lock that was cut off, or whose line ends were changed, is refused`() throws {
    let text = try Self.lock(["A { t: String }", "A { t: String; u: Date? }"]).text
    let error = #expect(throws: WaystoneError.self) {
      try LockFile.parse(Array(text.replacing("\n", with: "\r").utf8), path: "waystone.lock")
    }
    #expect(error?.message.hasPrefix("waystone.lock:1: Lines end with carriage returns") == true)
    let lines = text.split(separator: "\n")
    for count in 2..<lines.count {
      #expect(throws: WaystoneError.self, "\(count) lines") {
        try LockFile.parse(Array(lines.prefix(count).joined(separator: "\n").utf8), path: "l")
      }
    }
  }

  @Test func `a line that was edited or lost is missed`() throws {
    let text = try Self.lock(["A { t: String }", "A { t: String; u: Date? }"]).text
    let edits: [(String, String)] = [
      (#""type":"string""#, #""type":"date""#), (#""hash":""#, #""hash":"0"#),
      (#""name":"A""#, #""name":"B""#), (#""checksum":""#, #""checksum":"A"#),
      (#""isRemoved":false"#, #""isRemoved":true"#), (#""after":["v1"],"#, ""),
    ]
    for (old, new) in edits {
      #expect(text.contains(old))
      #expect(throws: WaystoneError.self, "\(old) as \(new)") {
        try LockFile.parse(Array(text.replacing(old, with: new).utf8), path: "waystone.lock")
      }
    }
    let lines = text.split(separator: "\n")
    for index in lines.indices where lines[index].contains(#""entity":"#) {
      var fewer = lines
      fewer.remove(at: index)
      #expect(throws: WaystoneError.self) {
        try LockFile.parse(Array(fewer.joined(separator: "\n").utf8), path: "waystone.lock")
      }
    }
    let twice = lines + [lines.last ?? ""]
    let error = #expect(throws: WaystoneError.self) {
      try LockFile.parse(Array(twice.joined(separator: "\n").utf8), path: "waystone.lock")
    }
    #expect(error?.message.contains("M/v2 is locked twice, here and in line 5.") == true)
  }

  @Test func `a version whose entities are not those of its checksum is refused`() throws {
    let whole = try Self.lock([
      "A { t: String }  B { u: Date? }", "A { t: String }  B { u: Float }",
    ])
    let changes: [(inout [EntityOutline]) -> Void] = [
      { $0.removeLast() }, { $0.swapAt(0, 1) }, { $0.append($0[1]) }, { $0 = [] },
      { $0[1] = whole.versions[0].entities[1] },
    ]
    for change in changes {
      // Each line is whole, as when a merge took the entities of one side and the rest of the other.
      var versions = whole.versions
      change(&versions[1].entities)
      let text = try LockFile(versions: versions).text
      let line = text.split(separator: "\n").count
      let error = #expect(throws: WaystoneError.self) {
        try LockFile.parse(Array(text.utf8), path: "waystone.lock")
      }
      #expect(
        error?.message.hasPrefix("waystone.lock:\(line): The checksum of M/v2 is not") == true
      )
    }
  }

  @Test func `a link to a lock that is not there is an error, and no lock is none`() throws {
    try TemporaryFolder.with { (folder: String) throws in
      let path = "\(folder)/waystone.lock"
      let none = try LockFile.read(path, shownAs: "waystone.lock")
      #expect(none == nil)
      #expect(symlink("\(folder)/elsewhere", path) == 0)
      let error = #expect(throws: WaystoneError.self) {
        try LockFile.read(path, shownAs: "waystone.lock")
      }
      #expect(error?.code == .missingFile)
      #expect(error?.message.contains("waystone.lock is a symbolic link") == true)
    }
  }

  @Test(arguments: 0..<60)
  func `a lock with changed bytes is read or refused`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = Array(try Self.lock(["A { t: String = x; b ->> B.a }  B { a -> A.b }"]).text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = Int.random(in: 0..<bytes.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 1: bytes.remove(at: index)
      default: bytes.insert(contentsOf: bytes[..<index].suffix(20), at: index)
      }
    }
    do throws(WaystoneError) {
      _ = try LockFile.parse(bytes, path: "waystone.lock")
    } catch {
      #expect(error.code == .badFile)
    }
  }
}
