import ObjectModel
import StoreAccess

extension StoreValidator {
  /// Returns the rules of an attribute that each row meets or breaks on its own.
  ///
  /// A missing value breaks only the rule that there be one, as in Core Data.
  func attributeRules(
    _ attribute: AttributeDescription,
    _ rows: Rows,
    _ present: Set<String>,
    _ patterns: ValidationFunctions,
    _ report: inout ValidationReport
  ) -> [RowRule] {
    let validation = attribute.validation
    let isTyped = looksAtTypes && attribute.attributeType.isOfStoredForm
    let isWanted = !(attribute.membership?.isOptional ?? attribute.isOptional)
    guard isWanted || !validation.isEmpty || isTyped else { return [] }
    func uncheck(_ reason: String) {
      report.unchecked.append(
        .init(entity: rows.entity, property: attribute.name, reason: reason)
      )
    }
    guard let column = schema.column(of: attribute.name, in: rows.entity)?.name else {
      uncheck("it is not known where stores keep values of its type")
      return []
    }
    guard present.contains(column) else {
      uncheck("the store has no column for it")
      return []
    }
    let value = "s.\(SQL.identifier(column))"
    var rules: [RowRule] = []
    func add(_ code: FindingCode, _ message: String, _ condition: String) {
      rules.append(
        RowRule(code: code, property: attribute.name, message: message, condition: condition)
      )
    }
    if isTyped {
      add(
        .valueNotOfType,
        "have a value that \(attribute.attributeType) cannot hold",
        "\(value) IS NOT NULL AND (\(ValueConversion.isNone(of: attribute.attributeType, value)))"
      )
    }
    if !attribute.isOptional {
      add(.requiredValueMissing, "lack a value that is required", "\(value) IS NULL")
    } else if isWanted, let composite = attribute.membership?.attributeName {
      let others = schema.model.attributes(of: rows.entity).filter {
        $0.membership?.attributeName == composite && $0.name != attribute.name
      }
      let columns = others.compactMap { schema.column(of: $0.name, in: rows.entity)?.name }
        .filter(present.contains)
      if !columns.isEmpty {
        let isThere = columns.map { "s.\(SQL.identifier($0)) IS NOT NULL" }
          .joined(separator: " OR ")
        add(
          .requiredValueMissing,
          "have \(composite) and lack a value that is required in it",
          "\(value) IS NULL AND (\(isThere))"
        )
      }
    }
    if attribute.attributeType == .string {
      // UTF-16 units are at most as many as bytes, and at least a third of them.
      let bytes = "LENGTH(CAST(\(value) AS BLOB))"
      let length = "\(ValidationFunctions.length)(\(value))"
      if let least = Self.length(validation.minimum), least > 0 {
        let isShort = "(\(bytes) < \(least * 3)"
        add(
          .textTooShort,
          "have text of less than \(least) UTF-16 units",
          "\(value) IS NOT NULL AND \(isShort) AND \(length) < \(least))"
        )
      }
      if let greatest = Self.length(validation.maximum) {
        add(
          .textTooLong,
          "have text of more than \(greatest) UTF-16 units",
          "\(value) IS NOT NULL AND \(bytes) > \(greatest) AND \(length) > \(greatest)"
        )
      }
      if let pattern = validation.regularExpression {
        if let number = patterns.add(pattern, of: "\(rows.entity).\(attribute.name)") {
          add(
            .patternNotMatched,
            "have text that the regular expression does not match as a whole",
            "\(value) IS NOT NULL AND NOT \(ValidationFunctions.matches)(\(number), \(value))"
          )
        } else {
          uncheck("its regular expression is none that ICU can read")
        }
      }
    } else if attribute.attributeType.isOrdered {
      if let least = Self.number(validation.minimum) {
        let condition = "\(value) IS NOT NULL AND \(value) < \(SQL.literal(least))"
        add(.valueTooSmall, "have a value below the minimum", condition)
      }
      if let greatest = Self.number(validation.maximum) {
        let isAbove = ValueConversion.isAbove(SQL.literal(greatest), value)
        let condition = "\(value) IS NOT NULL AND \(isAbove)"
        add(.valueTooGreat, "have a value above the maximum", condition)
      }
    }
    return rules
  }

  private static func length(_ bound: AttributeValue?) -> Int? {
    switch bound {
    // No text of SQLite is as long as 2^31 bytes.
    case .integer(let number): Int(min(max(number, 0), 1 << 31))
    case .real(let number) where number.isFinite: Int(min(max(number.rounded(.up), 0), 0x1p31))
    default: nil
    }
  }

  private static func number(_ bound: AttributeValue?) -> SQLiteValue? {
    switch bound {
    case .integer(let number): .integer(number)
    case .real(let number), .date(let number): number.isNaN ? nil : .real(number)
    case .decimal(let digits): DecimalText.stored(digits).flatMap { number($0.value) }
    case .string, .uri, .boolean, .uuid, .binary, nil: nil
    }
  }
}

extension AttributeType {
  /// Whether all values are stored in one form, which is known.
  fileprivate var isOfStoredForm: Bool {
    switch self {
    case .undefined, .objectID, .composite: false
    default: true
    }
  }

  /// Whether values can be compared with a minimum and a maximum of their own kind.
  fileprivate var isOrdered: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: true
    case .string, .boolean, .uri, .uuid, .binary, .transformable, .undefined, .objectID,
      .composite:
      false
    }
  }
}
