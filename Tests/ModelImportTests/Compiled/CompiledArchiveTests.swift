import MigrationTestSupport
import ModelCoding
import ModelImport
import ObjectModel
import PropertyLists
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct CompiledArchiveTests {
  private static let first = """
    <entity name="Note"><attribute name="title" attributeType="String"/></entity>
    """
  private static let second = """
    <entity name="Note">
      <attribute name="title" attributeType="String" optional="YES"/>
      <attribute name="date" attributeType="Date"/>
      <fetchIndex name="byDate"><fetchIndexElement property="date"/></fetchIndex>
    </entity>
    """

  private func write(_ bytes: [UInt8], to path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try TemporaryFolder.write(bytes, to: path)
  }

  private func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  private func compiled(_ body: String) throws -> [UInt8] {
    try ModelArchiveEncoder.encode(Sample.read(body).model)
  }

  private func info(
    _ versions: [String: String],
    current: String? = nil,
    checksums: [String: String] = [:]
  ) throws -> PropertyList {
    var list: [String: PropertyList] = [:]
    list["NSManagedObjectModel_VersionHashes"] = .dictionary(
      try versions.mapValues { body in
        .dictionary(
          try Sample.read(body).model.entityVersionHashes.mapValues { .data($0.bytes) }
        )
      }
    )
    list["NSManagedObjectModel_CurrentVersionName"] = current.map { .string($0) }
    list["NSManagedObjectModel_VersionChecksums"] = .dictionary(
      checksums.mapValues { .string($0) }
    )
    return .dictionary(list)
  }

  /// A `.momd` with two versions of which the second is current.
  private func writeModel(to path: String, info: PropertyList? = nil) throws {
    try write(compiled(Self.first), to: path + "/App.mom")
    try write(compiled(Self.second), to: path + "/App 2.mom")
    let list = try self.info(["App": Self.first, "App 2": Self.second], current: "App 2")
    try write((info ?? list).binary, to: path + "/VersionInfo.plist")
  }

  @Test func `a momd is a model with its versions`() throws {
    try TemporaryFolder.with { folder in
      try writeModel(to: folder + "/App.momd")
      for path in [folder, folder + "/App.momd"] {
        let archive = try ArchiveLoader.load(path)
        #expect(archive.findings == [])
        #expect(archive.versions.map(\.qualifiedName) == ["App/App", "App/App 2"])
        #expect(archive.models.first?.current?.name == "App 2")
        let expected = try Sample.read(Self.second).model
        #expect(archive.versions[1].model.entityVersionHashes == expected.entityVersionHashes)
      }
      let one = folder + "/App.momd/App 2.mom"
      #expect(try ArchiveLoader.load(one).versions.map(\.name) == ["App 2"])
    }
  }

  @Test func `an XML VersionInfo with every kind of value is read`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/App.momd"
      try writeModel(to: path)
      let model = try Sample.read(Self.first).model
      let hash = Base64.string(try #require(model.entityVersionHashes["Note"]).bytes)
      let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>
        <key>NSManagedObjectModel_CurrentVersionName</key><string>App</string>
        <key>NSManagedObjectModel_VersionHashes</key>
        <dict><key>App</key><dict><key>Note</key><data>
          \(hash)
        </data></dict></dict>
        <key>others</key><array><true/><false/><integer>-5</integer><real>1.5</real>
        <integer>18446744073709551615</integer><date>2026-11-21T08:00:00Z</date></array>
        </dict></plist>
        """
      try FileManager.default.removeItem(atPath: path + "/App 2.mom")
      try write(xml, to: path + "/VersionInfo.plist")
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.findings == [])
      #expect(archive.versions.map(\.isCurrent) == [true])
      for (old, new) in [
        ("<true/>", "<maybe/>"), ("-5", "five"), ("2026-11-21T", "2026-13-21T"),
        ("<real>1.5</real>", "<real>x</real>"), ("</string>", "</string><key>odd</key>"),
      ] {
        try write(xml.replacing(old, with: new), to: path + "/VersionInfo.plist")
        let findings = try ArchiveLoader.load(folder).findings
        #expect(findings.map(\.code) == [.currentVersionUnknown], "\(new)")
      }
    }
  }

  @Test func `where VersionInfo disagrees, version and entity are named`() throws {
    try TemporaryFolder.with { folder in
      let wrong = try info(
        ["App": Self.second, "App 3": Self.first],
        current: "App",
        checksums: ["App": "AAAA"]
      )
      try writeModel(to: folder + "/App.momd", info: wrong)
      let findings = try ArchiveLoader.load(folder).findings
      #expect(findings.map(\.code) == Array(repeating: .versionInfoDiffers, count: 3))
      #expect(findings.map(\.place.version) == ["App", "App 2", "App 3"])
      #expect(findings.map(\.place.entity) == ["Note", nil, nil])
      let checksum = try info(
        ["App": Self.first, "App 2": Self.second],
        current: "App",
        checksums: ["App 2": "AAAA"]
      )
      try write(checksum.binary, to: folder + "/App.momd/VersionInfo.plist")
      #expect(try ArchiveLoader.load(folder).findings.map(\.place.version) == ["App 2"])
    }
  }

  @Test(arguments: ["absent", "unnamed", "elsewhere", "broken"])
  func `a doubtful current version is told`(kind: String) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/App.momd"
      try writeModel(to: path)
      let file = path + "/VersionInfo.plist"
      let versions = ["App": Self.first, "App 2": Self.second]
      switch kind {
      case "absent": try FileManager.default.removeItem(atPath: file)
      case "unnamed": try write(info(versions).binary, to: file)
      case "elsewhere": try write(info(versions, current: "App 9").binary, to: file)
      default: try write("bplist00", to: file)
      }
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.findings.map(\.code) == [.currentVersionUnknown])
      #expect(archive.models.first?.current?.name == "App 2")
    }
  }

  @Test func `source and compiled form are one model`() throws {
    try TemporaryFolder.with { folder in
      try writeModel(to: folder + "/built/App.momd")
      let source = folder + "/source/App.xcdatamodeld"
      try write(Sample.xml(Self.second), to: source + "/App 2.xcdatamodel/contents")
      let archive = try ArchiveLoader.load(folder)
      // The first version's source is gone; its compiled form stands in.
      #expect(archive.versions.map(\.qualifiedName) == ["App/App", "App/App 2"])
      #expect(archive.versions.map(\.path.last) == ["m", "l"])
      #expect(archive.findings.map(\.code) == [.currentVersionUnknown])
      #expect(archive.models.map(\.path) == [source])
    }
  }

  @Test func `what differs between source and compiled form is told`() throws {
    try TemporaryFolder.with { folder in
      try writeModel(to: folder + "/App.momd")
      let changed = Self.second.replacing(" optional=\"YES\"", with: " defaultValueString=\"x\"")
      try write(Sample.xml(changed), to: folder + "/App.xcdatamodeld/App 2.xcdatamodel/contents")
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.versions.map(\.name) == ["App", "App 2"])
      let told = archive.findings.filter { $0.code == .compiledFormDiffers }
      #expect(told.map(\.place.property) == ["title", "title"])
      #expect(Set(told.map(\.severity)) == [.warning, .note])
    }
  }

  @Test func `models that only share a name stay apart`() throws {
    try TemporaryFolder.with { folder in
      try writeModel(to: folder + "/App.momd")
      for name in ["a", "b"] {
        let path = "\(folder)/\(name)/App.xcdatamodeld/App.xcdatamodel/contents"
        try write(Sample.xml("<entity name=\"\(name)\"/>"), to: path)
      }
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.models.map(\.name) == ["App (.)", "App (a)", "App (b)"])
      #expect(!archive.findings.map(\.code).contains(.compiledFormDiffers))
    }
  }

  @Test func `an optimized copy is compared with its original`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/App.momd"
      try writeModel(to: path)
      let mark = Array("momv2$ and more".utf8)
      let hash = try #require(Sample.read(Self.second).model.entityVersionHashes["Note"])
      try write(mark + hash.bytes + [0], to: path + "/App 2.omo")
      #expect(try ArchiveLoader.load(folder).findings == [])
      let imported = try ModelImporter.importModel(at: path + "/App 2.omo")
      #expect(imported.model.entityVersionHashes["Note"] == hash)
      #expect(imported.findings.map(\.severity) == [.note])
      for bytes in [mark, mark + hash.bytes.dropLast(), [UInt8]("bplist00".utf8), []] {
        try write(bytes, to: path + "/App 2.omo")
        let archive = try ArchiveLoader.load(folder)
        #expect(archive.findings.map(\.code) == [.versionInfoDiffers])
        #expect(archive.versions.count == 2)
        #expect(throws: ModelImportError.self) {
          try ModelImporter.importModel(at: path + "/App 2.omo")
        }
      }
    }
  }

  @Test func `an optimized copy without its original is left out, with one finding`() throws {
    try TemporaryFolder.with { folder in
      try writeModel(to: folder + "/App.momd")
      try write("momv2$", to: folder + "/Alone.omo")
      try write("momv2$", to: folder + "/App.momd/App 3.omo")
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.versions.map(\.name) == ["App", "App 2"])
      #expect(archive.findings.map(\.code) == [.unreadableForm, .unreadableForm])
      #expect(Set(archive.findings.map(\.place.version)) == ["Alone", "App 3"])
    }
  }

  @Test func `a momd with optimized copies only is refused, with what to do`() throws {
    try TemporaryFolder.with { folder in
      try write("momv2$", to: folder + "/App.momd/App.omo")
      for path in ["", "/App.momd", "/App.momd/App.omo"] {
        let error = #expect(throws: ModelImportError.self) {
          _ = try ArchiveLoader.load(folder + path)
        }
        #expect(error?.file == folder + "/App.momd/App.omo")
        #expect(error?.recovery.contains("Copy App.mom from the same build") == true)
      }
    }
  }

  @Test func `damaged compiled models throw and never trap`() throws {
    let bytes = try compiled(Self.second)
    func isRefused(_ bytes: [UInt8]) -> Bool {
      (try? ModelImporter.importModel(compiled: bytes, file: "App.mom")) == nil
    }
    for length in 0..<bytes.count where length.isMultiple(of: 5) {
      #expect(isRefused(Array(bytes.prefix(length))))
    }
    var state: UInt64 = 0x5eed_0303
    var refused = 0
    for _ in 0..<3_000 {
      var damaged = bytes
      for _ in 0..<2 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 20)
      }
      if isRefused(damaged) { refused += 1 }
    }
    print("Seed 5eed0303: \(refused) of 3000 damaged compiled models are refused.")
    #expect(refused > 500)
  }
}
