package import ObjectModel
import StoreAccess

/// The slots of a row, in which the objects of one entity keep their properties.
///
/// Computed once for each entity, so that objects need no names and no dictionaries of their own.
package final class EntityLayout {
  /// The storage of one property.
  package enum Property {
    /// An attribute with a column.
    case attribute(AttributeSlot)
    /// A composite attribute, with its elements; each has a column.
    case composite([AttributeDescription])
    /// A relationship with columns or rows of its own.
    case relationship(RelationshipSlot)
    /// A property that no store keeps.
    case transient
    /// A property that has no values of its own: a fetched property, or a transient relationship.
    case unreadable
  }

  /// The context whose objects these are.
  private(set) weak var context: ManagedObjectContext?
  /// The store of the objects.
  let store: ManagedObjectID.Store
  /// The entity.
  package let entity: EntityDescription
  /// The number of the entity, which its rows have in `Z_ENT`.
  package let number: Int64
  /// The name of its topmost ancestor.
  package let rootName: String
  /// The name of the table.
  package let tableName: String
  /// The place of the table in the schema.
  package let tableIndex: Int
  /// The columns after `Z_PK`, `Z_ENT` and `Z_OPT`, one for each slot.
  package let columns: [String]
  /// The properties by their names.
  package let properties: [String: Property]
  let slotsByColumn: [String: Int]
  /// The slots that only make sense together: those of one relationship; an attribute is alone.
  let units: [[Int]]
  /// The slots with keys of to-one relationships whose other end has a key, too.
  let pairedSlots: [Int]
  /// Whether the objects are of an opened store.
  let isOfOpenedStore: Bool
  /// The values of a new object before any is set, or the error of a default that cannot be stored.
  private let initial: Result<[SQLiteValue], MigrationError>
  /// The same once more, of an object that needs it no more.
  private var spare: [SQLiteValue] = []
  let selectSQL: String
  let insertSQL: String
  private let database: String
  /// The entity as code for Apple's framework sees it, once that asked for it.
  package var counterpart: AnyObject?
  /// The counts of the entity's objects: without those of entities below it, and with them.
  let counts = (alone: StatementSlot(), below: StatementSlot())
  let insertion = StatementSlot()
  let selection = StatementSlot()
  private var updates: [SlotSet: String] = [:]

  init?(entity: EntityDescription, context: ManagedObjectContext) {
    let schema = context.schema
    let database = context.configuration.schemaName
    let model = schema.model
    guard let table = schema.table(of: entity.name), let number = schema.entityNumber(entity.name),
      let tableIndex = schema.tables.firstIndex(where: { $0.name == table.name })
    else { return nil }
    var columns: [String] = []
    var units: [[Int]] = []
    var unitsOfRelationships: [String: Int] = [:]
    func append(_ column: String, _ relationship: String? = nil) {
      if let unit = relationship.flatMap({ unitsOfRelationships[$0] }) {
        units[unit].append(columns.count)
      } else {
        if let relationship { unitsOfRelationships[relationship] = units.count }
        units.append([columns.count])
      }
      columns.append(column)
    }
    for column in table.columns {
      switch column.role {
      case .attribute(let owner, _):
        if model.isKind(entity.name, of: owner) { append(column.name) }
      case .toOneKey(let owner, let name), .toOneEntity(let owner, let name),
        .orderKey(let owner, let name):
        if model.isKind(entity.name, of: owner) { append(column.name, "\(owner).\(name)") }
      case .oneSidedOwner(let owner, let name), .oneSidedOrder(let owner, let name):
        let relationship = model.property(name, of: owner)?.property.relationship
        if let relationship, model.isKind(entity.name, of: relationship.destinationEntityName) {
          append(column.name, "\(owner).\(name)")
        }
      case .primaryKey, .entityNumber, .optimisticLock, .joinKey, .joinOrder: break
      }
    }
    let slots = Dictionary(uniqueKeysWithValues: columns.enumerated().map { ($1, $0) })
    var defaults = [SQLiteValue](repeating: .null, count: columns.count)
    var properties: [String: Property] = [:]
    var unfit: String?
    for declared in model.properties(of: entity.name) {
      let name = declared.property.name
      switch declared.property {
      case .attribute(let attribute):
        guard let column = schema.column(of: name, in: entity.name), let slot = slots[column.name]
        else {
          properties[name] = .transient
          continue
        }
        let place = AttributeSlot(slot: slot, attribute: attribute, entityName: entity.name)
        properties[name] = .attribute(place)
        guard let value = attribute.defaultValue else { continue }
        do { defaults[slot] = try place.stored(.scalar(value)) } catch {
          unfit = unfit ?? "\(entity.name).\(name)"
        }
      case .relationship(let relationship):
        guard let storage = schema.storage(of: name, in: entity.name) else {
          properties[name] = .unreadable
          continue
        }
        properties[name] = .relationship(
          RelationshipSlot(
            relationship,
            declaredBy: declared.entityName,
            of: entity.name,
            storage: storage,
            model: model,
            slots: slots
          )
        )
      case .fetchedProperty: properties[name] = .unreadable
      }
    }
    for declared in model.declaredProperties(of: entity.name) {
      guard let attribute = declared.property.attribute,
        let elements = model.elements(of: attribute)
      else { continue }
      properties[attribute.name] = attribute.isTransient ? .transient : .composite(elements)
    }
    self.context = context
    store = context.configuration.store
    self.entity = entity
    self.number = Int64(number)
    self.tableIndex = tableIndex
    self.database = database
    rootName = table.rootEntityName
    tableName = table.name
    self.columns = columns
    self.units = units
    pairedSlots = properties.values.compactMap { property in
      guard case .relationship(let slot) = property, slot.inverseName != nil, !slot.isInverseToMany
      else { return nil }
      return slot.keySlot
    }
    isOfOpenedStore = context.configuration.isOfOpenedStore
    self.properties = properties
    initial =
      if let unfit {
        .failure(
          MigrationError(
            .failed,
            "\(unfit) has a default that is no value of its type, so that no object can be made.",
            recovery: "Correct the default in the model."
          )
        )
      } else {
        .success(defaults)
      }
    slotsByColumn = slots
    let list = columns.map { ", " + SQL.identifier($0) }.joined()
    let from = SQL.identifier(database, table.name)
    let version = context.configuration.isOfOpenedStore ? ", Z_OPT" : ""
    selectSQL = "SELECT Z_ENT\(list)\(version) FROM \(from) WHERE Z_PK = ?"
    let parameters = columns.map { _ in ", ?" }.joined()
    // New rows of an opened store go where its view would put them: none is there yet.
    insertSQL =
      context.configuration.isOfOpenedStore
      ? "INSERT INTO \(SQL.identifier(database, PendingRows.prefix + table.name)) (Z_PK, Z_ENT, Z_OPT\(list),"
        + " \(PendingRows.state), \(PendingRows.base)) VALUES (?, \(number), 1\(parameters), 1, 0)"
      : "INSERT INTO \(from) (Z_PK, Z_ENT, Z_OPT\(list)) VALUES (?, \(number), 1\(parameters))"
  }
}

