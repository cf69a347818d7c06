/// The keys that the objects of a store of the XML kind get as rows, in a table of a database of its own.
///
/// `z102` becomes the key 102, so that each name leads to the other. Where an object of the file has an
/// identifier of another form, the objects are numbered in their order instead.
final class XMLStoreKeys {
  /// The key and the entity number of an object.
  struct Object {
    let key: Int64
    let entityNumber: Int64
  }

  static let table = "temp.waystone_objects"

  private let insert: SQLiteStatement
  private var find: SQLiteStatement?
  private(set) var count: Int64 = 0
  private(set) var isNumbered = true

  /// Makes the table.
  init(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
    try connection.execute(
      "CREATE TABLE \(Self.table) (id TEXT PRIMARY KEY, number INTEGER, place INTEGER, "
        + "entity INTEGER, line INTEGER) WITHOUT ROWID"
    )
    insert = try connection.prepare(
      "INSERT OR IGNORE INTO \(Self.table) (id, number, place, entity, line) VALUES (?, ?, ?, ?, ?)"
    )
  }

  /// Adds an object.
  ///
  /// - Returns: Whether no other has its identifier.
  func add(
    _ object: XMLStoreObject,
    entityNumber: Int64,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Bool {
    let number = Self.number(of: object.identifier)
    if number == nil { isNumbered = false }
    try insert.bind(object.identifier, at: 1)
    try insert.bind(number ?? 0, at: 2)
    try insert.bind(count + 1, at: 3)
    try insert.bind(entityNumber, at: 4)
    try insert.bind(Int64(object.line), at: 5)
    try insert.run()
    guard connection.changes == 1 else { return false }
    count += 1
    return true
  }

  /// Returns the line of the object with an identifier.
  func line(
    of identifier: String,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    try connection.integer("SELECT line FROM \(Self.table) WHERE id = ?", [.text(identifier)])
  }

  /// The column with the keys, once all objects are there.
  var column: String { isNumbered ? "number" : "place" }

  /// Returns the object of an identifier; nil where the file has none.
  func object(
    _ identifier: some StringProtocol,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Object? {
    if find == nil {
      find = try connection.prepare("SELECT \(column), entity FROM \(Self.table) WHERE id = ?")
    }
    return try Self.object(String(identifier), find)
  }

  private static func object(
    _ identifier: String,
    _ find: borrowing SQLiteStatement?
  ) throws(SQLiteError) -> Object? {
    switch find {
    case .some(let find):
      try find.bind(identifier, at: 1)
      guard try find.step() else { return nil }
      let object = Object(key: find.int64(0), entityNumber: find.int64(1))
      find.reset()
      return object
    case .none: return nil
    }
  }

  /// Returns the identifier of the object with a key in a table; for messages.
  func identifier(
    ofKey key: Int64,
    entityNumbers: [Int],
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> String? {
    let numbers = entityNumbers.map(String.init).joined(separator: ", ")
    return try connection.text(
      "SELECT id FROM \(Self.table) WHERE \(column) = ? AND entity IN (\(numbers)) LIMIT 1",
      [.integer(key)]
    )
  }

  /// Returns the number in an identifier such as `z102`; nil where it has another form.
  static func number(of identifier: some StringProtocol) -> Int64? {
    let digits = identifier.utf8.dropFirst()
    guard identifier.utf8.first == UInt8(ascii: "z"), (1...18).contains(digits.count),
      digits.first != UInt8(ascii: "0"), digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(String(identifier.dropFirst()))
  }
}
