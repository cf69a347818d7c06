import Files
import Foundation
import MigrationTestSupport
import Testing

@Suite struct `Files for people` {
  /// The name under which `name` is made.
  private func staging(_ name: String) -> String { ".\(name).waystone-new" }

  private func text(_ path: String) -> String? {
    TemporaryFolder.bytes(of: path).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a text replaces another, keeps its permissions and leaves nothing beside`() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/waystone.lock"
      try AtomicFile.write("one", to: path)
      try FileSystem.setPermissions(0o640, of: path)
      try AtomicFile.write("two", to: path)
      #expect(text(path) == "two")
      #expect(try FileSystem.status(path)?.permissions == 0o640)
      #expect(TemporaryFolder.names(in: folder) == ["waystone.lock"])
    }
  }

  @Test(arguments: ["-wal", "-journal"])
  func `a database whose last content is in a file beside it is not moved`(_ suffix: String) throws
  {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/l.sqlite"
      let error = #expect(throws: FileError.self) {
        try AtomicFile.create(path) { staging in
          try TemporaryFolder.write([1], to: staging)
          try TemporaryFolder.write([2], to: staging + suffix)
        }
      }
      #expect(error?.code == .noSpace)
      #expect(TemporaryFolder.names(in: folder) == [])
      try AtomicFile.create(path) { try TemporaryFolder.write([1], to: $0) }
      #expect(TemporaryFolder.names(in: folder) == ["l.sqlite"])
    }
  }

  @Test func `a new file is written over nothing`() throws {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/a"
      try AtomicFile.write("one", to: path, as: .newFile)
      let error = #expect(throws: FileError.self) {
        try AtomicFile.write("two", to: path, as: .newFile)
      }
      #expect(error?.code == .exists)
      #expect(text(path) == "one")
      try FileSystem.remove(path)
      #expect(symlink("\(folder)/nowhere", path) == 0)
      #expect(throws: FileError.self) { try AtomicFile.write("two", to: path, as: .newFile) }
      #expect(TemporaryFolder.names(in: folder) == ["a"])
    }
  }

  @Test func `a text in pieces replaces another whole, or not at all`() throws {
    struct Stop: Error {}
    try TemporaryFolder.with { folder in
      let path = "\(folder)/a"
      try AtomicFile.write(to: path) { sink in
        for piece in ["one", " ", "two"] { try sink(Array(piece.utf8)) }
      }
      #expect(text(path) == "one two")
      #expect(throws: Stop.self) {
        try AtomicFile.write(to: path) { sink in
          try sink(Array("half".utf8))
          throw Stop()
        }
      }
      #expect(text(path) == "one two")
      #expect(TemporaryFolder.names(in: folder) == ["a"])
    }
  }

  @Test func `a link is followed, and one that leads nowhere is refused`() throws {
    try TemporaryFolder.with { folder in
      let (link, target) = ("\(folder)/link", "\(folder)/below/target")
      try FileSystem.createFolder("\(folder)/below")
      #expect(symlink("below/target", link) == 0)
      let error = #expect(throws: FileError.self) { try AtomicFile.write("one", to: link) }
      #expect(error?.code == .missing)
      try AtomicFile.write("one", to: target)
      try AtomicFile.write("two", to: link)
      #expect(text(target) == "two")
      #expect(try FileSystem.status(link, followsLinks: false)?.kind == .link)
      #expect(TemporaryFolder.names(in: "\(folder)/below") == ["target"])
    }
  }

  @Test func `what a killed writer left is used up, and a writer at work is not disturbed`() throws
  {
    try TemporaryFolder.with { folder in
      let path = "\(folder)/a"
      let left = "\(folder)/\(staging("a"))"
      try TemporaryFolder.write([UInt8](repeating: 1, count: 10_000), to: left)
      try AtomicFile.write("one", to: path)
      #expect(text(path) == "one")
      #expect(TemporaryFolder.names(in: folder) == ["a"])

      try TemporaryFolder.write([2], to: left)
      let other = open(left, O_RDWR)
      #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
      let error = #expect(throws: FileError.self) { try AtomicFile.write("two", to: path) }
      #expect(error?.code == .inUse)
      #expect(error?.message.contains(path) == true, "\(error?.message ?? "")")
      #expect(TemporaryFolder.bytes(of: left) == [2])
      #expect(text(path) == "one")
      close(other)
    }
  }

  @Test func `nothing is written through a second name or a link in the staging file's place`()
    throws
  {
    try TemporaryFolder.with { folder in
      let (path, left) = ("\(folder)/a", "\(folder)/\(staging("a"))")
      let victim = "\(folder)/victim"
      try TemporaryFolder.write([7, 7], to: victim)
      for make in [{ symlink(victim, left) }, { link(victim, left) }, { mkfifo(left, 0o600) }] {
        #expect(make() == 0)
        #expect(throws: FileError.self) { try AtomicFile.write("one", to: path) }
        #expect(TemporaryFolder.bytes(of: victim) == [7, 7])
        #expect(text(path) == nil)
        unlink(left)
      }
    }
  }

  @Test func `a device takes the text, or says why not, and stays a device`() throws {
    try AtomicFile.write("one", to: "/dev/null")
    #expect(try FileSystem.status("/dev/null")?.kind == .other)
    #if os(Linux)
      let error = #expect(throws: FileError.self) { try AtomicFile.write("one", to: "/dev/full") }
      #expect(error?.code == .noSpace)
      #expect(try FileSystem.status("/dev/full")?.kind == .other)
    #endif
    try TemporaryFolder.with { folder in
      #expect(mkfifo("\(folder)/pipe", 0o600) == 0)
      // Nobody reads it: no waiting.
      #expect(throws: FileError.self) { try AtomicFile.write("one", to: "\(folder)/pipe") }
    }
  }

  @Test func `a write that the system cuts short leaves the old text`() async throws {  // F6, M11
    let folder = try ScratchFolder()
    let path = folder.path + "/waystone.lock"
    try AtomicFile.write("old", to: path)
    await #expect(processExitsWith: .exitCode(74)) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 4096, rlim_max: 4096)
      #if canImport(Darwin)
        setrlimit(RLIMIT_FSIZE, &limit)
      #else
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #endif
      do throws(FileError) {
        try AtomicFile.write(String(repeating: "new ", count: 10_000), to: path)
      } catch {
        exit(error.code == .noSpace && error.message.contains(path) ? 74 : 1)
      }
    }
    #expect(text(path) == "old")
    #expect(TemporaryFolder.names(in: folder.path) == ["waystone.lock"])
  }

