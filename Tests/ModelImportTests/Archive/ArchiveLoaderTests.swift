import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct ArchiveLoaderTests {
  private func write(_ text: String, to path: String) throws {
    let url = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  private func writeModel(_ entity: String, to path: String) throws {
    try write(Sample.xml("<entity name=\"\(entity)\"/>"), to: "\(path)/contents")
  }

  private func writeCurrent(_ name: String?, in folder: String) throws {
    let pair = name.map { "<key>_XCCurrentVersionName</key><string>\($0)</string>" } ?? ""
    try write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>\(pair)</dict></plist>
      """,
      to: "\(folder)/.xccurrentversion"
    )
  }

  private func error(_ path: String) -> ModelImportError? {
    do {
      _ = try ArchiveLoader.load(path)
      return nil
    } catch { return error }
  }

  @Test func `versions stand in natural order and one is current`() throws {
    try TemporaryFolder.with { folder in
      let model = folder + "/My Model.xcdatamodeld"
      for name in ["My Model 10", "My Model", "My Model 2"] {
        try writeModel("E", to: "\(model)/\(name).xcdatamodel")
      }
      try writeCurrent("My Model 2.xcdatamodel", in: model)
      let archive = try ArchiveLoader.load(model + "/")
      #expect(archive.findings == [])
      #expect(archive.models.map(\.name) == ["My Model"])
      #expect(archive.versions.map(\.name) == ["My Model", "My Model 2", "My Model 10"])
      #expect(archive.versions.map(\.isCurrent) == [false, true, false])
      #expect(archive.models.first?.current?.qualifiedName == "My Model/My Model 2")
    }
  }

  @Test(arguments: ["absent", "empty", "elsewhere", "broken"])
  func `a doubtful current version is told`(kind: String) throws {
    try TemporaryFolder.with { folder in
      let model = folder + "/M.xcdatamodeld"
      try writeModel("E", to: model + "/M.xcdatamodel")
      try writeModel("E", to: model + "/M 2.xcdatamodel")
      switch kind {
      case "empty": try writeCurrent(nil, in: model)
      case "elsewhere": try writeCurrent("M 3.xcdatamodel", in: model)
      case "broken": try write("bplist00", to: model + "/.xccurrentversion")
      default: break
      }
      let archive = try ArchiveLoader.load(model)
      #expect(archive.findings.map(\.code) == [.currentVersionUnknown])
      #expect(archive.findings.first?.severity == .warning)
      #expect(archive.findings.first?.place.file == model)
      #expect(archive.models.first?.current?.name == "M 2")
    }
  }

  @Test func `a folder is searched through, in byte order of paths`() throws {
    try TemporaryFolder.with { folder in
      try writeModel("Z", to: folder + "/b/Zoo.xcdatamodeld/Zoo.xcdatamodel")
      try writeModel("L", to: folder + "/a/deep/er/Lone.xcdatamodel")
      try writeModel("H", to: folder + "/.build/checkouts/Hidden.xcdatamodel")
      try writeModel("I", to: folder + "/a/deep/er/Lone.xcdatamodel/Inner.xcdatamodel")
      try write("text", to: folder + "/a/Notes.xcdatamodel.txt")
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.models.map(\.name) == ["Lone", "Zoo"])
      #expect(archive.versions.map(\.qualifiedName) == ["Lone/Lone", "Zoo/Zoo"])
      #expect(archive.findings.map(\.severity) == [.note])
    }
  }

  @Test func `one version can be named by its folder or its contents`() throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/One.xcdatamodel"
      try writeModel("E", to: path)
      for path in [path, path + "/contents"] {
        #expect(try ArchiveLoader.load(path).versions.map(\.qualifiedName) == ["One/One"])
        #expect(try ModelImporter.importModel(at: path).model.entities.map(\.name) == ["E"])
      }
    }
  }

  @Test func `a version of Xcode 3 stands beside the others`() throws {
    try TemporaryFolder.with { folder in
      let model = folder + "/M.xcdatamodeld"
      try writeModel("E", to: model + "/M 2.xcdatamodel")
      let elements = LegacySketch.archive(of: [LegacySketch.Entity(name: "Old")])
      try write("", to: model + "/M.xcdatamodel/elements")
      try TemporaryFolder.write(elements, to: model + "/M.xcdatamodel/elements")
      try writeCurrent("M 2.xcdatamodel", in: model)
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.versions.map(\.name) == ["M", "M 2"])
      #expect(archive.versions.first?.model.entities.map(\.name) == ["Old"])
      #expect(archive.findings == [])
      for path in [model + "/M.xcdatamodel", model + "/M.xcdatamodel/elements"] {
        #expect(try ArchiveLoader.load(path).versions.map(\.name) == ["M"])
      }
    }
  }

  @Test func `the first fault in the order of paths is the one told`() throws {
    try TemporaryFolder.with { folder in
      for number in 10..<40 {
        try write("<model", to: folder + "/\(number).xcdatamodel/contents")
      }
      try write("x", to: folder + "/99.xcdatamodel/other")
      for _ in 0..<5 { #expect(error(folder)?.file == folder + "/10.xcdatamodel/contents") }
      for number in 10..<40 { try writeModel("E\(number)", to: "\(folder)/\(number).xcdatamodel") }
      let partial = try ArchiveLoader.load(folder)
      #expect(partial.findings.map(\.place.file) == [folder + "/99.xcdatamodel"])
      try writeModel("Last", to: folder + "/99.xcdatamodel")
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.versions.map(\.name) == (10..<40).map { "\($0)" } + ["99"])
      #expect(archive.versions.dropLast().allSatisfy { $0.model["E" + $0.name] != nil })
    }
  }

  @Test func `a version that cannot be read is one error, and the others are read`() throws {
    try TemporaryFolder.with { folder in
      let model = folder + "/M.xcdatamodeld"
      for name in ["v1", "v3", "v4"] {
        try writeModel("E\(name)", to: "\(model)/\(name).xcdatamodel")
      }
      try write("<model", to: model + "/v2.xcdatamodel/contents")
      try write("x", to: model + "/v5.xcdatamodel/other")
      try writeCurrent("v5.xcdatamodel", in: model)
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.versions.map(\.name) == ["v1", "v3", "v4"])
      #expect(archive.findings.map(\.code) == [.unreadableVersion, .unreadableVersion])
      #expect(archive.findings.map(\.severity) == [.error, .error])
      #expect(archive.findings.map(\.place.version) == ["v2", "v5"])
      let read = try #require(archive.models.first)
      #expect(read.unreadable.map(\.name) == ["v2", "v5"])
      #expect(read.unreadable.map(\.followers) == [["v3"], []])
      #expect(read.current == nil, "the current version is none of those that were read")
    }
  }

  @Test func `a link that leads back is an error that names it`() throws {
    try TemporaryFolder.with { folder in
      try writeModel("E", to: folder + "/a/M.xcdatamodel")
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/a/loop",
        withDestinationPath: folder
      )
      #expect(error(folder)?.code == .folderLoop)
      #expect(error(folder)?.file == folder + "/a/loop")
    }
  }

  @Test func `a folder reached twice counts once and a dangling link is nothing`() throws {
    try TemporaryFolder.with { folder in
      try writeModel("E", to: folder + "/b/M.xcdatamodel")
      for (link, target) in [("/a", "/b"), ("/c", "/nowhere")] {
        try FileManager.default.createSymbolicLink(
          atPath: folder + link,
          withDestinationPath: folder + target
        )
      }
      #expect(try ArchiveLoader.load(folder).models.map(\.path) == [folder + "/a/M.xcdatamodel"])
    }
  }

  @Test func `what is missing, empty or no model says which it is`() throws {
    try TemporaryFolder.with { folder in
      #expect(error(folder + "/nowhere")?.code == .missing)
      #expect(error(folder + "/nowhere.xcdatamodeld")?.code == .missing)
      #expect(error(folder)?.code == .notAModel)
      try write("x", to: folder + "/file")
      #expect(error(folder + "/file")?.code == .notAModel)
      try write("x", to: folder + "/Empty.xcdatamodel/other")
      #expect(error(folder)?.file == folder + "/Empty.xcdatamodel")
      try write("<model", to: folder + "/Empty.xcdatamodel/contents")
      #expect(error(folder)?.code == .notXML)
      #expect(error(folder)?.file == folder + "/Empty.xcdatamodel/contents")
    }
  }
}
