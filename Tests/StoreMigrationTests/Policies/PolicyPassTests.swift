import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Policies called as Core Data calls them.
@Suite struct PolicyPassTests {
  static let first = """
    Note { title: String?; body: String?; image: Binary? external; size: Int16?
      links ->> Note.backlinks; backlinks ->> Note.links; next -> Note.previous
      previous -> Note.next; chapters ->> Note.book ordered; book -> Note.chapters }
    """
  static let second = """
    Note { heading: String?; text: String?; image: Binary?; size: Int64?
      links ->> Note.backlinks; backlinks ->> Note.links; next -> Note.previous
      previous -> Note.next; chapters ->> Note.book ordered; book -> Note.chapters
      attachment -> Attachment.note }
    Attachment { data: Binary?; note -> Note.attachment }
    """
  static let attributes = ["heading": "title", "text": "body", "image": "image", "size": "size"]
  static let relationships = [
    "links": "links", "backlinks": "backlinks", "next": "next", "previous": "previous",
    "chapters": "chapters", "book": "book",
  ]

  private func withHop(
    _ policies: [(source: String, destination: String, policy: String?)],
    _ registry: MigrationRegistry = MigrationRegistry(),
    rows: Int = 20,
    batchSize: Int = 3,
    _ body: (PolicyHop) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      try StoreGenerator(model: source, rows: rows, seed: 5).write(to: folder + "/before.sqlite")
      let hop = try PolicyHop(
        PolicyHop.mapping(
          policies,
          attributes: Self.attributes,
          relationships: Self.relationships
        ),
        from: source,
        to: ModelSketch.model(Self.second),
        in: folder,
        registry: registry,
        batchSize: batchSize
      )
      try body(hop)
    }
  }

  @Test(arguments: [1, 2, 7, 20, 64])
  func `without a policy everything arrives, whatever the batches`(batchSize: Int) throws {
    try withHop([("Note", "Note", nil)], batchSize: batchSize) { hop in
      try hop.run()
      let columns = "Z_PK, ZTITLE, ZBODY, ZSIZE, ZNEXT, ZPREVIOUS, ZBOOK, Z_FOK_BOOK"
      let before = try hop.rows("SELECT \(columns) FROM old.ZNOTE ORDER BY Z_PK")
      let after = try hop.rows(
        "SELECT Z_PK, ZHEADING, ZTEXT, ZSIZE, ZNEXT, ZPREVIOUS, ZBOOK, Z_FOK_BOOK"
          + " FROM main.ZNOTE ORDER BY Z_PK"
      )
      #expect(before == after)
      #expect(before.count == 20)
      let tagged = try hop.rows("SELECT substr(ZIMAGE, 2) FROM old.ZNOTE ORDER BY Z_PK")
      let untagged = try hop.rows("SELECT ZIMAGE FROM main.ZNOTE ORDER BY Z_PK")
      #expect(tagged.map { $0[0].blob ?? [] } == untagged.map { $0[0].blob ?? [] })
      let links = hop.destination.joinTables[0]
      let list = links.keyColumns.map { SQL.identifier($0.name) }.joined(separator: ", ")
      let pairs = try hop.rows("SELECT \(list) FROM main.\(links.name) ORDER BY 1, 2")
      #expect(try hop.rows("SELECT Z_1BACKLINKS, Z_1LINKS FROM old.Z_1LINKS").count == pairs.count)
      #expect(try hop.rows("SELECT DISTINCT Z_OPT FROM main.ZNOTE") == [[.integer(1)]])
    }
  }

  /// Notes which callbacks are called, in `userInfo`.
  class Diary: EntityMigrationPolicy {
    private func note(_ word: String, _ manager: MigrationManager) {
      guard case .string(let text)? = manager.userInfo["diary"] else {
        manager.userInfo["diary"] = .string(word)
        return
      }
      manager.userInfo["diary"] = .string(text + " " + word)
    }

    override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
      #expect(manager.currentEntityMapping == mapping)
      note("begin:\(mapping.name)", manager)
    }

    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      note("create:\(sInstance.objectID.key)", manager)
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }

    override func endInstanceCreation(
      forMapping mapping: EntityMapping,
      manager: MigrationManager
    ) throws { note("made", manager) }

    override func createRelationships(
      forDestination dInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      note("connect:\(dInstance.objectID.key)", manager)
      let sources = try manager.sourceInstances(
        forEntityMappingName: mapping.name,
        destinationInstances: [dInstance]
      )
      #expect(sources.count == 1)
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(
      forMapping mapping: EntityMapping,
      manager: MigrationManager
    ) throws { note("connected", manager) }

    override func performCustomValidation(
      forMapping mapping: EntityMapping,
      manager: MigrationManager
    ) throws { note("validate", manager) }

    override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
      note("end", manager)
    }
  }

  @Test func `callbacks come in Core Data's order`() throws {
    var registry = MigrationRegistry()
    registry.register(Diary.self)
    let mappings = [("Note", "Note", "App.Diary" as String?)]
    try withHop(mappings, registry, rows: 3, batchSize: 2) { hop in
      try hop.run()
      #expect(
        hop.manager.userInfo["diary"]
          == .string(
            "begin:NoteToNote create:1 create:2 create:3 made connect:1 connect:2 connect:3"
              + " connected validate end"
          )
      )
    }
  }

  /// Makes an attachment beside each note that has an image.
  class ImagePolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      guard let image = try sInstance.bytes(forKey: "image") else { return }
      let attachment = try manager.destinationContext.insert(entityName: "Attachment")
      try attachment.set(image, forKey: "data")
      let note = try manager.destinationInstances(
        forEntityMappingName: mapping.name,
        sourceInstances: [sInstance]
      )
      #expect(note.count == 1)
      try attachment.set(note[0], forKey: "note")
    }
  }

  @Test func `a policy makes further objects and joins them`() throws {
    var registry = MigrationRegistry()
    registry.register(ImagePolicy.self)
    try withHop([("Note", "Note", "ImagePolicy")], registry) { hop in
      try hop.run()
      let images = try hop.rows(
        "SELECT Z_PK, ZIMAGE FROM main.ZNOTE WHERE ZIMAGE IS NOT NULL ORDER BY Z_PK"
      )
      let attachments = try hop.rows(
        "SELECT n.Z_PK, a.ZDATA FROM main.ZATTACHMENT a JOIN main.ZNOTE n ON n.Z_PK = a.ZNOTE"
          + " AND n.ZATTACHMENT = a.Z_PK ORDER BY n.Z_PK"
      )
      #expect(!images.isEmpty)
      #expect(images == attachments)
    }
  }

  class Stopping: EntityMigrationPolicy {
    struct Reason: Error {}
    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws { if sInstance.objectID.key == 2 { manager.cancel(with: Reason()) } }
  }

  @Test func `a policy can cancel`() throws {
    var registry = MigrationRegistry()
    registry.register(Stopping.self)
    try withHop([("Note", "Note", "Stopping")], registry) { hop in
      #expect(throws: Stopping.Reason.self) { try hop.run() }
    }
  }

  /// Numbers the notes, and hands the last number to be kept.
  class Counting: EntityMigrationPolicy {
    private var count: UInt8 = 0
    override var state: State { .checkpointed }
    override func saveState() -> [UInt8] { [count] }
    override func restoreState(_ state: [UInt8]) { count = state.first ?? 0 }
    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      count += 1
      let note = try manager.createDefaultInstance(forSource: sInstance)
      try note?.set(Int(count), forKey: "size")
      manager.userInfo["last"] = .integer(Int64(count))
    }
  }

  private struct Killed: Error {}

  @Test func `what is handed out is kept with each batch and comes back`() throws {
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      let destination = try ModelSketch.model(Self.second)
      try StoreGenerator(model: source, rows: 10, seed: 5).write(to: folder + "/before.sqlite")
      var registry = MigrationRegistry()
      registry.register(Counting.self)
      let mapping = PolicyHop.mapping([("Note", "Note", "Counting")])
      var reached: Int64?
      do {
        let hop = try PolicyHop(
          mapping,
          from: source,
          to: destination,
          in: folder,
          registry: registry
        )
        try hop.database.connection.execute("BEGIN IMMEDIATE")
        #expect(throws: Killed.self) {
          try hop.create(hop.passes[0]) { key in
            reached = key
            if key >= 6 { throw Killed() }
          }
        }
      }
      let hop = try PolicyHop(
        mapping,
        from: source,
        to: destination,
        in: folder,
        registry: registry,
        isResumed: true
      )
      #expect(hop.manager.userInfo == ["last": .integer(6)])
      try hop.database.connection.execute("BEGIN IMMEDIATE")
      try hop.create(hop.passes[0], after: reached)
      #expect(
        try hop.rows("SELECT ZSIZE FROM main.ZNOTE ORDER BY Z_PK").map { $0[0].integer ?? 0 }
          == Array(1...10)
      )
    }
  }
}
