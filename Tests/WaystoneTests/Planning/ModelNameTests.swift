import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Two models of one name, in different folders, and versions that cannot be read.
@Suite struct ModelNameTests {
  /// Lends a project with the models `New/M` and `Old/M`, each of the versions N1 and N2.
  private func with(_ body: (SketchedProject) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      for place in ["New", "Old"] {
        let own = "Book { title: String?; \(place.lowercased()): String?"
        try project.draw([("N1", "\(own) }"), ("N2", "\(own); year: String? }")], of: "\(place)/M")
      }
      try project.configure("")
      try body(project)
    }
  }

  @Test func `their versions have names that tell them apart`() throws {
    try with { project throws in
      let unclear = #expect(throws: WaystoneError.self) { try project.plan("N1", to: "N2") }
      #expect(unclear?.code == .ambiguousVersion)
      for place in ["New", "Old"] {
        #expect(unclear?.description.contains("M (\(place))/N1") == true)
        for start in ["M (\(place))/N1", "\(place)/M.xcdatamodeld/N1"] {
          #expect(try project.plan(start, to: "M (\(place))/N2").refusals.isEmpty)
        }
      }
      #expect(throws: (any Error).self) { try project.plan("M (New)/N1", to: "M (Old)/N1") }
    }
  }

  @Test func `both are locked, and an edit of either is a finding of it alone`() throws {
    try with { project in
      #expect(try project.lock().added == ["M (New)/N1", "M (Old)/N1"])
      try project.lock(["M (Old)/N2"])
      let check = try project.check()
      #expect(check.isClean && check.versions?.newVersions == ["M (New)/N2"])
      let more = "Book { title: String?; old: String?; year: String?; more: String? }"
      try project.redraw("N2", more, of: "Old/M")
      let edited = try project.check().failures.of(.shippedVersionRehashed)
      #expect(edited.briefs == ["error WS701 M (Old)/N2 Book.more"])
    }
  }

  @Test func `what is ignored by its path is ignored in that model alone`() throws {
    try with { project in
      try project.configure("ignore: [Old/M.xcdatamodeld/N1]")
      let names = try project.project.models.versions.map { "\($0.path)/\($0.name)" }
      #expect(names.count == 3 && names.count { $0.contains("New/") } == 2)
      // A loss of the other model is found as before.
      try project.redraw("N2", "Book { title: String?; year: String? }", of: "New/M")
      #expect(try !project.check().isClean)
    }
  }

  @Test func `a hop file that names the model without its folder still finds its versions`() throws
  {
    try with { project in
      let model = "\(project.folder)/Old/M.xcdatamodeld"
      try FileManager.default.moveItem(
        atPath: "\(model)/N1.xcdatamodel",
        toPath: "\(model)/A1.xcdatamodel"
      )
      try project.write(
        "from: M/A1\nto: M/N2\nentities: [{source: Book, attributes: {year: '\"none\"'}}]\n",
        to: "A1-N2.hop.yml"
      )
      let plan = try project.plan("A1", to: "M (Old)/N2").plan
      #expect(plan.hops.map(\.kind) == [.authored])
    }
  }

  @Test func `folders of one name are told apart by those around them`() throws {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      for place in ["A/Data/", "B/Data/", ""] {
        let sketch = "Book { title: String?; of\(place.prefix(1)): String? }"
        try project.draw([("v1", sketch)], of: "\(place)M")
      }
      let names = try project.project.models.models.map(\.name)
      #expect(names == ["M (A:Data)", "M (B:Data)", "M (.)"])
    }
  }

  @Test func `a checkout of Waystone beside the app's models is none of them`() throws {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      try project.draw(LockTests.library.enumerated().map { ("v\($0)", $1) }, of: "App/Library")
      try project.draw([("v1", "Book {}")], of: "Tools/waystone/ModelArchive/Library")
      try project.write("// A package.", to: "Tools/waystone/Package.swift")
      // Any other package's models may be the app's.
      #expect(try project.project.models.versions.count == 4)
      try project.write("// A command.", to: "Tools/waystone/Sources/WaystoneTool/main.swift")
      try project.configure("")
      #expect(try project.project.models.versions.count == 3)
      try project.expectFailures([])
      // One that the caller names is meant.
      let own = URL(filePath: "\(folder)/Tools/waystone")
      #expect(try Project(at: own).models.versions.count == 1)
    }
  }

  // MARK: Versions that cannot be read

  /// Lends a project of four versions whose second cannot be read.
  private func withoutSecond(
    _ configuration: String = "",
    _ body: (SketchedProject) throws -> Void
  ) throws {
    let more = ["", "; isbn: String?", "; isbn: String?; year: String?"]
    let versions = (more + [more[2] + "; place: String?"]).map { "Book { title: String?\($0) }" }
    try SketchedProject.with(versions, configured: configuration) { project in
      try project.redraw("v2", #"<entity name="Book" parentEntity="Gone"/>"#)
      try project.hop("[]")
      try project.write("stages:\n  - lightweight: [v1, v2, v3]\n", to: "Library.staged.yml")
      try body(project)
    }
  }

  @Test(arguments: [
    "", "order: [v1, v2, v3, v4]", "order: {v2: v1, v3: v2, v4: v3}\nshipped: [v1, v2]",
  ])
  func `a version that cannot be read stops what needs it, and nothing else`(order: String) throws {
    try withoutSecond(order) { project throws in
      #expect(try project.check().failures.has(.unreadableVersion))
      #expect(try project.coverage().gaps.has(.unreadableVersion))
      #expect(try project.plan("v3", to: "v4").refusals.isEmpty)
      let across = try project.refusal("v1", to: "v4")
      #expect(across.contains("v2 between v1 and v3 cannot be read"), "\(across)")
      let named = #expect(throws: (any Error).self) { try project.plan("v2", to: "v4") }
      #expect(named.map { "\($0)" }?.contains("v2 cannot be read") == true)
      #expect(try !project.project.lock(.all).isWritable)
      #expect(!TemporaryFolder.names(in: project.folder).contains("waystone.lock"))
    }
  }

  @Test func `a store migrates among the versions that can be read`() throws {
    try withoutSecond { project in
      let store = try project.store("v3")
      #expect(try project.migrate(store, version: "v4").hops == 1)
    }
  }

  @Test func `the current version is not known where it cannot be read`() throws {
    try withoutSecond("current: v2") { project throws in
      #expect(throws: (any Error).self) { try project.plan("v1") }
    }
  }

  @Test func `a version that cannot be read and is no version of the app can be left out`() throws {
    try withoutSecond("ignore: [v2]") { project in
      for file in ["v1-v2.hop.yml", "Library.staged.yml"] { try project.remove(file) }
      #expect(try project.plan("v1", to: "v4").refusals.isEmpty)
      #expect(try !project.check().allFindings.has(.unreadableVersion))
    }
  }
}
