/// A table that Core Data makes for every model.
package enum SystemTable: String, Hashable, Sendable, CaseIterable {
  /// The number, name, parent's number and greatest key of each entity.
  case primaryKey = "Z_PRIMARYKEY"
  /// The store's UUID and metadata.
  case metadata = "Z_METADATA"
  /// The model, deflated; since iOS 9.
  case modelCache = "Z_MODELCACHE"

  static var allNames: [String] { allCases.map(\.rawValue) }

  /// The columns, each with its type.
  private var columns: [(name: String, definition: String)] {
    switch self {
    case .primaryKey:
      [
        ("Z_ENT", "INTEGER PRIMARY KEY"), ("Z_NAME", "VARCHAR"), ("Z_SUPER", "INTEGER"),
        ("Z_MAX", "INTEGER"),
      ]
    case .metadata:
      [("Z_VERSION", "INTEGER PRIMARY KEY"), ("Z_UUID", "VARCHAR(255)"), ("Z_PLIST", "BLOB")]
    case .modelCache: [("Z_CONTENT", "BLOB")]
    }
  }

  /// The names of the columns that Core Data gives the table.
  package var columnNames: [String] { columns.map(\.name) }

  /// The statement that makes the table.
  package var statement: SchemaStatement {
    let list = columns.map { "\($0.name) \($0.definition)" }.joined(separator: ", ")
    return SchemaStatement(verb: "CREATE TABLE", rest: "\(rawValue) (\(list))")
  }

  /// The least number of the entities that Core Data adds for itself, such as those of the history.
  ///
  /// Measured on stores of public apps: 16001 to 16003, and no model has that many entities.
  package static let firstInternalEntityNumber = 16_000

  /// Returns whether Core Data keeps a table of this name beside those of a model.
  ///
  /// They are its own three, the persistent history's, those of CloudKit mirroring, R-trees and
  /// SQLite's.
  package static func isInternal(_ name: String) -> Bool {
    SystemTable(rawValue: name) != nil || historyNames.contains(name)
      || name.hasPrefix("ANSCK") || name.hasPrefix("Z_RT_")
      || name.lowercased().hasPrefix("sqlite_")
  }

  /// The tables of the persistent history.
  package static let historyNames = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
}
