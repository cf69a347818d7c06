import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Mappings in a check, and those that stand beside the models.
@Suite struct MappingCheckTests {
  private static let library = [
    "Book { title: String? }", "Book { isbn: String?; title: String? }",
    "Book { heading: String? was title; isbn: String? }",
  ]

  private static let stages =
    "stages:\n  - custom: {from: v1, to: v2}\n    did: {handlers: [fill]}\n  - lightweight: [v3]\n"

  @Test func `a named mapping that is left out fails`() throws {
    try SketchedProject.with(Self.library, configured: "ignore: [v2]") { project in
      try project.hop("[{source: Book}]", from: "v2", to: "v3")
      try project.write(Self.stages, to: "App.staged.yml")
      func expectLeftOut() throws {
        for name in ["v2-v3.hop.yml", "App.staged.yml"] {
          let url = URL(filePath: project.folder)
          let named = try Project(at: url, mappings: [url.appending(path: name)])
          #expect(try named.checkMappings().failures.has(.unreadableForm), "\(name)")
        }
      }
      try expectLeftOut()
      try project.remove("waystone.yml")
      try project.write("<model", to: "Library.xcdatamodeld/v2.xcdatamodel/contents")
      try expectLeftOut()
    }
  }

  @Test func `a carried attribute that becomes required is one finding of its mapping`() throws {
    try SketchedProject.with("A { x: String? }", "A { x: String; y: String? }") { project in
      try project.hop("[{source: A, attributes: {y: $source.x}}]")
      let required = try project.check().allFindings.of(.requiredWithoutDefault)
      #expect(required.map(\.place.subject) == ["A.x"])
    }
  }

  @Test func `stages are checked with the names of their handlers`() throws {
    // The versions before the current one count as shipped before a first lock.
    try SketchedProject.with(Self.library, locked: 1) { project in
      try project.write(Self.stages, to: "App.staged.yml")
      #expect(try project.check().failures.briefs.contains("error WS723 v1"))
      // The app has its own handlers.
      try project.configure("runtime: staged")
      let check = try project.check()
      #expect(check.isClean, "\(check.failures.briefs)")
      #expect(check.allFindings.of(.unresolvedPolicy).map(\.severity) == [.note])
      #expect(!check.allFindings.has(.uncoveredAttribute))
      try project.write(Self.stages.replacing("to: v2", with: "to: v1"), to: "App.staged.yml")
      let error = #expect(throws: WaystoneError.self) { try project.project }
      #expect(error?.code == .badFile && error?.message.contains("App.staged.yml:2: ") == true)
    }
  }

  @Test func `another model's hop file beside the model does not matter`() throws {
    try SketchedProject.with(Self.library) { project in
      try project.write("models: Library.xcdatamodeld\n", to: "waystone.yml")
      try project.write("from: Other/v1\nto: Other/v2\n", to: "a.hop.yml")
      let quiet = try project.plan("v1")
      #expect(quiet.refusals.isEmpty && !quiet.findings.has(.unreadableForm))
      try project.write("from: v98\nto: v99\n", to: "a.hop.yml")
      let warned = try project.plan("v1")
      #expect(warned.refusals.isEmpty)
      #expect(warned.findings.of(.unreadableForm).map(\.severity) == [.warning])
      let url = URL(filePath: project.folder)
      let given = #expect(throws: WaystoneError.self) {
        try Project(at: url, mappings: [url.appending(path: "a.hop.yml")])
      }
      #expect(given?.code == .badFile)
    }
  }

  @Test(arguments: [
    "from: v1\nto: v99\n", "from: v98\nto: v2\n", "from: [\n",
    "from: v1\nto: v2\nentities: [{source: Boo}]\n",
  ])
  func `no step is inferred in place of a hop file with a mistake`(text: String) throws {
    try SketchedProject.with(Self.library) { project in
      try project.write("models: Library.xcdatamodeld\n", to: "waystone.yml")
      try project.store("v1")
      try project.write(text, to: "a.hop.yml")
      #expect(try project.plan("s.sqlite").refusals == ["WS106"])
      // Another model's file is named as such.
      try project.write(text.replacing("from: v1", with: "from: Other/v1"), to: "a.hop.yml")
      guard text.contains("from: v1") else { return }
      #expect(try project.plan("s.sqlite").refusals.isEmpty)
    }
  }

  @Test func `a hop file beside the model is taken`() throws {
    try SketchedProject.with(Self.library) { project in
      try project.hop("[{source: Book}]")
      #expect(try project.plan("v1", to: "v2").plan.hops.map(\.kind) == [.authored])
    }
  }

  /// Each step can be inferred, and the app, which takes two at once, fails.
  @Test func `an app that cannot open a shipped version fails, and is accepted by one entry`()
    throws
  {
    try SketchedProject.with(
      "Book { title: String?; x: String? }",
      "Book { title: String? }",
      "Book { title: String?; x: Int32? }",
      locked: 2
    ) { project in
      try project.configure("runtime: progressive")
      #expect(try project.verdict())
      try project.configure("")
      #expect(try project.check().failures.briefs.contains("error WS707 v3 Book.x"))
      #expect(try !project.verdict())
      try project.accept("code: WS707, place: Book.x, version: v3")
      #expect(try project.verdict())
    }
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `the audit names a stale mapping of a public app and the entities that moved`() throws {
    let models = Corpus.path("Mioke+CoreDataMigrationHelper/CoreDataTest")
    let stale = try Project(at: URL(filePath: models)).check().failures.of(.staleMapping)
    #expect(stale.first?.message.contains("Chat (lastMessage), Message (lastMessageOf)") == true)
  }
}
