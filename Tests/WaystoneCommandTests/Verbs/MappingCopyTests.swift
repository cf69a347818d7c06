import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Two targets, each with a folder of the same models and mappings.
@Suite struct MappingCopyTests {
  @Test func `identical copies are one mapping`() throws {
    try TemporaryFolder.with { folder in
      for target in ["App", "Watch"] {
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(target)",
          withIntermediateDirectories: true
        )
        for name in [
          "Notes.xcdatamodeld", "Notes.v2-v3.xcmappingmodel", "Notes.v3-v4.xcmappingmodel",
        ] {
          try FileManager.default.copyItem(
            atPath: "\(SampleArchive.root)/\(name)",
            toPath: "\(folder)/\(target)/\(name)"
          )
        }
      }
      let check = CommandRun("check", "--models", ".", in: folder)
      #expect(!check.output.contains("both say"), "\(check.output)")
      for target in ["App", "Watch"] {
        let version = "\(target)/Notes.xcdatamodeld/v"
        let run = CommandRun(
          "plan",
          "\(version)2",
          "--to",
          "\(version)3",
          "--models",
          ".",
          in: folder
        )
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        #expect(run.output.contains("v2-v3.xcmappingmodel"))
      }
    }
  }
}
