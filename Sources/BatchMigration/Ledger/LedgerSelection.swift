internal import StoreAccess

/// A selection of a ledger's stores, and their order.
package struct LedgerSelection: Hashable, Sendable {
  /// The order in which stores come.
  package enum Order: Hashable, Sendable {
    /// The order in which they were found.
    case found
    /// The largest first, by bytes.
    case largestFirst
    /// The smallest first, by bytes.
    case smallestFirst
    /// The slowest first, by the time of the last attempt.
    case slowestFirst

    fileprivate var sql: String {
      switch self {
      case .found: "id"
      case .largestFirst: "bytes DESC, id"
      case .smallestFirst: "bytes, id"
      case .slowestFirst: "seconds DESC, id"
      }
    }
  }

  /// The states that count; nil for all.
  package var states: Set<StoreState>?
  /// The versions that count; a store of an unknown version has none of them; nil for all.
  package var versions: Set<String>?
  /// A pattern that names must match, as SQLite's GLOB: `*` matches any characters, `/` among them.
  package var names: String?
  /// The sizes that count, in bytes; nil for all.
  package var bytes: ClosedRange<Int64>?
  /// The absolute path of the archive that contains the stores; nil for all, whether in archives or not.
  package var archive: String?
  /// The one store that counts, by its number; nil for all.
  package var store: Int64?
  /// The codes that count; nil for all.
  package var codes: Set<String>?
  /// The order.
  package var order: Order
  /// The most stores; nil for all.
  package var limit: Int?

  /// A selection by everything that is given.
  package init(
    states: Set<StoreState>? = nil,
    versions: Set<String>? = nil,
    names: String? = nil,
    bytes: ClosedRange<Int64>? = nil,
    order: Order = .found,
    limit: Int? = nil
  ) {
    self.states = states
    self.versions = versions
    self.names = names
    self.bytes = bytes
    self.order = order
    self.limit = limit
  }

  /// The text that follows `FROM store`, and the values of its parameters.
  var sql: (text: String, values: [SQLiteValue]) {
    var conditions: [String] = []
    var values: [SQLiteValue] = []
    func among(_ column: String, _ texts: [String]) {
      let places = Array(repeating: "?", count: texts.count).joined(separator: ", ")
      conditions.append("\(column) IN (\(places))")
      values += texts.map(SQLiteValue.text)
    }
    if let states { among("state", states.map(\.rawValue).sorted()) }
    if let versions { among("version", versions.sorted()) }
    if let names {
      conditions.append("name GLOB ?")
      values.append(.text(names))
    }
    if let bytes {
      conditions.append("bytes BETWEEN ? AND ?")
      values += [.integer(bytes.lowerBound), .integer(bytes.upperBound)]
    }
    if let codes { among("code", codes.sorted()) }
    if let store {
      conditions.append("id = ?")
      values.append(.integer(store))
    }
    if let archive {
      // The start of `place`; its JSON is the same for the same value.
      conditions.append("substr(place, 1, length(?)) = ?")
      let start = StorePlace.start(ofMembersIn: archive)
      values += [.text(start), .text(start)]
    }
    var text = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
    text += " ORDER BY \(order.sql)"
    if let limit {
      text += " LIMIT ?"
      values.append(.integer(Int64(max(0, limit))))
    }
    return (text, values)
  }
}
