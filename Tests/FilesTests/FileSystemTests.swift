import Files
import MigrationTestSupport
import StoreAccess
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct `File calls` {
  @Test(arguments: [0, 1, 8 << 20, (8 << 20) + 1])
  func `a copy holds the same bytes and takes nobody's place`(size: Int) throws {
    try TemporaryFolder.with { folder in
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      try TemporaryFolder.write(bytes, to: "\(folder)/a")
      try FileSystem.copy("\(folder)/a", toNewFile: "\(folder)/b", permissions: 0o640)
      #expect(TemporaryFolder.bytes(of: "\(folder)/b") == bytes)
      #expect(try FileSystem.status("\(folder)/b")?.permissions == 0o640)
      let error = #expect(throws: FileError.self) {
        try FileSystem.copy("\(folder)/a", toNewFile: "\(folder)/b")
      }
      #expect(error?.code == .exists)
      #expect(TemporaryFolder.bytes(of: "\(folder)/b") == bytes)
    }
  }

  @Test func `every failure names its path and what was tried`() throws {
    try TemporaryFolder.with { folder in
      let missing = "\(folder)/none"
      let calls: [(String, () throws -> Void)] = [
        ("open", { _ = try OpenFile(reading: missing) }),
        ("write to", { _ = try OpenFile(writing: missing) }),
        ("create", { _ = try OpenFile(creating: missing + "/x") }),
        ("rename", { try FileSystem.rename(missing, to: missing + "2") }),
        ("link", { try FileSystem.link(missing, to: missing + "2") }),
        ("create the folder", { try FileSystem.createFolder(missing + "/x") }),
        ("remove the folder", { try FileSystem.removeFolder(missing) }),
        ("list the folder", { _ = try FileSystem.names(inFolder: missing) }),
        ("set the permissions", { try FileSystem.setPermissions(0o600, of: missing) }),
        ("free space", { _ = try FileSystem.freeSpace(at: missing) }),
        ("open", { try FileSystem.synchronize(missing) }),
      ]
      for (deed, call) in calls {
        let error = #expect(throws: FileError.self) { try call() }
        #expect(error?.code == .missing, "\(deed)")
        #expect(error?.message.contains(missing) == true)
        #expect(error?.message.contains(deed) == true, "\(error?.message ?? "")")
      }
      let wasThere = try FileSystem.remove(missing)
      let status = try FileSystem.status(missing)
      #expect(wasThere == false && status == nil)
    }
  }

  @Test func `files are written, named, linked and removed`() throws {
    try TemporaryFolder.with { folder in
      let a = "\(folder)/a"
      let b = "\(folder)/b"
      do {
        let file = try OpenFile(creating: a)
        try file.write([1, 2, 3])
        try file.synchronize()
        #expect(try file.read(count: 10, at: 1) == [2, 3])
        #expect(try file.read(count: 10, at: 3) == [])
        try file.truncate(to: 2)
      }
      do {
        let file = try OpenFile(appending: a)
        try file.write([9])
      }
      #expect(TemporaryFolder.bytes(of: a) == [1, 2, 9])
      try FileSystem.link(a, to: b)
      let status = try FileSystem.status(b)
      #expect(try FileSystem.status(a) == status)
      #expect(status?.linkCount == 2)
      let taken = #expect(throws: FileError.self) { try FileSystem.link(a, to: b) }
      #expect(taken?.code == .exists)
      _ = try OpenFile(creating: "\(folder)/c")
      try FileSystem.rename("\(folder)/c", to: a)
      #expect(TemporaryFolder.bytes(of: a) == [] && TemporaryFolder.bytes(of: b) == [1, 2, 9])
      try FileSystem.synchronize(a)
      try FileSystem.synchronize(folder: folder)
      #expect(try FileSystem.names(inFolder: folder) == ["a", "b"])
      #expect(try FileSystem.remove(a) == true)
      #expect(try FileSystem.freeSpace(at: folder) > 0)
    }
  }

  @Test(arguments: [
    ("/a/b", "/a", "b"), ("b", ".", "b"), ("/b", "/", "b"), ("a/b", "a", "b"),
    ("/a/b/", "/a/b", ""), ("/a/\u{301}b", "/a", "\u{301}b"),
  ])
  func `a path is folder and name`(path: String, folder: String, name: String) {
    #expect(FileSystem.folder(of: path) == folder)
    #expect(FileSystem.name(of: path) == name)
  }
}

@Suite struct `Absence` {
  @Test func `only what the system calls absent is absent`() throws {  // F1
    try TemporaryFolder.with { folder in
      try TemporaryFolder.write([1], to: "\(folder)/file")
      try #require(symlink("\(folder)/circle", "\(folder)/circle") == 0)
      let below = ["\(folder)/file/x", "\(folder)/circle/x"]
      let paths = below + ["\(folder)/" + String(repeating: "n", count: 256)]
      for path in paths {
        #expect(throws: FileError.self, "\(path)") { _ = try FileSystem.exists(path) }
        #expect(throws: FileError.self, "\(path)") { _ = try FileSystem.size(of: path) }
        #expect(throws: FileError.self, "\(path)") { _ = try FileSystem.status(path) }
        #expect(throws: FileError.self, "\(path)") { _ = try FileSystem.canonical(path) }
        #expect(throws: FileError.self, "\(path)") { _ = try FileSystem.resolved(path) }
        #expect(throws: FileError.self, "\(path)") { try FileSystem.remove(path) }
      }
      let none = "\(folder)/none"
      #expect(try FileSystem.exists(none) == false)
      #expect(try FileSystem.size(of: none) == nil)
      #expect(try FileSystem.resolved(none) == none)
    }
  }

  @Test func `a name that is not UTF-8 becomes no other name`() throws {
    try TemporaryFolder.with { folder in
      try TemporaryFolder.write([1], to: "\(folder)/a")
      let path = Array("\(folder)/b".utf8) + [0xff, 0]
      let descriptor = path.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { name in
          name.baseAddress.map { open($0, O_CREAT | O_WRONLY, 0o600) } ?? -1
        }
      }
      // Some file systems take no such name.
      guard descriptor >= 0 else { return }
      close(descriptor)
      let entries = try FileSystem.entries(ofFolder: folder)
      #expect(entries.map(\.bytes) == [Array("a".utf8), Array("b".utf8) + [0xff]])
      #expect(entries.map(\.name) == ["a", nil])
      #expect(throws: FileError.self) { _ = try FileSystem.names(inFolder: folder) }
      path.withUnsafeBufferPointer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { name in
          _ = name.baseAddress.map { unlink($0) }
        }
      }
    }
  }

  @Test func `a plain file is opened by no other name and of no other size`() throws {
    try TemporaryFolder.with { folder in
      try TemporaryFolder.write([1, 2, 3], to: "\(folder)/file")
      try #require(symlink("\(folder)/file", "\(folder)/link") == 0)
      try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
      for name in ["link", "pipe", "."] {
        let error = #expect(throws: FileError.self) {
          _ = try OpenFile(plainFile: "\(folder)/\(name)")
        }
        #expect(error?.code == .notPlain, "\(name)")
      }
      let large = #expect(throws: FileError.self) {
        _ = try OpenFile(plainFile: "\(folder)/file", limit: 2)
      }
      #expect(large?.code == .tooLarge)
      #expect(
        try OpenFile(plainFile: "\(folder)/file", limit: 3).read(count: 9, at: 0) == [1, 2, 3]
      )
    }
  }
}
