import ObjectModel
import StoreAccess

/// An allocator of primary keys, which decides which objects of an authored hop keep those of their
/// source rows.
///
/// For each destination table one hierarchy of the source keeps its keys: that of the first entity
/// mapping into the table. All other objects get new keys above all that were ever issued there,
/// and so do objects that many source objects share: the key of the first of those means nothing to
/// them. Keys depend on the order of the mappings and of the source's rows alone.
struct KeyAllocator: Sendable {
  /// The source of the keys of one entity mapping's objects.
  enum Choice: Hashable, Sendable {
    /// The key of the source row.
    case kept
    /// The key of the source row, unless an earlier mapping has made an object with it.
    case keptUnlessTaken
    /// The next key that was never issued.
    case issued
  }

  /// The choice for each entity mapping, by index; nil for those that make no objects.
  let choices: [Choice?]
  /// The root of the source hierarchy that keeps its keys, by the destination's root.
  let keepers: [String: String]

  /// Reads the choices off a mapping model.
  init(source: ManagedObjectModel, destination: ManagedObjectModel, mapping: MappingModel) {
    var keepers: [String: String] = [:]
    var choices: [Choice?] = []
    var used: Set<[String]> = []
    for entity in mapping.entityMappings {
      guard let old = entity.sourceEntityName, let new = entity.destinationEntityName,
        source[old] != nil, destination[new] != nil
      else {
        choices.append(nil)
        continue
      }
      guard entity.deduplicationKeys.isEmpty else {
        choices.append(.issued)
        continue
      }
      let root = source.rootEntityName(of: old)
      let table = destination.rootEntityName(of: new)
      let keeper = keepers[table] ?? root
      keepers[table] = keeper
      let isFirst = used.insert([old, table]).inserted
      choices.append(keeper != root ? .issued : isFirst ? .kept : .keptUnlessTaken)
    }
    self.choices = choices
    self.keepers = keepers
  }

  /// Returns the greatest key that must not be issued anew in each destination table, by its name.
  static func greatestKeys(
    _ keepers: [String: String],
    source: PhysicalSchema,
    destination: PhysicalSchema,
    keys: PrimaryKeyTable,
    on connection: borrowing SQLiteConnection
  ) throws -> [String: Int64] {
    var greatest: [String: Int64] = [:]
    for table in destination.tables {
      guard let root = keepers[table.rootEntityName], let old = source.table(of: root) else {
        greatest[table.name] = 0
        continue
      }
      let present = try connection.integer(
        "SELECT MAX(Z_PK) FROM old.\(SQL.identifier(old.name))"
      )
      let issued = source.entityNumber(root).flatMap { keys[Int64($0)]?.maximum }
      greatest[table.name] = max(present ?? 0, issued ?? 0)
    }
    return greatest
  }
}
