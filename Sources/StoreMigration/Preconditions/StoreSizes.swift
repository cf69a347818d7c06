import MigrationPlanning
import ObjectModel
import StoreAccess

/// The rows and bytes of each entity of a store, and those that hops write.
///
/// A row counts as much as the average one of its table, indexes included. The page counts of SQLite
/// (`dbstat`) decide; where it is built without that, each table counts by its share of rows.
struct StoreSizes {
  private let schema: PhysicalSchema
  /// The rows of each entity.
  private var rows: [String: Int64] = [:]
  /// The bytes of the rows of each entity.
  private var bytes: [String: Int64] = [:]
  /// The bytes of all join tables.
  private var joinBytes: Int64 = 0

  /// The bytes of a fresh file without rows.
  static let emptyFile: Int64 = 64 << 10
  /// The bytes per object that a mapping hop records: the pair of keys, its index, the journals.
  private static let bytesOfAssociation: Int64 = 96

  /// The sizes of a store's entities.
  ///
  /// - Parameter proof: The proof of its pages and rows, where they were read already.
  init(
    _ schema: PhysicalSchema,
    _ connection: borrowing SQLiteConnection,
    _ proof: PageVerification?
  ) {
    self.schema = schema
    let pages = proof.map { Self.pages($0, connection) } ?? Self.pages(connection)
    let used = Self.usedBytes(connection)
    var all: Int64 = 0
    var tableRows: [String: Int64] = [:]
    for table in schema.tables {
      let counts = proof?.rows[table.name]?.countByEntity ?? Self.counts(table.name, connection)
      for (number, value) in counts {
        guard let name = Int(exactly: number).flatMap({ schema.entityName($0) }) else { continue }
        rows[name] = value
        tableRows[table.name, default: 0] += value
        all += value
      }
    }
    for table in schema.tables {
      let count = tableRows[table.name] ?? 0
      guard count > 0 else { continue }
      let size = pages?[table.name] ?? Self.scaled(used, count, of: all)
      for name in schema.model.hierarchyNames(below: table.rootEntityName) {
        bytes[name] = Self.scaled(size, rows[name] ?? 0, of: count)
      }
    }
    for join in schema.joinTables { joinBytes += pages?[join.name] ?? 0 }
  }

  /// The sizes of a store that does not exist: every concrete entity has as many rows, each as
  /// large as it has stored properties.
  ///
  /// - Parameters:
  ///   - size: The bytes of all rows.
  ///   - rowSize: The bytes of an average row.
  init(_ schema: PhysicalSchema, assuming size: Int64, rowSize: Int64) {
    self.schema = schema
    let names = schema.model.entities.filter { !$0.isAbstract }.map(\.name)
    let weights = names.map { name in
      Int64(schema.model.properties(of: name).count { $0.property.isPersistent } + 1)
    }
    let all = max(1, weights.reduce(0, +))
    for (name, weight) in zip(names, weights) {
      rows[name] = size / max(1, rowSize) / Int64(names.count)
      bytes[name] = Self.scaled(size, weight, of: all)
    }
  }

  private static func scaled(_ size: Int64, _ part: Int64, of all: Int64) -> Int64 {
    all == 0 ? 0 : Int64(Double(size) * Double(part) / Double(all))
  }

  /// Returns the rows of a table by the number of their entity.
  private static func counts(
    _ table: String,
    _ connection: borrowing SQLiteConnection
  ) -> [Int64: Int64] {
    let rows = try? connection.rows(
      "SELECT Z_ENT, COUNT(*) FROM \(SQL.identifier(table)) GROUP BY Z_ENT"
    )
    return Dictionary(
      (rows ?? []).compactMap { row in
        guard row.count == 2, let number = row[0].integer, let count = row[1].integer else {
          return nil
        }
        return (number, count)
      },
      uniquingKeysWith: +
    )
  }

  private static func pages(
    _ proof: PageVerification,
    _ connection: borrowing SQLiteConnection
  ) -> [String: Int64] {
    let size = (try? connection.integer("PRAGMA main.page_size")) ?? 0
    return proof.rows.mapValues { $0.pageCount * size }
  }

  /// Returns the bytes of each table with its indexes; nil where SQLite was built without the means.
  private static func pages(_ connection: borrowing SQLiteConnection) -> [String: Int64]? {
    let query =
      "SELECT o.tbl_name, SUM(p.pgsize) FROM dbstat('main', 1) p JOIN sqlite_master o "
      + "ON o.name = p.name GROUP BY o.tbl_name"
    guard let rows = try? connection.rows(query) else { return nil }
    return Dictionary(
      rows.compactMap { row in
        guard row.count == 2, let name = row[0].text, let size = row[1].integer else { return nil }
        return (name, size)
      },
      uniquingKeysWith: +
    )
  }

  private static func usedBytes(_ connection: borrowing SQLiteConnection) -> Int64 {
    let pages = (try? connection.integer("PRAGMA main.page_count")) ?? 0
    let free = (try? connection.integer("PRAGMA main.freelist_count")) ?? 0
    let size = (try? connection.integer("PRAGMA main.page_size")) ?? 0
    return max(0, pages - free) * size
  }

  // MARK: Hops

  /// Returns the size of a hop between two versions; nil where it cannot be run.
  func size(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ mapping: MappingModel,
    isAuthored: Bool,
    after composed: ComposedMapping
  ) -> HopSize? {
    let shape = WriteStrategy.of(mapping, from: source, to: destination, isAuthored: isAuthored)
    return shape.map { size(of: $0, from: composed.sourceEntityNames) }
  }

  /// Returns the size of a hop of a shape.
  ///
  /// - Parameter sources: The store's entities whose objects have become those of each entity.
  func size(of shape: WriteStrategy, from sources: [String: [String]]) -> HopSize {
    var ownRows: [String: Int64] = [:]
    var ownBytes: [String: Int64] = [:]
    for (entity, names) in sources {
      for name in names {
        ownRows[entity, default: 0] += rows[name] ?? 0
        ownBytes[entity, default: 0] += bytes[name] ?? 0
      }
    }
    let count = ownRows.values.reduce(0, +)
    switch shape {
    case .mapped(let entities):
      let file = file(of: entities, ownBytes) + count * Self.bytesOfAssociation
      return HopSize(rows: count, bytes: file, diskNeeded: file)
    case .rebuilt(let entities):
      let file = file(of: entities, ownBytes)
      return HopSize(rows: count, bytes: file, diskNeeded: file)
    case .altered(let rewritings, let writesRows):
      let written = rewritings.reduce(Self.emptyFile) { sum, table in
        let size = table.entities.reduce(0) { $0 + (ownBytes[$1] ?? 0) }
        return sum + size * Int64(table.count)
      }
      // The checkpoint is changed in place; its journal is as large as the written bytes.
      return HopSize(rows: count, bytes: written, diskNeeded: writesRows ? written : 0)
    }
  }
}

extension StoreSizes {
  /// Returns the bytes of a fresh file with the rows of some entities.
  private func file(of entities: Set<String>, _ bytes: [String: Int64]) -> Int64 {
    bytes.filter { entities.contains($0.key) }.values.reduce(0, +) + joinBytes + Self.emptyFile
  }
}

extension ComposedMapping {
  /// The source entities whose objects each entity's are made of.
  var sourceEntityNames: [String: [String]] { origins.mapValues { $0.map(\.sourceEntityName) } }
}
