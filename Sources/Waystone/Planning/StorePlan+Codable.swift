public import Foundation
internal import MigrationPlanning
internal import ObjectModel
internal import StoreMigration

extension CodingUserInfoKey {
  /// The ``MigrationOptions`` that give a decoded plan its policies, handlers and permitted
  /// SQL; without them a plan that needs any is not safe.
  public static let migrationOptions: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "waystone.migrationOptions") else {
      preconditionFailure("Any text is a key.")
    }
    return key
  }()
}

extension StorePlan: Codable {
  /// The encoded form of a plan: the paths of models and store, and the inputs of the plan.
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
      store: store.location,
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
  /// - Throws: ``WaystoneError``: `badFile` where it is no encoded plan, `mismatch` where it gives another
  ///   plan, as the models, the mappings, the rows or the tool changed; and the errors of planning. A
  ///   decoder's own error, as of text that is no JSON, comes before this is called: ``init(json:_:)`` has
  ///   that as a ``WaystoneError`` too.
  public init(from decoder: any Decoder) throws {
    let record: Record
    do { record = try Record(from: decoder) } catch let error as DecodingError {
      throw Self.noPlan(error)
    }
    do {
      try self.init(record, decoder.userInfo[.migrationOptions] as? MigrationOptions)
    } catch {
      throw WaystoneError(error)
    }
  }

  /// Makes a plan again from JSON, as it was made before.
  ///
  /// - Parameters:
  ///   - json: The output of a `JSONEncoder` for the plan.
  ///   - options: The policies, the handlers and the SQL that may run; without them a plan that needs
  ///     any is not safe.
  /// - Throws: ``WaystoneError``: `badFile` where that is no encoded plan, `mismatch` where it gives
  ///   another plan; and what planning throws.
  public init(
    json: Data,
    _ options: MigrationOptions = MigrationOptions()
  ) throws(WaystoneError) {
    let decoder = JSONDecoder()
    decoder.userInfo[.migrationOptions] = options
    do {
      self = try decoder.decode(StorePlan.self, from: json)
    } catch let error as DecodingError {
      throw Self.noPlan(error)
    } catch {
      throw WaystoneError(error)
    }
  }

  /// Returns the error for a decoder's refusal.
  private static func noPlan(_ error: DecodingError) -> WaystoneError {
    let place: (path: [any CodingKey], what: String) =
      switch error {
      case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
      case .valueNotFound(_, let context): (context.codingPath, "has no value")
      case .typeMismatch(_, let context): (context.codingPath, "is of another type")
      case .dataCorrupted(let context): (context.codingPath, "cannot be read")
      @unknown default: ([], "")
      }
    let name = place.path.map(\.stringValue).joined(separator: ".")
    return WaystoneError(
      .badFile,
      name.isEmpty
        ? "This is not an encoded plan: it is no JSON object of one."
        : "This is not an encoded plan: \(name) \(place.what).",
      recovery: "Make the plan anew, and encode that."
    )
  }

  private init(_ record: Record, _ given: MigrationOptions?) throws {
    guard record.schema == Record.schema else {
      throw WaystoneError(
        .badFile,
        "A plan of the form \(Record.schema) is wanted.",
        recovery: "Make the plan anew."
      )
    }
    var options = given ?? MigrationOptions()
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
