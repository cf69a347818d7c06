import StoreVerification

/// The readable and unreadable rows of a damaged store, by table; never a value of a row.
public struct SalvageAccount: Codable, Hashable, Sendable {
  /// A gap of rows that could not be read, by the keys between which they would be.
  ///
  /// Not every key between the two must have had a row.
  public struct Gap: Codable, Hashable, Sendable {
    /// The last key that was read before it; nil where it begins with the table.
    public var after: Int64?
    /// The first key that was read behind it; nil where it ends with the table.
    public var before: Int64?

    /// A gap between two keys.
    public init(after: Int64?, before: Int64?) {
      self.after = after
      self.before = before
    }
  }

  /// A table of the store.
  public struct Table: Codable, Hashable, Sendable {
    /// The table's name in the file.
    public var name: String
    /// The rows that were read.
    public var rows: Int64
    /// The rows among them that are objects, by the name of their entity.
    public var entities: [String: Int64]
    /// The rows that could not be read, in the order of the keys.
    public var gaps: [Gap]
    /// The rows that were read but break a rule of the table, such as a key that another has too;
    /// they are left out.
    public var duplicates: Int64
    /// Whether its pages are damaged: rows that left no gap between keys may be missing.
    public var hasDamagedPages = false

    /// Makes the account of a table.
    public init(
      name: String,
      rows: Int64 = 0,
      entities: [String: Int64] = [:],
      gaps: [Gap] = [],
      duplicates: Int64 = 0
    ) {
      self.name = name
      self.rows = rows
      self.entities = entities
      self.gaps = gaps
      self.duplicates = duplicates
    }

    /// Whether all of it was read.
    public var isWhole: Bool { gaps.isEmpty && duplicates == 0 && !hasDamagedPages }
  }

  /// The links of a relationship that lead to no row: rows that could not be read, or that the store
  /// had lost before.
  public struct DanglingLinks: Codable, Hashable, Sendable {
    /// The entity that declares the relationship.
    public var entity: String
    /// The relationship.
    public var relationship: String
    /// The number of links.
    public var count: Int64

    /// Links of a relationship.
    public init(entity: String, relationship: String, count: Int64) {
      self.entity = entity
      self.relationship = relationship
      self.count = count
    }
  }

  /// The lines of SQLite's own check of the file, twenty at most.
  public var faults: [String]
  /// Whether damaged pages belong to an unknown table, so that any table may lack rows.
  public var hasStrayPages = false
  /// The tables, in the order in which they were made.
  public var tables: [Table]
  /// The indexes, views and triggers that could not be made anew.
  public var leftOut: [String]
  /// The links that were read and lead to no row that was; nil where they were not counted.
  public var danglingLinks: [DanglingLinks]?

  /// An account.
  public init(faults: [String], tables: [Table] = [], leftOut: [String] = []) {
    self.faults = faults
    self.tables = tables
    self.leftOut = leftOut
  }

  /// Counts links that lead to no row, by relationship.
  mutating func countLinks(_ details: [VerificationReport.Detail]) {
    var links: [DanglingLinks] = []
    for detail in details {
      let (entity, name) = (detail.entity ?? "", detail.property ?? "")
      if let last = links.last, last.entity == entity, last.relationship == name {
        links[links.count - 1].count += detail.count
      } else {
        links.append(.init(entity: entity, relationship: name, count: detail.count))
      }
    }
    danglingLinks = links
  }

  /// Whether every table was read whole, so that only rebuilt objects were damaged.
  public var isWhole: Bool {
    leftOut.isEmpty && !hasStrayPages && tables.allSatisfy(\.isWhole)
  }

  /// The rows that were read.
  public var rows: Int64 { tables.reduce(0) { $0 + $1.rows } }

  /// The lines on the readable rows: one in all, and one for each table that cannot be read whole.
  public var lines: [String] {
    let whole = tables.filter(\.isWhole)
    let rows = Self.count(whole.reduce(0) { $0 + $1.rows }, "row")
    let tables = "\(whole.count) of \(self.tables.count) tables can be read"
    let first =
      hasStrayPages
      ? "\(tables) to the end, with \(rows). Damaged pages belong to an unknown table: any table may lack rows"
      : "\(tables) whole, with \(rows)"
    return [first] + self.tables.filter { !$0.isWhole }.map(\.description)
      + leftOut.map { "\($0) cannot be made anew" }
      + (danglingLinks ?? []).map {
        "\($0.entity).\($0.relationship): \(Self.count($0.count, "link")) to rows that are not there"
      }
  }

  fileprivate static func count(_ count: Int64, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension SalvageAccount.Table: CustomStringConvertible {
  /// The table, its rows that were read, and up to five of its gaps.
  public var description: String {
    var text = "\(name): \(SalvageAccount.count(rows, "row")) can be read"
    let names = entities.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }
    if !names.isEmpty { text += " (\(names.joined(separator: ", ")))" }
    if !gaps.isEmpty {
      let places = gaps.prefix(5).map(\.description).joined(separator: ", ")
      text += ", none \(places)\(gaps.count > 5 ? ", and \(gaps.count - 5) gaps more" : "")"
    }
    if hasDamagedPages, gaps.isEmpty {
      text += ", and more may be missing: its pages are damaged"
    }
    if duplicates > 0 {
      text += ", \(SalvageAccount.count(duplicates, "row")) left out whose key another row has"
    }
    return text
  }
}

extension SalvageAccount.Gap: CustomStringConvertible {
  /// The place of the gap, by keys.
  public var description: String {
    switch (after, before) {
    case (let after?, let before?): "between keys \(after) and \(before)"
    case (let after?, nil): "after key \(after)"
    case (nil, let before?): "before key \(before)"
    case (nil, nil): "at all"
    }
  }
}
