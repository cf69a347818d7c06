package import ObjectModel
import StoreAccess

/// An expression in SQL.
package struct CompiledExpression: Hashable, Sendable {
  /// The SQL expression, over the row alias that the compiler was given.
  package var sql: String
  /// What kind of value it gives; nil where it is always NULL.
  ///
  /// Whole numbers of all widths are ``AttributeType/integer64`` and may be doubles where they
  /// overflow, floats and doubles ``AttributeType/double``, and an object is its key,
  /// ``AttributeType/objectID``. Dates and decimal numbers are doubles.
  package var type: AttributeType?
  /// Whether a row can make the statement fail, as an index beyond the end of a text does.
  ///
  /// The evaluator refuses such a row too; where such SQL must be evaluated for wanted rows only, it
  /// belongs into the result columns, not into a condition.
  package var canFail: Bool
}

/// A value while its expression is compiled.
struct SQLTerm: Hashable {
  enum Kind: Hashable {
    /// Always NULL.
    case nothing
    /// A whole number, or the double that it became by overflow.
    case integer
    case real, decimal, boolean, string, date, uuid, uri, binary
    /// The key of an object below a root entity.
    case object(root: String)
  }

  var sql: String
  var kind: Kind
  var canFail = false

  static let null = SQLTerm(sql: "NULL", kind: .nothing)

  var isNumeric: Bool {
    switch kind {
    case .integer, .real, .decimal, .boolean: true
    case .nothing, .string, .date, .uuid, .uri, .binary, .object: false
    }
  }

  /// Whether the value is a whole number unless it overflowed.
  var isWhole: Bool { kind == .integer || kind == .boolean }

  /// The value, of which a decimal number is the double that it is computed with.
  var asDouble: SQLTerm {
    SQLTerm(sql: sql, kind: kind == .decimal ? .real : kind, canFail: canFail)
  }

  /// The letter by which the SQL functions know what a value is.
  var tag: Character? {
    switch kind {
    case .nothing, .integer, .real: "n"
    case .boolean: "b"
    case .string: "s"
    case .date: "d"
    case .uuid: "u"
    case .uri: "l"
    case .binary: "x"
    // The digits of a decimal number are not what SQLite keeps.
    case .decimal, .object: nil
    }
  }

  var type: AttributeType? {
    switch kind {
    case .nothing: nil
    case .integer: .integer64
    case .real: .double
    case .decimal: .decimal
    case .boolean: .boolean
    case .string: .string
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    case .binary: .binary
    case .object: .objectID
    }
  }

  /// A constant, or nil where SQLite cannot keep it as it is.
  init?(_ value: AttributeValue?) {
    switch value {
    case nil: self = .null
    case .integer(let number): self.init(sql: SQL.literal(.integer(number)), kind: .integer)
    case .real(let number): self.init(sql: SQL.literal(.real(number)), kind: .real)
    case .date(let seconds): self.init(sql: SQL.literal(.real(seconds)), kind: .date)
    case .decimal(let digits):
      guard let number = Double(digits), number.isFinite else { return nil }
      self.init(sql: SQL.literal(.real(number)), kind: .decimal)
    case .boolean(let flag): self.init(sql: flag ? "1" : "0", kind: .boolean)
    case .string(let text): self.init(sql: SQL.literal(.text(text)), kind: .string)
    case .uri(let text): self.init(sql: SQL.literal(.text(text)), kind: .uri)
    case .uuid(let bytes): self.init(sql: SQL.literal(.blob(bytes)), kind: .uuid)
    case .binary(let bytes): self.init(sql: SQL.literal(.blob(bytes)), kind: .binary)
    }
  }

  init(sql: String, kind: Kind, canFail: Bool = false) {
    self.sql = sql
    self.kind = kind
    self.canFail = canFail
  }
}
