import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// The mappings that a plan takes where there are several, or several models.
@Suite struct MappingChoiceTests {
  // MARK: Several mappings between two versions

  private static let linked = [
    "Author { name: String? } Book { writer: String? }",
    "Author { name: String?; books ->> Book.author } Book { writer: String?; author -> Author.books }",
  ]

  private func withTwo(_ body: (SketchedProject) throws -> Void) throws {
    try SketchedProject.with(Self.linked) { project in
      let lookup = "{lookup: {entity: Author, where: name, equals: $source.writer}}"
      let start = "from: v1\nto: v2\nothers: drop\nentities:\n"
      try project.write(
        start + "  - {source: Book, relationships: {author: \(lookup)}}\n",
        to: "a-books.hop.yml"
      )
      try project.write(start + "  - source: Author\n", to: "b-authors.hop.yml")
      try body(project)
    }
  }

  @Test(arguments: ["", "mappings: [.]"])
  func `an order that matters and that is not given is refused`(configuration: String) throws {
    try withTwo { project in
      try project.configure(configuration)
      let refusal = try project.refusal("v1")
      #expect(refusal.contains("a-books.hop.yml reads what b-authors.hop.yml makes"))
      #expect(try !project.check().isClean)
    }
  }

  @Test func `an order that is listed is the one in which mappings run`() throws {
    try withTwo { project in
      let files = ["b-authors.hop.yml", "a-books.hop.yml"]
      try project.configure("mappings: [\(files.joined(separator: ", "))]")
      let store = try project.store(
        "v1",
        rows: 20,
        "UPDATE ZAUTHOR SET ZNAME = 'n' || Z_PK; UPDATE ZBOOK SET ZWRITER = 'n' || Z_PK"
      )
      #expect(try project.plan("v1").plan.hops.map { $0.origins.map(\.path) } == [files])
      try project.migrate(store)
      let linked = "SELECT COUNT(ZAUTHOR) FROM ZBOOK"
      #expect(try AppDatabase("\(project.folder)/\(store)").integer(linked) == 10)
      // What one half drops, the other carries.
      #expect(try !project.check().allFindings.has(.entityDropped))
    }
  }

  @Test func `mappings between other versions than a plan's refuse nothing`() throws {
    let versions = ["", "; u: String?", "; u: String?; w: String?"]
    try SketchedProject.with(versions.map { "Note { t: String?\($0) }" }) { project in
      for name in ["first", "second"] {
        try project.write(
          "from: v2\nto: v3\nentities:\n  - {source: Note, attributes: {w: \"'\(name)'\"}}\n",
          to: "\(name).hop.yml"
        )
      }
      let store = try project.store("v1")
      #expect(try !project.refusal("v2").isEmpty)
      let plan = try project.plan(store, to: "v2")
      #expect(plan.refusals.isEmpty && plan.findings.allSatisfy { $0.severity < .error })
    }
  }

  // MARK: Several folders

  @Test func `identical copies are one mapping`() throws {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      let names = [
        "Notes.xcdatamodeld", "Notes.v2-v3.xcmappingmodel", "Notes.v3-v4.xcmappingmodel",
      ]
      for target in ["App", "Watch"] {
        try project.write("", to: "\(target)/empty")
        for name in names {
          try FileManager.default.copyItem(
            atPath: "\(SampleArchive.root)/\(name)",
            toPath: "\(folder)/\(target)/\(name)"
          )
        }
      }
      #expect(try !project.check().allFindings.has(.ambiguousMapping))
      for target in ["App", "Watch"] {
        let version = "\(target)/Notes.xcdatamodeld/v"
        let plan = try project.plan("\(version)2", to: "\(version)3").plan
        #expect(plan.hops.map(\.kind) == [.authored])
      }
    }
  }

  private static let titled = ["", "; year: String?"].enumerated().map { index, more in
    ("v\(index + 1)", "Note { title: String?\(more) } Tag { title: String?\(more) }")
  }

  private static func hop(_ entity: String, from model: String) -> String {
    "from: \(model)v1\nto: \(model)v2\nentities:\n"
      + "  - {source: \(entity), attributes: {year: $source.title}}\n"
  }

  @Test func `a hop file is for the model beside it`() throws {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      for target in ["App", "Widget"] {
        try project.draw(Self.titled, of: "\(target)/M")
        let hop = Self.hop("Note", from: "").replacing("$source.title", with: "\"'\(target)'\"")
        try project.write(hop, to: "\(target)/note.hop.yml")
      }
      // The app does not read hop files.
      #expect(try Set(project.check().failures.map(\.code)) == [.appLosesSilently])
      let version = "Widget/M.xcdatamodeld/v"
      let plan = try project.plan("\(version)1", to: "\(version)2").plan
      #expect(plan.hops.flatMap { $0.origins.map(\.path) } == ["Widget/note.hop.yml"])
    }
  }

  @Test(arguments: [["Shared"], ["A", "B"]])
  func `a model keeps its mapping where another has one more beside it`(folders: [String]) throws {
    try TemporaryFolder.with { folder in
      let project = SketchedProject(folder: folder)
      for target in ["A", "B"] { try project.draw(Self.titled, of: "App/\(target)/M\(target)") }
      try project.write(Self.hop("Note", from: "MA/"), to: "App/A/note.hop.yml")
      for other in folders {
        try project.write(Self.hop("Tag", from: "MA/"), to: "App/\(other)/tag.hop.yml")
      }
      let plan = try project.plan("MB/v1", to: "MB/v2").plan
      let files = folders.suffix(1).map { "App/\($0)/tag.hop.yml" }
      #expect(plan.hops.map { $0.origins.map(\.path) } == [files])
    }
  }
}
