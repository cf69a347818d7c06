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
    // UTF-16 units are at most as many as bytes, and at least a third of them.
    let bytes = "LENGTH(CAST(\(value) AS BLOB))"
    let length = "\(ValidationFunctions.length)(\(value))"
    func add(_ bound: AttributeDescription.Bound, _ message: String, _ breach: String) {
      add(bound.code, "have \(message)", "\(value) IS NOT NULL AND \(breach)")
    }
    for bound in attribute.bounds {
      switch bound {
      case .shortest(let least) where least > 0:
        let least = min(least, Self.longestText)
        let isShort = "(\(bytes) < \(least * 3) AND \(length) < \(least))"
        add(bound, "text of less than \(least) UTF-16 units", isShort)
      case .shortest: break
      case .longest(let greatest):
        let greatest = min(greatest, Self.longestText)
        let isLong = "\(bytes) > \(greatest) AND \(length) > \(greatest)"
        add(bound, "text of more than \(greatest) UTF-16 units", isLong)
      case .pattern(let pattern):
        guard let number = patterns.add(pattern, of: "\(rows.entity).\(attribute.name)") else {
          uncheck("its regular expression is none that ICU can read")
          continue
        }
        let isOther = "NOT \(ValidationFunctions.matches)(\(number), \(value))"
        add(bound, "text that the regular expression does not match as a whole", isOther)
      case .least(let least):
        let isBelow = "\(value) < \(ValueConversion.literal(least, isExternal: false))"
        add(bound, "a value below the minimum", isBelow)
      case .greatest(let greatest):
        let limit = ValueConversion.literal(greatest, isExternal: false)
        add(bound, "a value above the maximum", ValueConversion.isAbove(limit, value))
      }
    }
    return rules
  }

  /// A number of bytes that no text of SQLite has.
  private static let longestText: Int64 = 1 << 31
}

extension AttributeType {
  /// Whether all values are stored in one form, which is known.
  fileprivate var isOfStoredForm: Bool {
    switch self {
    case .undefined, .objectID, .composite: false
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .string, .date,
      .binary, .uuid, .uri, .transformable:
      true
    }
  }
}
