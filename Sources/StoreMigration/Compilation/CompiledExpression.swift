package import ObjectModel
import StoreAccess

/// An expression in SQL.
package struct CompiledExpression: Hashable, Sendable {
  /// The SQL expression, over the row alias that the compiler was given; a decimal number as a column
  /// keeps it, see `DecimalText.stored`.
  package var sql: String
  /// The same, but with the text of its digits for a decimal number that may be none that a column keeps.
  package var exactSQL: String
  /// The type of the value; nil where it is always NULL.
  ///
  /// Whole numbers of all widths are ``AttributeType/integer64`` and may be decimal numbers where
  /// they overflow, floats and doubles ``AttributeType/double``, and an object is its key,
  /// ``AttributeType/objectID``. Dates are doubles.
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
    /// A whole number, or the decimal number that it became by overflow.
    case integer
    case real, decimal, boolean, string, date, uuid, uri, binary
    /// The key of an object below a root entity.
    case object(root: String)
  }

  var sql: String
  var kind: Kind
  var canFail = false
  /// Whether a number may be the text of a decimal number's digits, which SQLite does not compare as a
  /// number.
  var mayBeDigits = false
  /// The exact value, where SQLite computes with doubles since whole numbers overflow; nil where none can.
  var overflow: Overflow?

  /// The value of rows in which whole numbers overflow.
  struct Overflow: Hashable {
    /// The condition that they do.
    var condition: String
    /// The value, computed by functions.
    var sql: String
  }

  static let null = SQLTerm(sql: "NULL", kind: .nothing)

  var isNumeric: Bool {
    switch kind {
    case .integer, .real, .decimal, .boolean: true
    case .nothing, .string, .date, .uuid, .uri, .binary, .object: false
    }
  }

  /// Whether the value is a whole number unless it overflowed.
  var isWhole: Bool { kind == .integer || kind == .boolean }

  /// The value computed by functions alone, where whole numbers may overflow.
  var exactSQL: String { overflow?.sql ?? sql }

  /// The value, which is exact where whole numbers overflow.
  var settled: SQLTerm {
    guard let overflow else { return self }
    var term = self
    term.overflow = nil
    term.sql = "CASE WHEN \(overflow.condition) THEN \(overflow.sql) ELSE \(sql) END"
    term.mayBeDigits = true
    return term
  }

  /// The value as a column keeps it.
  var storedSQL: String {
    if let overflow {
      let exact = "\(ExpressionFunctions.stored)(\(overflow.sql))"
      return "CASE WHEN \(overflow.condition) THEN \(exact) ELSE \(sql) END"
    }
    return mayBeDigits ? "\(ExpressionFunctions.stored)(\(sql))" : sql
  }

  /// The letter by which the SQL functions know the type of a value.
  var tag: Character? {
    switch kind {
    case .nothing, .integer, .real: "n"
    case .boolean: "b"
    case .string: "s"
    case .date: "d"
    case .uuid: "u"
    case .uri: "l"
    case .binary: "x"
    case .decimal: "m"
    case .object: nil
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
      guard let (number, isExact) = DecimalText.stored(digits) else { return nil }
      self.init(
        sql: isExact
          ? ValueConversion.literal(number, isExternal: false) : SQL.literal(.text(digits)),
        kind: .decimal
      )
      mayBeDigits = !isExact
    case .boolean(let flag): self.init(sql: flag ? "1" : "0", kind: .boolean)
    case .string(let text): self.init(sql: SQL.literal(.text(text)), kind: .string)
    case .uri(let text): self.init(sql: SQL.literal(.text(text)), kind: .uri)
    case .uuid(let bytes): self.init(sql: SQL.literal(.blob(bytes)), kind: .uuid)
    case .binary(let bytes): self.init(sql: SQL.literal(.blob(bytes)), kind: .binary)
    }
  }

  init(sql: String, kind: Kind, canFail: Bool = false, mayBeDigits: Bool = false) {
    self.sql = sql
    self.kind = kind
    self.canFail = canFail
    self.mayBeDigits = mayBeDigits
  }
}
