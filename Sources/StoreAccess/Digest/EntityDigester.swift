import Files
import ObjectModel

/// Feeds the rows and links of one concrete entity into a hash.
///
/// What is fed is unambiguous: each value begins with a tag, and whatever varies in length with its
/// length.
struct EntityDigester {
  private let entity: String
  private let schema: PhysicalSchema
  private let database: String
  private let externalData: String?
  private let allowsMissingFiles: Bool
  private(set) var rowCount: Int64 = 0
  private(set) var missingFileCount: Int64 = 0
  private var hash = SHA256()
  private var pending: [UInt8] = []

  init(
    entity: String,
    schema: PhysicalSchema,
    database: String,
    externalData: String?,
    allowsMissingFiles: Bool
  ) {
    self.entity = entity
    self.schema = schema
    self.database = database
    self.externalData = externalData
    self.allowsMissingFiles = allowsMissingFiles
  }

  /// One value of a row, in byte order of the properties' names.
  private struct Field {
    let name: String
    let column: String
    /// Nil for the key of a to-one relationship's destination.
    let attribute: AttributeDescription?

    var form: Form {
      if attribute?.isReal == true { return .real }
      return attribute?.allowsExternalBinaryDataStorage == true ? .external : .plain
    }
  }

  /// How the values of a field are to be understood.
  private enum Form {
    case plain
    /// SQLite keeps a whole number as an integer where the column's affinity lets it.
    case real
    /// A blob may stand in a file.
    case external
  }

  private var fields: [Field] {
    schema.model.properties(of: entity).compactMap { declared in
      let name = declared.property.name
      if let attribute = declared.property.attribute {
        return schema.column(of: name, in: entity).map {
          Field(name: name, column: $0.name, attribute: attribute)
        }
      }
      guard case .key(_, let key, _, _)? = schema.storage(of: name, in: entity) else { return nil }
      return Field(name: name, column: key, attribute: nil)
    }
  }

  /// Digests the objects in the order of their keys.
  mutating func digestRows(
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    let fields = fields
    for field in fields { add(text: Array(field.name.utf8)) }
    let forms = fields.map(\.form)
    guard let table = schema.table(of: entity), let number = schema.entityNumber(entity) else {
      return
    }
    let columns = (["Z_PK"] + fields.map(\.column)).map { SQL.identifier($0) }
    let sql =
      "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.identifier(database, table.name)) "
      + "WHERE Z_ENT = \(number) ORDER BY Z_PK"
    do {
      let statement = try connection.prepare(sql)
      while try statement.step() {
        rowCount += 1
        add(integer: statement.int64(0))
        for index in forms.indices { try add(statement, index + 1, forms[index]) }
        flush(beyond: 1 << 16)
      }
    } catch let error as SQLiteError {
      throw StoreAccessError(error)
    } catch let error as FileError {
      throw StoreAccessError(error)
    } catch {
      throw StoreAccessError(code: .other, message: "\(error)")
    }
  }

  /// Digests the destinations of a to-many relationship, in order where it is ordered.
  mutating func digestLinks(
    of relationship: RelationshipDescription,
    _ connection: borrowing SQLiteConnection
  ) throws(StoreAccessError) {
    let links = LinkQuery(
      of: relationship.name,
      in: entity,
      schema,
      database: database,
      scansTables: false
    )
    guard let links, let owners = schema.table(of: entity),
      let number = schema.entityNumber(entity)
    else { return }
    switch links.storage {
    case .key: return
    case .inverseKey(_, _, let order) where order == nil: return  // The inverse says all of it.
    case .inverseKey, .ownerKey, .join: break
    }
    add(text: Array(relationship.name.utf8))
    let order = links.orderColumn == nil ? "" : "l.owner_order, "
    let sql =
      "SELECT l.owner, l.other FROM (\(links.sql)) l "
      + "JOIN \(SQL.identifier(database, owners.name)) o ON o.Z_PK = l.owner "
      + "WHERE o.Z_ENT = \(number) ORDER BY l.owner, \(order)l.other"
    do throws(SQLiteError) {
      let statement = try connection.prepare(sql)
      while try statement.step() {
        add(integer: statement.int64(0))
        add(integer: statement.int64(1))
        flush(beyond: 1 << 16)
      }
    } catch {
      throw StoreAccessError(error)
    }
  }

