import Files
import MigrationTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct `A folder held open` {
  private let scratch: ScratchFolder
  private let inside: String
  private let victim: String

  init() throws {
    scratch = try ScratchFolder()
    inside = scratch.path + "/inside"
    victim = scratch.path + "/victim"
    try FileSystem.createFolder(inside)
    try FileSystem.createFolder(victim)
    try TemporaryFolder.write([1, 2, 3], to: victim + "/file")
  }

  private func expectVictimIntact() {
    #expect(TemporaryFolder.names(in: victim) == ["file"])
    #expect(TemporaryFolder.bytes(of: victim + "/file") == [1, 2, 3])
  }

  private func code(_ body: () throws -> Void) -> FileError.Code? {
    (#expect(throws: FileError.self) { try body() })?.code
  }

  @Test func `files are made, opened, renamed, linked and removed in it`() throws {
    let folder = try Folder(inside)
    do {
      let file = try folder.open(creating: "a")
      try file.write([7, 8])
      try file.synchronize()
    }
    do { try folder.open(appending: "a").write([9]) }
    #expect(try folder.open(reading: "a").read(count: 9, at: 0) == [7, 8, 9])
    do { try folder.open(writing: "a").truncate(to: 1) }
    try folder.createFolder("sub")
    let sub = try folder.folder("sub")
    try folder.link("a", to: "b", in: sub)
    #expect(try folder.status(of: "a")?.linkCount == 2)
    try folder.rename("a", to: "c")
    #expect(code { try folder.removeFolder("sub") } == .exists)
    #expect(try sub.remove("b"))
    #expect(try folder.removeFolder("sub"))
    try folder.synchronize()
    #expect(try folder.names() == ["c"])
    #expect(TemporaryFolder.bytes(of: inside + "/c") == [7])
    #expect(try folder.remove("c"))
    #expect(try folder.remove("c") == false)
    #expect(try folder.removeFolder("sub") == false)
    #expect(try folder.status(of: "c") == nil)
    #expect(code { _ = try folder.open(reading: "c") } == .missing)
    #expect(code { _ = try folder.folder("c") } == .missing)
    #expect(code { _ = try Folder(inside + "/none") } == .missing)
  }

  @Test func `links in it are seen as links, and never followed`() throws {
    let folder = try Folder(inside)
    #expect(symlink(victim, inside + "/folder") == 0)
    #expect(symlink(victim + "/file", inside + "/file") == 0)
    #expect(symlink("nowhere", inside + "/dangling") == 0)
    for name in ["folder", "file", "dangling"] {
      #expect(try folder.status(of: name)?.kind == .link)
      #expect(code { _ = try folder.folder(name) } == .notPlain)
      #expect(code { _ = try folder.open(reading: name) } == .notPlain)
      #expect(code { _ = try folder.open(writing: name) } == .notPlain)
      #expect(code { _ = try folder.open(appending: name) } == .notPlain)
      #expect(code { _ = try folder.open(creating: name) } == .exists)
      #expect(code { _ = try Folder(inside + "/" + name) } == .notPlain)
      #expect(code { try folder.createFolder(name) } == .exists)
      // A second name and a new name are the link's.
      try folder.link(name, to: "other", in: folder)
      try folder.rename("other", to: "another")
      #expect(try folder.status(of: "another")?.kind == .link)
      #expect(try folder.remove("another"))
      #expect(try folder.remove(name))
    }
    #expect(TemporaryFolder.names(in: inside) == [])
    expectVictimIntact()
  }

  @Test func `it stays the same folder when another takes its place`() throws {
    let folder = try Folder(inside)
    #expect(try folder.isInPlace())
    try TemporaryFolder.write([4], to: inside + "/file")
    try FileSystem.rename(inside, to: scratch.path + "/moved")
    #expect(try !folder.isInPlace())
    #expect(symlink(victim, inside) == 0)
    #expect(try !folder.isInPlace())
    #expect(code { _ = try Folder(inside) } == .notPlain)
    #expect(try folder.names() == ["file"])
    #expect(try folder.remove("file"))
    #expect(TemporaryFolder.names(in: scratch.path + "/moved") == [])
    expectVictimIntact()
  }

  @Test(.timeLimit(.minutes(10)))
  func `a pipe or a device is refused at once, and is not opened`() throws {
    let folder = try Folder(inside)
    #expect(mkfifo(inside + "/pipe", 0o600) == 0)
    #expect(code { _ = try folder.open(reading: "pipe") } == .notPlain)
    #expect(code { _ = try folder.open(writing: "pipe") } == .notPlain)
    #expect(code { _ = try folder.open(appending: "pipe") } == .notPlain)
    #expect(code { _ = try folder.folder("pipe") } == .notPlain)
    #expect(code { _ = try Folder("/dev").open(reading: "null") } == .notPlain)
    try folder.createFolder("sub")
    let error = #expect(throws: FileError.self) { _ = try folder.open(reading: "sub") }
    #expect(error?.code == .notPlain)
    #expect(error?.message == "\(inside)/sub is a folder, not a plain file")
  }

  @Test(arguments: ["", ".", "..", "../victim/file", "/etc/passwd", "a/b", "a\0b"])
  func `what is no name of one entry is refused`(_ name: String) throws {
    let folder = try Folder(inside)
    #expect(code { _ = try folder.status(of: name) } == .invalidPath)
    #expect(code { _ = try folder.open(reading: name) } == .invalidPath)
    #expect(code { _ = try folder.open(creating: name) } == .invalidPath)
    #expect(code { try folder.remove(name) } == .invalidPath)
    #expect(code { try folder.removeFolder(name) } == .invalidPath)
    #expect(code { try folder.createFolder(name) } == .invalidPath)
    #expect(code { try folder.rename("x", to: name) } == .invalidPath)
    #expect(code { try folder.link("x", to: name, in: folder) } == .invalidPath)
    #expect(code { _ = try folder.folder(name) } == .invalidPath)
    expectVictimIntact()
  }

  #if !canImport(Darwin)
    @Test func `a name of any bytes is listed as it is`() throws {
      let bytes: [UInt8] = [0x61, 0xff, 0x0a, 0x62]
      let path = Array(inside.utf8) + [0x2f] + bytes + [0]
      let descriptor = path.withUnsafeBytes {
        open($0.assumingMemoryBound(to: CChar.self).baseAddress!, O_CREAT | O_WRONLY, 0o600)
      }
      #expect(descriptor >= 0)
      close(descriptor)
      let folder = try Folder(inside)
      let entry = try #require(try folder.entries().first)
      #expect(entry.bytes == bytes)
      #expect(entry.name == nil)
      #expect(entry.shownName == "a\u{fffd}\\nb")
      #expect(try folder.names() == [])
    }
  #endif
}
