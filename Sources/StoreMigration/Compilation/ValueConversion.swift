package import MigrationPlanning
package import ObjectModel
import StoreAccess

/// A conversion of an attribute's stored value between two versions.
package struct ValueConversion: Hashable, Sendable {
  /// A step of a conversion; steps apply in the order of the cases.
  package enum Step: Hashable, Sendable {
    /// The tag of external storage is taken off, a file's bytes read in.
    case untag
    /// The number becomes one of another type.
    case number(AttributeType)
    /// Replaces an absent value, in the form in which the column holds it at this step.
    case fill(AttributeValue)
    /// The tag of external storage is put on.
    case tag
  }

  /// The changes.
  package var steps: [Step]

  /// Makes the conversion from a source attribute's values to a destination attribute's, which may be
  /// empty.
  package init(
    _ origin: ValueOrigin,
    from source: AttributeDescription,
    to destination: AttributeDescription
  ) {
    let isBinary = source.attributeType == .binary || source.attributeType == .transformable
    let wasExternal = isBinary && source.allowsExternalBinaryDataStorage
    let isExternal = isBinary && destination.allowsExternalBinaryDataStorage
    steps = wasExternal && !isExternal ? [.untag] : []
    steps += Self.steps(of: origin).map { step in
      // Among values that keep their tags, a default has one, too.
      guard wasExternal, isExternal, case .fill(.binary(let bytes)) = step else { return step }
      return .fill(.binary([1] + bytes))
    }
    if isExternal && !wasExternal { steps.append(.tag) }
  }

  /// Returns the changes that an origin names, the innermost first.
  private static func steps(of origin: ValueOrigin) -> [Step] {
    switch origin {
    case .converted(let inner, from: let old, to: let new):
      steps(of: inner) + (changesForm(from: old, to: new) ? [.number(new)] : [])
    case .filled(let inner, let value): steps(of: inner) + [.fill(value)]
    default: []
    }
  }

  /// Returns the SQL expression of the converted value.
  package func sql(_ operand: String) -> String {
    steps.reduce(operand) { sql, step in
      switch step {
      case .untag: "\(ExternalData.untagFunction)(\(sql))"
      case .tag: "\(ExternalData.tagFunction)(\(sql))"
      case .number(let type): Self.convert(sql, to: type)
      case .fill(let value): "COALESCE(\(sql), \(Self.literal(value, isExternal: false)))"
      }
    }
  }

  /// Returns the SQL expression of a number as one of another type.
  static func number(
    _ operand: String,
    from source: AttributeType,
    to destination: AttributeType
  ) -> String {
    changesForm(from: source, to: destination) ? convert(operand, to: destination) : operand
  }

  /// Returns a model's value as SQL keeps it in an attribute's column.
  package static func literal(_ value: AttributeValue, isExternal: Bool) -> String {
    switch value {
    case .integer(let integer): SQL.literal(.integer(integer))
    case .real(let real), .date(let real): SQL.literal(.real(real))
    case .decimal(let digits):
      DecimalText.stored(digits).map { literal($0.value, isExternal: isExternal) }
        ?? SQL.literal(.text(digits))
    case .string(let text), .uri(let text): SQL.literal(.text(text))
    case .boolean(let flag): flag ? "1" : "0"
    case .binary(let bytes): SQL.literal(.blob(isExternal ? [1] + bytes : bytes))
    case .uuid(let bytes): SQL.literal(.blob(bytes))
    }
  }

  /// Returns whether a number is stored otherwise, or may have to be bounded.
  ///
  /// An integer that becomes a wider one always stays as it is; so does a double that becomes a
  /// float, or the reverse.
  private static func changesForm(from old: AttributeType, to new: AttributeType) -> Bool {
    guard old != new, new.isStoredAsNumber else { return false }
    switch (old, new) {
    case (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64),
      (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
      (.float, .double), (.double, .float):
      return false
    default: return true
    }
  }

  /// Returns a number as another type, fractions cut off toward zero and integers bounded by their
  /// width.
  ///
  /// Values that this changes are counted by a precondition before the hop runs. A double that
  /// becomes a float keeps its digits in the column, and is counted where Core Data reads another.
  private static func convert(_ sql: String, to type: AttributeType) -> String {
    switch type {
    case .boolean: "CASE WHEN \(sql) IS NULL THEN NULL ELSE (\(sql)) <> 0 END"
    case .integer16: bounded(sql, -32_768, 32_767)
    case .integer32: bounded(sql, -2_147_483_648, 2_147_483_647)
    case .integer64: "CAST(\(sql) AS INTEGER)"
    case .float, .double: "CAST(\(sql) AS REAL)"
    case .undefined, .decimal, .string, .date, .binary, .uuid, .uri, .transformable, .objectID,
      .composite:
      sql
    }
  }

  private static func bounded(_ sql: String, _ least: Int64, _ greatest: Int64) -> String {
    "CASE WHEN \(sql) IS NULL THEN NULL ELSE "
      + "MAX(\(least), MIN(\(greatest), CAST(\(sql) AS INTEGER))) END"
  }

  /// Returns the SQL condition that holds for values that the conversion would change, or nil.
  ///
  /// A value that is no number cannot be converted: SQLite would read a beginning of it, or zero.
  package static func changes(
    _ sql: String,
    from source: AttributeType,
    to destination: AttributeType
  ) -> String? {
    if isRoundedToDouble(from: source, to: destination) {
      // A number between the bounds is itself as a double; text and bytes are above all numbers.
      let rounded =
        "\(sql) NOT BETWEEN -9007199254740992 AND 9007199254740992 "
        + "AND (\(isNoNumber(sql)) OR \(sql) <> CAST(\(sql) AS REAL))"
      return source.isInteger ? "\(isReal(sql)) OR \(rounded)" : rounded
    }
    if source.isInteger, destination == .decimal || destination == .float {
      let range = changesRange(sql, from: source, to: destination).map { " OR \($0)" } ?? ""
      return "\(isReal(sql)) OR \(isNoNumber(sql))\(range)"
    }
    if destination == .decimal, source == .double || source == .float { return isNoDecimal(sql) }
    let range = changesRange(sql, from: source, to: destination)
    guard changesForm(from: source, to: destination) || range != nil else { return nil }
    return range.map { "\(isNoNumber(sql)) OR \($0)" } ?? isNoNumber(sql)
  }

  /// Returns the SQL condition that holds for numbers that are no integers, in a column of integers.
  ///
  /// SQLite keeps a fraction there, and a number of more than 64 bits; an app reads other numbers.
  private static func isReal(_ sql: String) -> String { "typeof(\(sql)) = 'real'" }

  /// Returns the SQL condition that holds for values that are there and are no numbers.
  static func isNoNumber(_ sql: String) -> String { "typeof(\(sql)) IN ('text', 'blob')" }

  /// Returns the SQL condition that holds for numbers above the greatest one that is allowed.
  ///
  /// SQLite compares text, also that of a decimal that is not a number, as greater than all numbers.
  static func isAbove(_ greatest: String, _ sql: String) -> String {
    "\(sql) > \(greatest) AND NOT \(isNoNumber(sql))"
  }

  /// Returns the SQL condition that holds for values that are there and are no decimal numbers, such as
  /// infinity.
  ///
  /// The greatest is 2^128 · 10^127 (Foundation's `NSDecimalNumber`). SQLite compares text and bytes as greater
  /// than all numbers.
  private static func isNoDecimal(_ sql: String) -> String {
    "\(sql) NOT BETWEEN -3.4e165 AND 3.4e165"
  }

  /// Returns whether numbers become doubles: Core Data writes a decimal as one too, and SQLite keeps the
  /// integer as it is until then.
  private static func isRoundedToDouble(
    from source: AttributeType,
    to destination: AttributeType
  ) -> Bool {
    changesForm(from: source, to: destination)
      && (destination == .double || source == .integer64 && destination == .decimal)
  }

  private static func changesRange(
    _ sql: String,
    from source: AttributeType,
    to destination: AttributeType
  ) -> String? {
    switch (source, destination) {
    case (_, .boolean): "\(sql) NOT IN (0, 1)"
    // Core Data reads a float, even if the column keeps a double. SQLite compares whole numbers
    // with others without rounding either.
    case (_, .float):
      "(typeof(\(sql)) = 'real' OR \(sql) NOT BETWEEN -16777216 AND 16777216) "
        + "AND \(sql) <> \(ExpressionFunctions.float)(\(sql))"
    case _ where !changesForm(from: source, to: destination): nil
    case (_, .integer16), (_, .integer32), (_, .integer64):
      "\(sql) IS NOT NULL AND (\(sql)) <> \(convert(sql, to: destination))"
    default: nil
    }
  }

  /// Returns the SQL condition that holds for results of expressions, digits of decimal numbers among
  /// them, that are no numbers of a type.
  static func isNoResult(_ sql: String, of type: AttributeType) -> String {
    "CASE typeof(\(sql)) WHEN 'text' THEN NOT \(ExpressionFunctions.holds)(\(type.rawValue), \(sql)) "
      + "ELSE \(cannotHold(sql, as: type)) END"
  }

  /// Returns the SQL condition that holds for values that are no numbers of a type.
  static func cannotHold(_ sql: String, as type: AttributeType) -> String {
    let isInexact =
      switch type {
      case .boolean: "\(sql) NOT IN (0, 1)"
      case .integer16, .integer32, .integer64: "\(sql) <> \(convert(sql, to: type))"
      case .decimal: isNoDecimal(sql)
      case .float:
        "\(sql) <> CAST(\(sql) AS REAL) OR \(sql) < 9e999 AND "
          + "\(ExpressionFunctions.float)(\(sql)) = 9e999 OR \(sql) > -9e999 AND "
          + "\(ExpressionFunctions.float)(\(sql)) = -9e999"
      case .double, .undefined, .date, .string, .uri, .uuid, .binary, .transformable, .objectID,
        .composite:
        "\(sql) <> CAST(\(sql) AS REAL)"
      }
    return "\(isNoNumber(sql)) OR \(isInexact)"
  }

  /// Returns the SQL condition that holds for values that are there and are no numbers of a type.
  ///
  /// Any number is read as the nearest float or double. Not a number is a decimal number, and no other.
  static func isNoNumber(of type: AttributeType, _ sql: String) -> String {
    switch type {
    case .decimal: "\(isNoNumber(sql)) AND \(sql) <> \(SQL.literal(.text(DecimalText.notANumber)))"
    case .double, .float: isNoNumber(sql)
    case .integer16, .integer32, .integer64, .boolean, .undefined, .date, .string, .uri, .uuid,
      .binary, .transformable, .objectID, .composite:
      cannotHold(sql, as: type)
    }
  }

  /// Returns the SQL condition that holds for values that are there and are none of a type; of a text it
  /// does not ask whether it is UTF-8.
  static func isNone(of type: AttributeType, _ sql: String) -> String {
    switch type {
    case _ where type.isStoredAsNumber: isNoNumber(of: type, sql)
    case .string, .uri: "typeof(\(sql)) <> 'text'"
    default: cannotRead(sql, as: type)
    }
  }

  /// Returns the SQL condition that holds for values that are not stored as those of a type are.
  ///
  /// It calls a function of ``ExpressionFunctions`` for text. Expressions do not compute with a decimal that is
  /// not a number; code may.
  static func cannotRead(_ sql: String, as type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal, .date:
      isNoNumber(sql)
    case .string, .uri:
      "typeof(\(sql)) IN ('integer', 'real', 'blob') "
        + "OR typeof(\(sql)) = 'text' AND NOT \(ExpressionFunctions.isText)(\(sql))"
    case .uuid:
      "\(sql) IS NOT NULL AND (typeof(\(sql)) <> 'blob' OR length(\(sql)) <> 16)"
    case .binary, .transformable: "typeof(\(sql)) NOT IN ('null', 'blob')"
    case .undefined, .objectID, .composite: "0"
    }
  }
}