  /// The hash of all that was fed.
  mutating func finish() -> String {
    flush(beyond: 0)
    return Hexadecimal.string(hash.finalize())
  }

  // MARK: Values

  private mutating func add(
    _ row: borrowing SQLiteStatement,
    _ column: Int,
    _ form: Form
  ) throws(FileError) {
    switch row.storageClass(column) {
    case .null: pending.append(0)
    case .integer where form == .real: add(real: Double(row.int64(column)))
    case .integer: add(integer: row.int64(column))
    case .real: add(real: row.double(column))
    // The bytes themselves, also where they are no UTF-8.
    case .text: add(bytesOf: row, column, tag: 3)
    case .blob where form == .external: try add(external: row.blob(column) ?? [])
    case .blob: add(bytesOf: row, column, tag: 4)
    }
  }

  private mutating func add(bytesOf row: borrowing SQLiteStatement, _ column: Int, tag: UInt8) {
    unsafe row.withBytes(column) { bytes in
      pending.append(tag)
      add(word: UInt64(bytes.count))
      unsafe pending.append(contentsOf: bytes)
    }
  }

  private mutating func add(integer: Int64) {
    pending.append(1)
    add(word: UInt64(bitPattern: integer))
  }

  private mutating func add(real: Double) {
    pending.append(2)
    add(word: real.bitPattern)
  }

  private mutating func add(text: [UInt8]) {
    pending.append(3)
    add(word: UInt64(text.count))
    pending.append(contentsOf: text)
  }

  private mutating func add(blob bytes: some Collection<UInt8>) {
    pending.append(4)
    add(word: UInt64(bytes.count))
    pending.append(contentsOf: bytes)
  }

  /// A value that may stand in a file: its first byte is 1 before the bytes themselves, 2 before the
  /// file's name and a NUL (measured on stores of public apps).
  private mutating func add(external bytes: [UInt8]) throws(FileError) {
    switch bytes.first {
    case 1: add(blob: bytes.dropFirst())
    case 2:
      guard let externalData else { return addReference(bytes) }
      let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
      guard !name.isEmpty, !name.contains("/"), name != ".", name != ".." else {
        return addReference(bytes)
      }
      guard let file = try ExternalFolder.open(externalData)?.file(name) else {
        guard allowsMissingFiles else {
          throw FileError(code: .missing, message: "There is no file \(externalData)/\(name)")
        }
        missingFileCount += 1
        return addReference(bytes)
      }
      try add(file)
    default: addReference(bytes)
    }
  }

  private mutating func addReference(_ bytes: [UInt8]) {
    pending.append(5)
    add(word: UInt64(bytes.count))
    pending.append(contentsOf: bytes)
  }

  private mutating func add(_ file: borrowing OpenFile) throws(FileError) {
    let size = try file.status().size
    pending.append(4)
    add(word: UInt64(max(0, size)))
    var offset: Int64 = 0
    while offset < size {
      let piece = try file.read(count: Int(min(1 << 20, size - offset)), at: offset)
      if piece.isEmpty { break }
      pending.append(contentsOf: piece)
      flush(beyond: 1 << 16)
      offset += Int64(piece.count)
    }
  }

  private mutating func add(word: UInt64) {
    unsafe withUnsafeBytes(of: word.littleEndian) { unsafe pending.append(contentsOf: $0) }
  }

  private mutating func flush(beyond limit: Int) {
    guard pending.count > limit else { return }
    hash.update(pending)
    pending.removeAll(keepingCapacity: true)
  }
}

extension AttributeDescription {
  fileprivate var isReal: Bool {
    switch attributeType {
    case .double, .float, .date, .decimal: true
    default: false
    }
  }
}
