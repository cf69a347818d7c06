/// A map from the key of each object of one table to its entity's number.
///
/// - Complexity: Two bytes for each object where their keys are dense, as Core Data gives them; else ten.
package struct ObjectKeys: Sendable {
  /// The first key.
  private var base: Int64 = 0
  /// The number of the entity at each key from the first on, 0 where there is no object; used as long
  /// as the keys are dense.
  private var dense: [UInt16] = []
  /// The keys in ascending order, and the numbers of their entities, once they are not.
  private var keys: [Int64] = []
  private var numbers: [UInt16] = []
  private var count: Int64 = 0

  /// Reads the keys of a table's objects that are of some entities.
  ///
  /// - Parameter table: The table as a term of `FROM`.
  /// - Throws: ``SQLiteError``.
  package init(
    of table: String,
    _ connection: borrowing SQLiteConnection,
    where isWanted: (UInt16) -> Bool
  ) throws(SQLiteError) {
    let statement = try connection.prepare("SELECT Z_PK, Z_ENT FROM \(table) ORDER BY Z_PK")
    while try statement.step() {
      guard let key = statement.key(0),
        let number = statement.key(1).flatMap({ UInt16(exactly: $0) }), number > 0,
        isWanted(number)
      else { continue }
      add(key, number)
    }
  }

  private mutating func add(_ key: Int64, _ number: UInt16) {
    if count == 0 { base = key }
    count += 1
    let (distance, isFar) = key.subtractingReportingOverflow(base)
    if keys.isEmpty, !isFar, distance >= 0, distance < 8 * count + 4_096 {
      while dense.count <= distance { dense.append(0) }
      dense[Int(distance)] = number
      return
    }
    if keys.isEmpty {
      for (place, number) in dense.enumerated() where number > 0 {
        keys.append(base + Int64(place))
        numbers.append(number)
      }
      dense = []
    }
    keys.append(key)
    numbers.append(number)
  }

  /// Returns the number of the entity of an object; 0 where there is none.
  package func number(of key: Int64) -> UInt16 {
    if keys.isEmpty {
      let (distance, isFar) = key.subtractingReportingOverflow(base)
      return !isFar && distance >= 0 && distance < dense.count ? dense[Int(distance)] : 0
    }
    var range = 0..<keys.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      if keys[middle] == key { return numbers[middle] }
      range =
        keys[middle] < key ? (middle + 1)..<range.upperBound : range.lowerBound..<middle
    }
    return 0
  }
}

extension SQLiteStatement {
  /// Returns the key in a column, as a join by it would find it; nil where no key can be equal to the value.
  package func key(_ column: Int) -> Int64? {
    switch storageClass(column) {
    case .integer: int64(column)
    case .real: Int64(exactly: double(column))
    default: nil
    }
  }
}
