import Files
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Object hops that stop, and go on.
@Suite struct ObjectHopResumeTests {
  /// A hop with all kinds of links, some of which are collected first.
  static func step(in folder: String) throws -> AuthoredStep {
    var category = AuthoredStep.mapping(
      "Note",
      "Category",
      attributes: ["name": .source("category")]
    )
    category.deduplicationKeys = ["name"]
    return AuthoredStep(
      source: try ModelSketch.model(
        """
        Note { title: String; category: String?; tags ->> Tag.notes; cover -> Image.note }
        Tag { name: String?; notes ->> Note.tags }
        Image { data: Binary?; note -> Note.cover }
        """
      ),
      destination: try ModelSketch.model(
        """
        Note { title: String; category -> Category.notes; tag -> Tag.notes; cover -> Image.note }
        Category { name: String?; notes ->> Note.category ordered }
        Tag { name: String?; notes ->> Note.tag }
        Image { data: Binary?; note -> Note.cover }
        """
      ),
      mapping: MappingModel(entityMappings: [
        AuthoredStep.mapping(
          "Note",
          "Note",
          attributes: ["title": .source("title")],
          relationships: [
            "category": .instances(of: "NoteToCategory"),
            "tag": .destinationInstances(forSourceRelationship: "tags"),
            "cover": .instances(of: "ImageToImage", at: "cover"),
          ]
        ),
        category,
        AuthoredStep.mapping("Tag", "Tag", attributes: ["name": .source("name")]),
        AuthoredStep.mapping("Image", "Image", attributes: ["data": .source("data")]),
      ]),
      folder: folder
    )
  }

  @Test func `a hop that stops after any batch comes to the same`() throws {
    try TemporaryFolder.with { folder in
      let step = try Self.step(in: folder)
      try step.makeStore()
      var batches = 0
      try step.run { if $0 == .passed(.batchWritten) { batches += 1 } }
      let whole = try step.digest()
      #expect(batches > 30)
      try FileSystem.remove(step.files.new)
      try FileSystem.remove(step.files.scratch)
      // One batch at a time, each by a run of its own.
      var runs = 0
      var isFinished = false
      while !isFinished, runs <= batches {
        let cancellation = Cancellation()
        do {
          try step.run(cancellation: cancellation) { _ in cancellation.request() }
          isFinished = true
        } catch let error as MigrationError where error.code == .interrupted {}
        runs += 1
      }
      #expect(isFinished && runs == batches)
      #expect(try step.digest() == whole)
    }
  }

  @Test func `files of another run are thrown away`() throws {
    try TemporaryFolder.with { folder in
      let step = try Self.step(in: folder)
      try step.makeStore()
      let cancellation = Cancellation()
      #expect(throws: MigrationError.self) {
        try step.run(cancellation: cancellation) { _ in cancellation.request() }
      }
      var batches = 0
      try step.hop(acceptsTakenLinks: true).run(
        step.files,
        owner: "another",
        cancellation: Cancellation()
      ) { _ in
        batches += 1
      }
      var all = 0
      try FileSystem.remove(step.files.new)
      try FileSystem.remove(step.files.scratch)
      try step.run { _ in all += 1 }
      #expect(batches == all)
    }
  }
}
