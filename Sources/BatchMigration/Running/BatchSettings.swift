private import Foundation
package import MigrationPlanning
package import StoreMigration
package import Waystone

/// The settings by which a batch's workers migrate stores.
package struct BatchSettings: Codable, Hashable, Sendable {
  /// The folder that relative paths start from.
  package var folder: String
  /// The paths of the models, where the caller names any; each store goes to those that have its hashes.
  package var models: [String] = []
  /// The path of the configuration, where the caller names one.
  package var configuration: String?
  /// The paths of mappings that count instead of those with the models.
  package var mappings: [String] = []
  /// The version wanted, as the caller wrote it.
  package var version = "@current"
  /// The paths that plans may take, and the losses that they may have.
  package var planning = PlanningOptions()
  /// The extent of verification, and the acceptances.
  package var run = RunDescription.Settings()
  /// Whether the SQL of all hop files and stages may run.
  package var allowsAllSQL = false
  /// The path of a store that Core Data made at the version wanted.
  package var sample: String?
  /// The versions whose stores are migrated; empty for all.
  package var versions: [String] = []
  /// Whether a store of no archived version is migrated by the model that it carries.
  package var recoversModels = false
  /// The memory that a worker may take up, in bytes; nil where that is not bounded.
  package var memory: Int64?
  /// The greatest file that a worker may write, in bytes; nil where that is not bounded.
  package var fileSize: Int64?

  /// Settings with which nothing is accepted.
  package init(folder: String) { self.folder = folder }

  /// The settings with which a batch was begun.
  ///
  /// - Throws: ``WaystoneError``, `badFile` where its ledger does not have them.
  package init(of batch: BatchDescription) throws(WaystoneError) {
    guard let text = batch.options["settings"],
      let settings: BatchSettings = try? LedgerJSON.value(text)
    else {
      throw WaystoneError(
        .badFile,
        "The ledger does not say how its batch was begun.",
        recovery: "Begin a batch with another ledger."
      )
    }
    self = settings
  }

  /// The SQL that the caller allows.
  var allowedSQL: SQLAllowance { allowsAllSQL ? .all : .none }

  /// The settings as JSON, as a ledger keeps them.
  package var json: String { get throws { try LedgerJSON.text(self) } }

  /// Returns the projects among which a store's own is searched.
  ///
  /// - Throws: ``WaystoneError`` where models or mappings cannot be read.
  package func projects(_ registry: MigrationRegistry) throws -> [Project] {
    let working = WorkingFolder(folder)
    let environment = ProcessInfo.processInfo.environment
    let loaded: [Project]
    if let configuration {
      loaded = [try Project.load(configuration: configuration, in: working)]
    } else if models.isEmpty {
      loaded = [try Project.load(models: nil, in: working)]
    } else {
      loaded = try models.map { try Project.load(models: $0, in: working) }
    }
    return try loaded.map { project in
      var project = try project.answering(environment).withMappings(mappings)
      project.registry = registry
      project.keepPlanners()
      return project
    }
  }
}
