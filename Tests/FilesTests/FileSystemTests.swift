import Files
import MigrationTestSupport
import StoreAccess
import Testing

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
    ("/a/b/", "/a/b", ""),
  ])
  func `a path is folder and name`(path: String, folder: String, name: String) {
    #expect(FileSystem.folder(of: path) == folder)
    #expect(FileSystem.name(of: path) == name)
  }
}