  @Test func `a folder appears whole, and uses up what was left of one`() throws {  // F6
    try TemporaryFolder.with { folder in
      let path = "\(folder)/Model.xcdatamodeld"
      let left = "\(folder)/\(staging("Model.xcdatamodeld"))"
      try FileSystem.createFolder(left)
      try FileSystem.createFolder(left + "/Old.xcdatamodel")
      try TemporaryFolder.write([1], to: left + "/Old.xcdatamodel/contents")
      do {
        let made = try AtomicFolder(at: path)
        try made.createFolder("v1.xcdatamodel")
        try made.write("one", to: "contents", inFolder: "v1.xcdatamodel")
        #expect(try !FileSystem.exists(path))
        // Another process, at the same moment.
        let error = #expect(throws: FileError.self) { _ = try AtomicFolder(at: path) }
        #expect(error?.code == .inUse)
        try made.finish()
      }
      #expect(text(path + "/v1.xcdatamodel/contents") == "one")
      #expect(TemporaryFolder.names(in: path) == ["v1.xcdatamodel"])
      #expect(TemporaryFolder.names(in: folder) == ["Model.xcdatamodeld"])
      #expect(throws: FileError.self) { _ = try AtomicFolder(at: path) }
    }
  }

  @Test func `what is not of such a folder is not removed`() throws {
    try TemporaryFolder.with { folder in
      let left = "\(folder)/\(staging("a"))"
      try TemporaryFolder.write([7], to: "\(folder)/victim")
      try FileSystem.createFolder(left)
      #expect(symlink(folder, left + "/link") == 0)
      #expect(throws: FileError.self) { _ = try AtomicFolder(at: "\(folder)/a") }
      #expect(TemporaryFolder.bytes(of: "\(folder)/victim") == [7])
      #expect(TemporaryFolder.names(in: left) == ["link"])
    }
  }

  @Test func `no other code of the package writes files for people`() throws {  // F6
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
    // What Foundation writes is neither checked for short writes nor brought to the disk.
    let words = [
      "write(to: URL", ".write(toFile", "createFile(atPath", "atomically:", "options: .atomic",
      "FileHandle(forWriting", "FileHandle(forUpdating", "fopen(", "createDirectory(",
    ]
    var count = 0
    let walk = try #require(
      FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    )
    for case let file as URL in walk where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      count += 1
      for word in words {
        #expect(!text.contains(word), "\(file.lastPathComponent) has “\(word)”")
      }
    }
    #expect(count > 300)
  }
}
