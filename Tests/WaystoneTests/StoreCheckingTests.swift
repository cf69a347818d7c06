import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

/// The questions of a program about a store, and its work on finished runs.
@Suite struct StoreCheckingTests {
  private static func models() throws -> ModelArchive {
    try ModelArchive(contentsOf: SampleStore.models)
  }

  @Test func `a store is verified, validated and digested against its model`() throws {
    try SampleStore.with("Letters", "v3") { sample in
      let models = try Self.models()
      let store = try Store(reading: sample.url)
      #expect(try store.verify(in: models, level: .full).passed)
      #expect(try store.validate(in: models).passed)
      let before = try store.digest(in: models)
      try sample.change("UPDATE ZCORRESPONDENT SET ZNAME = NULL")
      #expect(try store.digest(in: models) != before)
      #expect(try !store.validate(in: models).passed)
      #expect(try store.finishCleanup(in: models) == nil)
    }
  }

  @Test func `a finished run is listed, rolled back and cleaned up`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let models = try Self.models()
      let store = try Store(reading: sample.url)
      let before = try store.digest(in: models)
      try models.plan(for: store, to: "Letters/v2").migrate(store)
      #expect(try Run.finished(at: sample.url).runs.count == 1)
      try Run.rollBack(sample.url)
      let restored = try Store(reading: sample.url)
      #expect(restored.versionHashes == store.versionHashes)
      #expect(try restored.digest(in: models) == before)
      #expect(try !Run.clean(sample.url).removed.isEmpty)
      let error = #expect(throws: WaystoneError.self) { try Run.rollBack(sample.url) }
      #expect(error?.code == .nothingToDo)
    }
  }

  @Test func `a handler reads and writes values as Foundation has them`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let stages = sample.folder + "/Letters.staged.yml"
      try TemporaryFolder.write(
        Array(
          """
          stages:
            - custom: {from: Letters/v1, to: Letters/v2}
              will: {handlers: [touch]}
          """.utf8
        ),
        to: stages
      )
      let store = try Store(reading: sample.url)
      let seen = Locked<Set<UUID>>([])
      let day = Date(timeIntervalSinceReferenceDate: 86_400)
      var options = MigrationOptions()
      options.mappingURLs = [URL(filePath: stages)]
      options.register(handler: "touch") { stage in
        let context = stage.managedObjectContext
        try context.forEach(entityName: "Letter", predicate: nil) { letter in
          let uuid = UUID()
          try letter.set(uuid, forKey: "identifier")
          try letter.set(day, forKey: "writtenOn")
          guard try letter.uuid(forKey: "identifier") == uuid,
            try letter.date(forKey: "writtenOn") == day
          else { return false }
          seen.change { _ = $0.insert(uuid) }
          return true
        }
        try context.forEach(entityName: "Enclosure", predicate: nil) { enclosure in
          let data = Data([1, 2, 3])
          try enclosure.set(data, forKey: "picture")
          return try enclosure.data(forKey: "picture") == data
        }
      }
      let models = try Self.models()
      let plan = try models.plan(for: store, to: "Letters/v2", options)
      #expect(plan.isSafe, "\(plan.blockers)")
      try plan.migrate(store, options)
      let uuids = try SQLiteConnection(path: sample.path, access: .readOnly)
        .rows("SELECT ZIDENTIFIER FROM ZLETTER WHERE ZWRITTENON = 86400")
      let kept = Set(uuids.compactMap { row in row.first.flatMap(Self.uuid) })
      #expect(kept == seen.value)
      #expect(!kept.isEmpty)
    }
  }

  private static func uuid(_ value: SQLiteValue) -> UUID? {
    guard case .blob(let bytes) = value, bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  @Test func `attributes by name have those of the parent`() throws {
    let model = try SampleArchive.version("Letters", "v1").model
    let attributes = model.attributesByName(of: "Person")
    #expect(attributes["name"] != nil)
    #expect(attributes["born"] != nil)
    #expect(model.relationshipsByName(of: "Person")["sent"] != nil)
  }
}
