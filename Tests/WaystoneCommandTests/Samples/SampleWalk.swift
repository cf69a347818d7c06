import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing
import WaystoneCommand

/// A generated store of a sample model, on its way through the command with the sample policies.
struct SampleWalk {
  let folder: String

  /// The repository's folder of alternatives to the mappings in `ModelArchive`.
  static let examples = SampleArchive.root + "/../Tests/Examples"

  /// The registrations of a project's own build of the command.
  static let registry: MigrationRegistry = {
    var registry = MigrationRegistry()
    registry.register(NoteCategoryPolicy.self)
    registry.register(handler: "copyFlightData") { stage in
      let context = stage.managedObjectContext
      try context.forEach(entityName: "Aircraft", predicate: nil) { aircraft in
        guard let data = try aircraft.bytes(forKey: "flightData") else { return true }
        let recording = try context.insert(entityName: "FlightData")
        try recording.set(data, forKey: "data")
        try recording.set(aircraft, forKey: "aircraft")
        return true
      }
    }
    return registry
  }()

  /// The registrations of the build of the command in `Tests/Outside`.
  static let notesRegistry: MigrationRegistry = {
    var registry = MigrationRegistry()
    registry.register(ImageAttachmentPolicy.self)
    return registry
  }()

  /// All that the samples name.
  static let allRegistry: MigrationRegistry = {
    var registry = SampleWalk.registry
    registry.register(ImageAttachmentPolicy.self)
    return registry
  }()

  /// Lends the body a folder in which `waystone` finds the sample models.
  static func with(_ body: (SampleWalk) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/ModelArchive",
        withDestinationPath: SampleArchive.root
      )
      try body(SampleWalk(folder: folder))
    }
  }

  /// Runs the command, which must succeed.
  @discardableResult
  func run(_ arguments: String...) throws -> CommandRun {
    let run = CommandRun(arguments, in: folder, registry: Self.registry)
    try #require(run.status == .success, "\(arguments): \(run.errors)")
    return run
  }

  /// Runs the command with the policy of the sample Notes; it must succeed.
  func runCustom(_ arguments: String...) throws {
    let run = CommandRun(arguments, in: folder, registry: Self.notesRegistry)
    try #require(run.status == .success, "\(arguments): \(run.errors)")
  }

  /// Generates a store and changes it by SQL.
  func generate(_ version: String, rows: Int = 60, as name: String, _ sql: String = "") throws {
    try run("generate", version, "--rows", "\(rows)", "--seed", "11", "-o", name)
    guard !sql.isEmpty else { return }
    let connection = try AppDatabase("\(folder)/\(name)")
    try connection.execute(sql)
  }

  /// The rows that a query gives in a store.
  func rows(_ store: String, _ sql: String) throws -> [[SQLiteValue]] {
    try SQLiteConnection(path: "\(folder)/\(store)", access: .readOnly).rows(sql)
  }

  /// The whole number that a query gives in a store.
  func count(_ store: String, _ sql: String) throws -> Int64 {
    try #require(try rows(store, sql).first?.first?.integer)
  }

  /// The kinds of the hops of a store's plan.
  func kinds(_ store: String, to version: String) throws -> [String] {
    let run = CommandRun(
      ["plan", store, "--to", version, "--format", "json"],
      in: folder,
      registry: Self.allRegistry
    )
    try #require(run.status == .success, "\(run.errors)")
    let json = try run.json()
    let hops = try #require(json["hops"] as? [[String: Any]])
    return hops.compactMap { $0["kind"] as? String }
  }

  /// Says that a store is sound and valid.
  func check(_ store: String) throws {
    try run("verify", store)
    try run("validate", store)
  }
}