extension EntityLayout {
  /// The identity of the entity's objects; its key is none of theirs.
  package var identity: ManagedObjectID {
    ManagedObjectID(store: store, entityName: entity.name, key: 0)
  }

  /// The values that a new object has before anything is set.
  ///
  /// - Throws: ``MigrationError`` where a default is no value of its attribute's type.
  var defaults: [SQLiteValue] { get throws(MigrationError) { try initial.get() } }

  /// Returns the values that a new object has before anything is set, in memory of its own where an
  /// object before left some.
  ///
  /// - Throws: ``MigrationError``, as ``defaults`` does.
  func takeDefaults() throws(MigrationError) -> [SQLiteValue] {
    guard !spare.isEmpty else { return try defaults }
    let values = spare
    spare = []
    return values
  }

  /// Takes the values of an object that was made of ``takeDefaults()``.
  ///
  /// - Parameters:
  ///   - values: All of them; none afterwards.
  ///   - untouched: The slots that still have the values of a new object.
  func giveBack(_ values: inout [SQLiteValue], except untouched: SlotSet) {
    var given: [SQLiteValue] = []
    swap(&given, &values)
    guard case .success(let defaults) = initial, given.count == defaults.count else { return }
    for slot in given.indices where !untouched.contains(slot) { given[slot] = defaults[slot] }
    spare = given
  }

