internal import Foundation
internal import MigrationPlanning
internal import ObjectModel
internal import StoreMigration

extension CodingUserInfoKey {
  /// ``/StoreMigration/MigrationOptions`` of which a plan that is decoded takes the policies, the
  /// handlers and the SQL that may run; without them one that needs any is not safe.
  public static let migrationOptions: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "waystone.migrationOptions") else {
      preconditionFailure("Any text is a key.")
    }
    return key
  }()
}

extension StorePlan: Codable {
  /// What is written of a plan: where models and store are, and how it was made.
  private struct Record: Codable {
    var schema = Self.schema
    var store: String
    var models: String
    var from: String
    var to: String
    var fingerprint: String
    var settings: RunDescription.Settings

    static let schema = "waystone.recipe/1"
  }

  /// Writes how the plan was made; models, mappings and rows stay where they are.
  ///
  /// - Throws: ``WaystoneError``, `badArgument`, where the models are of no file or folder.
  public func encode(to encoder: any Encoder) throws {
    guard !models.isEmpty else {
      throw WaystoneError(
        .badArgument,
        "The models of the plan are in no file, from which they could be read again.",
        recovery: "Read them with ModelArchive(contentsOf:)."
      )
    }
    let record = Record(
      store: try store.url.filePath,
      models: models,
      from: plan.source.version.qualifiedName,
      to: plan.destination.version.qualifiedName,
      fingerprint: fingerprint,
      settings: settings
    )
    try record.encode(to: encoder)
  }

  /// Makes a plan again as it was made before: reads models, mappings and store, and plans.
  ///
  /// Policies, handlers and allowed SQL are taken from the decoder's user information, under
  /// `migrationOptions`.
  ///
  /// - Throws: ``WaystoneError``, `mismatch` where that gives another plan, as the models, the
  ///   mappings, the rows or the tool changed; and whatever planning throws.
  public init(from decoder: any Decoder) throws {
    let record = try Record(from: decoder)
    guard record.schema == Record.schema else {
      throw WaystoneError(
        .badFile,
        "A plan of the form \(Record.schema) is wanted.",
        recovery: "Make the plan anew."
      )
    }
    var options = decoder.userInfo[.migrationOptions] as? MigrationOptions ?? MigrationOptions()
    options.settings = record.settings
    options.planning = record.settings.planning.options
    options.mappings = record.settings.planning.mappings
    options.assumedVersion = record.settings.assumesSourceVersion ? record.from : nil
    try self.init(
      for: Store(reading: URL(filePath: record.store)),
      to: VersionName(record.to),
      in: ModelArchive(contentsOf: URL(filePath: record.models)),
      options: options
    )
    guard fingerprint == record.fingerprint else {
      throw WaystoneError(
        .mismatch,
        "The plan for \(record.store) is not the one that was encoded: the models, the mappings, "
          + "the rows or the tool changed.",
        recovery: "Look at the new plan, and run that."
      )
    }
  }
}
