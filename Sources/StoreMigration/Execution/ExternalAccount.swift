package import ObjectModel
package import StoreAccess

/// The state of the files in which a store keeps large values: each is carried, missing, orphaned
/// (no row names it) or odd (no plain file).
///
/// Orphaned files are carried too: only the app knows why they are there.
package struct ExternalAccount: Hashable, Sendable {
  /// An item beside the store that is no file of Core Data's.
  package struct Oddity: Hashable, Encodable, Sendable {
    /// The name of the entry.
    package let name: String
    /// The kind of the entry: "a symbolic link".
    package let kind: String
  }

  /// Values of an attribute whose files are not beside the store.
  package struct Missing: Hashable, Sendable {
    /// The entity and the attribute, by name.
    package let entity, attribute: String
    /// The values, as the end of a sentence.
    package let predicate: String

    fileprivate var finding: Finding {
      Finding(
        .externalDataMissing,
        .warning,
        at: Finding.Place(entity: entity, property: attribute),
        message: "\(subject: "\(entity).\(attribute)") \(.has) \(predicate)",
        advice: "Copy the store's _SUPPORT folder too, or take the store from a backup."
      )
    }
  }

  /// The files that a run with an output copies, and their bytes.
  package let carriedCount: Int
  package let carriedBytes: Int64
  /// The number of values that name a file that is not there, or no plain file.
  package private(set) var missingCount = 0
  /// The names of the files that no row names, in byte order.
  package let orphans: [String]
  /// The entries that are no plain file, or are not where Core Data puts files.
  package let oddities: [Oddity]
  /// The values of each attribute whose files are not there.
  package private(set) var missing: [Missing] = []
  /// The findings about these files.
  package private(set) var findings: [Finding] = []

  /// The most that a finding names one by one.
  private static let shown = 5

  /// Compares the files beside a store with the values that name them.
  ///
  /// - Parameters:
  ///   - schema: The store's own.
  ///   - folder: The folder of external files, as `StoreFiles.externalData` gives it.
  /// - Complexity: O(*r*) in the rows of tables with such attributes.
  package init(
    in connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    folder: String
  ) throws {
    let contents = try ExternalContents(ofFolder: folder)
    carriedCount = contents.files.count
    carriedBytes = contents.bytes
    oddities = contents.oddities.sorted { ByteOrder.precedes($0.name, $1.name) }
      .map { Oddity(name: $0.name, kind: $0.kind) }
    var unnamed = Set(contents.files.keys)
    for entity in schema.model.entities {
      for attribute in schema.model.ownAttributes(of: entity.name)
      where attribute.allowsExternalBinaryDataStorage {
        var keys: [Int64] = []
        var count = 0
        try Self.forEachName(of: attribute.name, entity.name, in: connection, schema) { key, name in
          if let name, contents.files[name] != nil {
            unnamed.remove(name)
          } else {
            count += 1
            if keys.count < Self.shown { keys.append(key) }
          }
        }
        guard count > 0 else { continue }
        missingCount += count
        missing.append(Self.missing(count, keys, entity.name, attribute.name))
      }
    }
    orphans = unnamed.sorted(by: ByteOrder.precedes)
    findings = missing.map(\.finding)
    if !orphans.isEmpty { findings.append(orphanFinding) }
    if !oddities.isEmpty { findings.append(oddityFinding) }
  }

  /// Gives each value that names a file to a closure: its row's key, and the name where it is one.
  private static func forEachName(
    of attribute: String,
    _ entity: String,
    in connection: borrowing SQLiteConnection,
    _ schema: PhysicalSchema,
    _ body: (Int64, String?) -> Void
  ) throws {
    guard let table = schema.table(of: entity),
      let column = schema.column(of: attribute, in: entity)
    else { return }
    // A store that is not quite what its model predicts may lack the column.
    let columns = try connection.rows(
      "SELECT 1 FROM pragma_table_info(?) WHERE name = ?",
      [.text(table.name), .text(column.name)]
    )
    guard !columns.isEmpty else { return }
    let name = SQL.identifier(column.name)
    // The length first: of a long value SQLite then reads no more than that.
    let statement = try connection.prepare(
      "SELECT Z_PK, \(name) FROM \(SQL.identifier(table.name)) "
        + "WHERE length(\(name)) BETWEEN 1 AND 64 AND substr(\(name), 1, 1) = x'02' ORDER BY Z_PK"
    )
    while try statement.step() {
      body(statement.int64(0), ExternalData.fileName(statement.blob(1) ?? []))
    }
  }

  private static func missing(
    _ count: Int,
    _ keys: [Int64],
    _ entity: String,
    _ attribute: String
  ) -> Missing {
    Missing(
      entity: entity,
      attribute: attribute,
      predicate:
        "\(count) \(count == 1 ? "value" : "values") in files that are not beside the store "
        + "(Z_PK \(list(keys.map { "\($0)" }, of: count)))."
    )
  }

  private var orphanFinding: Finding {
    let isOne = orphans.count == 1
    return Finding(
      .externalDataOrphaned,
      .note,
      message: "No row names \(isOne ? "this file" : "\(orphans.count) files") of the store's "
        + "\(ExternalFolder.name) folder: "
        + "\(Self.list(Array(orphans.prefix(Self.shown)), of: orphans.count)). "
        + "An output gets \(isOne ? "it" : "them") too.",
      remedy: "Nothing needs to be done: Core Data does not read such files."
    )
  }

  private var oddityFinding: Finding {
    let names = oddities.prefix(Self.shown).map { "\($0.name), \($0.kind)" }
    return Finding(
      .externalDataOdd,
      .warning,
      message: "The store's _SUPPORT folder holds what Core Data does not put there: "
        + "\(Self.list(names, of: oddities.count, separator: "; ")). "
        + "It is not read, and an output does not get it.",
      remedy: "Look at what it is; copy it yourself if the app needs it."
    )
  }

  /// Returns some names, and a sign of more.
  private static func list(_ names: [String], of count: Int, separator: String = ", ") -> String {
    names.joined(separator: separator) + (count > names.count ? " …" : "")
  }
}