  /// The table with its database, for statements.
  var table: String { SQL.identifier(database, tableName) }

  /// Returns the statement that writes the changed slots of a row, whose key is the last parameter.
  ///
  /// - Parameters:
  ///   - countsSave: Whether `Z_OPT` grows, as when Core Data saves a row again.
  ///   - setsVersion: Whether `Z_OPT` is the parameter before the key.
  func updateSQL(_ changed: SlotSet, countsSave: Bool, setsVersion: Bool = false) -> String {
    if let sql = updates[changed] { return sql }
    var list = changed.slots.map { "\(SQL.identifier(columns[$0])) = ?" }
    if setsVersion { list.append("Z_OPT = ?") }
    if countsSave { list.append("Z_OPT = COALESCE(Z_OPT, 0) + 1") }
    let sql = "UPDATE \(table) SET \(list.joined(separator: ", ")) WHERE Z_PK = ?"
    updates[changed] = sql
    return sql
  }

  /// Returns the place of a property.
  ///
  /// - Throws: ``MigrationError`` where the entity has no such property.
  package func property(_ name: String) throws -> Property {
    guard let property = properties[name] else {
      throw MigrationError(
        .failed,
        "The entity \(entity.name) has no property \(name).",
        recovery: "Correct the name in the mapping or the policy."
      )
    }
    return property
  }

  /// Returns the place of a relationship.
  ///
  /// - Throws: ``MigrationError`` where the entity has no such relationship.
  func relationship(_ name: String) throws -> RelationshipSlot {
    guard case .relationship(let slot) = try property(name) else {
      throw MigrationError(
        .failed,
        "\(entity.name).\(name) is no relationship that a store keeps.",
        recovery: "Correct the name in the mapping or the policy."
      )
    }
    return slot
  }
}

/// Some of the slots of a row.
struct SlotSet: Hashable {
  private var first: UInt64 = 0
  /// The words behind the first; nil where none was needed, as nearly always.
  private var rest: [UInt64]?

  /// Whether there are none.
  var isEmpty: Bool { first == 0 && (rest?.allSatisfy { $0 == 0 } ?? true) }

  /// Adds a slot.
  mutating func insert(_ slot: Int) {
    guard slot >= 64 else { return first |= 1 << UInt64(slot) }
    let index = slot / 64 - 1
    var words = rest ?? []
    while words.count <= index { words.append(0) }
    words[index] |= 1 << UInt64(slot % 64)
    rest = words
  }

  /// Removes a slot.
  mutating func remove(_ slot: Int) {
    guard slot >= 64 else { return first &= ~(1 << UInt64(slot)) }
    guard contains(slot) else { return }
    rest?[slot / 64 - 1] &= ~(1 << UInt64(slot % 64))
  }

  /// Returns whether a slot is among them.
  func contains(_ slot: Int) -> Bool {
    guard slot >= 64 else { return first & 1 << UInt64(slot) != 0 }
    guard let rest, slot / 64 <= rest.count else { return false }
    return rest[slot / 64 - 1] & 1 << UInt64(slot % 64) != 0
  }

  /// The slots in ascending order.
  var slots: [Int] {
    var slots: [Int] = []
    for (index, word) in ([first] + (rest ?? [])).enumerated() {
      var bits = word
      while bits != 0 {
        slots.append(index * 64 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
    return slots
  }
}
