#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreGeneration
  import Testing
  import Waystone

  /// A folder with the models of an app, as they lie beside its program, and room for its stores.
  struct AppFolder {
    let url: URL
    let models: URL
    let versions: [ManagedObjectModel]

    /// Makes a folder with the versions `v1`, `v2` … of a model, hands it to the closure and removes it.
    static func with<Value>(
      _ sketches: String...,
      named name: String = "Notes",
      body: (AppFolder) throws -> Value
    ) throws -> Value {
      let versions = try sketches.map { try ModelSketch.model($0) }
      return try with(versions, named: name, body: body)
    }

    static func with<Value>(
      _ versions: [ManagedObjectModel],
      named name: String = "Notes",
      body: (AppFolder) throws -> Value
    ) throws -> Value {
      try TemporaryFolder.with { path in
        let url = URL(fileURLWithPath: path)
        let models = url.appendingPathComponent("\(name).xcdatamodeld")
        let app = AppFolder(url: url, models: models, versions: versions)
        try app.export()
        return try body(app)
      }
    }

    /// Makes a folder with one version of a model and a store of made-up data, hands both to the closure, and
    /// expects a sound store afterwards.
    static func withStore(
      _ sketch: String,
      rows: Int = 60,
      body: (AppFolder, NSPersistentContainer) throws -> Void
    ) throws {
      try with(sketch) { app in
        try app.generate(version: 1, rows: rows)
        try { try body(app, app.container(app.newest())) }()
        try app.expectSound()
      }
    }

    /// Writes the models.
    func export() throws {
      let name = models.deletingPathExtension().lastPathComponent
      let all = versions.enumerated().map { index, model in
        ModelVersion(
          modelName: name,
          name: "v\(index + 1)",
          model: model,
          isCurrent: index == versions.count - 1
        )
      }
      try VersionedModel(name: name, versions: all).export(to: models)
    }

    /// Returns a version of the model.
    func model(_ version: Int) throws -> NSManagedObjectModel {
      let file = models.appendingPathComponent("v\(version).xcdatamodel")
      return try #require(NSManagedObjectModel(contentsOf: file))
    }

    /// The newest version.
    func newest() throws -> NSManagedObjectModel {
      try #require(NSManagedObjectModel(contentsOf: models))
    }

    /// The place of the store.
    var store: URL { url.appendingPathComponent("Notes.sqlite") }

    /// Makes a store of a version, full of made-up data.
    func generate(version: Int, rows: Int, seed: UInt64 = 1) throws {
      try StoreGenerator(model: versions[version - 1], rows: rows, seed: seed)
        .write(to: store.path)
    }

    /// Returns a container whose store is open.
    func container(
      _ model: NSManagedObjectModel,
      _ change: (NSPersistentStoreDescription) -> Void = { _ in }
    ) throws -> NSPersistentContainer {
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
      let description = NSPersistentStoreDescription(url: store)
      change(description)
      container.persistentStoreDescriptions = [description]
      var failure: (any Error)?
      container.loadPersistentStores { failure = $1 }
      if let failure { throw failure }
      return container
    }

    /// Returns the rows of a statement, read by plain SQLite.
    func rows(_ sql: String) throws -> [[SQLiteValue]] {
      try AppDatabase(store.path, patience: 5000).rows(sql)
    }

    /// Expects the closed store to be sound, and to keep its model's rules.
    func expectSound(_ comment: Comment? = nil) throws {
      let archive = try ModelArchive(contentsOf: models)
      let report = try Store(reading: store).verify(in: archive, level: .full)
      #expect(report.passed, "\(comment?.rawValue ?? "") \(report.checks.filter { !$0.passed })")
      let rules = try Store(reading: store).validate(in: archive)
      #expect(rules.violations.isEmpty, comment)
    }
  }

  /// Returns the number of an error in Cocoa's domain that a closure throws; nil where it throws none.
  func cocoaCode(_ body: () throws -> Void) -> Int? {
    do {
      try body()
      return nil
    } catch {
      let error = error as NSError
      return error.domain == NSCocoaErrorDomain ? error.code : -1
    }
  }
#endif
