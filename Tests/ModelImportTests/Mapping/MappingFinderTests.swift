import Foundation
import MigrationTestSupport
import ModelImport
import Testing

struct MappingFinderTests {
  /// Makes files, and folders where a path ends with a slash.
  private func make(_ paths: [String], in folder: String) throws {
    for path in paths {
      let url = URL(fileURLWithPath: "\(folder)/\(path)")
      try FileManager.default.createDirectory(
        at: path.hasSuffix("/") ? url : url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      if !path.hasSuffix("/") { try Data().write(to: url) }
    }
  }

  private let files = [
    "A.xcmappingmodel/xcmapping.xml", "B.cdm", "v1-to-v2.hop.yml", "x.hop.json", "App.staged.yml",
    "deep/C.xcmappingmodel/xcmapping.xml", ".hidden/D.cdm", "M.xcdatamodeld/E.cdm", "notes.yml",
  ]

  @Test func `all forms of mappings below a folder are found, models and hidden folders aside`()
    throws
  {
    try TemporaryFolder.with { folder in
      try make(files, in: folder)
      let found = try MappingFinder.mappings(forModels: folder).map {
        String($0.dropFirst(folder.count + 1))
      }
      #expect(
        found == [
          "A.xcmappingmodel", "App.staged.yml", "B.cdm", "deep/C.xcmappingmodel",
          "v1-to-v2.hop.yml", "x.hop.json",
        ]
      )
    }
  }

  @Test func `beside a model no other folder is entered`() throws {
    try TemporaryFolder.with { folder in
      try make(files, in: folder)
      let found = try MappingFinder.mappings(forModels: "\(folder)/M.xcdatamodeld").map {
        String($0.dropFirst(folder.count + 1))
      }
      #expect(
        found == ["A.xcmappingmodel", "App.staged.yml", "B.cdm", "v1-to-v2.hop.yml", "x.hop.json"]
      )
    }
  }

  @Test func `a folder that contains itself is entered once`() throws {
    try TemporaryFolder.with { folder in
      try make(["a/B.cdm"], in: folder)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/a/again",
        withDestinationPath: folder
      )
      #expect(try MappingFinder.mappings(below: folder).count == 1)
    }
  }

  @Test func `a path that does not exist is an error`() {
    #expect(throws: ModelImportError.self) {
      try MappingFinder.mappings(below: "/nowhere/at/all")
    }
  }
}
