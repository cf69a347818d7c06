import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Orders and current versions that `waystone.yml` gives.
@Suite struct ConfiguredOrderTests {
  @Test func `the order given is the order that counts`() throws {
    try SketchedProject.with(LockTests.library, configured: "order: [v2, v3, v1]") { project in
      let names = try project.project.models.versions.map(\.name)
      #expect(names == ["v2", "v3", "v1"])
    }
  }

  @Test(arguments: [
    ("order: [v1, v2]", "waystone.yml:2: The order does not say where v3 stands."),
    ("\norder: [v1, v2, v3, v11]", "waystone.yml:3: The order names v11, which is no version."),
    ("current: v9", "waystone.yml:2: No version, or more than one, is called v9."),
    ("order: {Other: [v1]}", "waystone.yml:2: There are 0 models called Other."),
  ])
  func `a file that does not fit the models is an error at its line`(text: String, words: String)
    throws
  {
    try SketchedProject.with(LockTests.library, configured: text) { project throws in
      let error = #expect(throws: WaystoneError.self) { try project.project }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }
}
