import ObjectModel
import StoreAccess

/// The functions that `NSExpression` itself has, in SQL.
enum SQLCalls {
  /// Returns the call of a function, or nil where SQL cannot express it.
  static func term(_ selector: String, _ arguments: [SQLTerm]) -> SQLTerm? {
    switch (selector, arguments.count) {
    case ("modulus:by:", 2), ("raise:toPower:", 2):
      let areWhole = arguments.allSatisfy(\.isWhole)
      let isPower = selector == "raise:toPower:"
      var term = numeric(selector, arguments, areWhole && !isPower ? .integer : .real)
      // A great power of a whole number is a decimal number.
      if isPower, areWhole { term?.mayBeDigits = true }
      return term
    case ("bitwiseAnd:with:", 2), ("bitwiseOr:with:", 2), ("bitwiseXor:with:", 2),
      ("leftshift:by:", 2), ("rightshift:by:", 2), ("onesComplement:", 1):
      // A whole number that overflowed is refused.
      guard arguments.allSatisfy({ $0.isWhole || $0.kind == .nothing }),
        var term = numeric(selector, arguments, .integer)
      else { return nil }
      if term.kind != .nothing { term.canFail = true }
      term.mayBeDigits = false
      return term
    case ("abs:", 1):
      var term = numeric(selector, arguments, arguments[0].isWhole ? .integer : .real)
      // The least whole number has no counterpart.
      if arguments[0].isWhole { term?.mayBeDigits = true }
      return term
    case ("ceiling:", 1), ("floor:", 1), ("trunc:", 1):
      return numeric(selector, arguments, arguments[0].isWhole ? .integer : .real)
    case ("sqrt:", 1), ("exp:", 1), ("log:", 1), ("ln:", 1):
      var term = numeric(selector, arguments, .real)
      if term?.kind == .decimal { term?.kind = .real }
      term?.mayBeDigits = false
      return term
    case ("uppercase:", 1), ("lowercase:", 1), ("canonical:", 1):
      return text(selector, arguments, .string)
    case ("length:", 1): return text(selector, arguments, .integer)
    case ("noindex:", 1): return arguments[0]
    default: return nil
    }
  }

  /// The four operations that SQLite computes itself, for whole numbers and doubles.
  static let signs = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
  ]

  /// Returns one of the four operations.
  ///
  /// SQLite computes with whole numbers and doubles, functions with decimals and where whole numbers
  /// overflow.
  static func arithmetic(_ selector: String, _ sign: String, _ arguments: [SQLTerm]) -> SQLTerm? {
    guard arguments.count == 2, arguments.allSatisfy({ $0.isNumeric || $0.kind == .nothing }) else {
      return nil
    }
    if arguments.contains(where: { $0.kind == .nothing }) { return .null }
    if arguments.contains(where: { $0.kind == .decimal || $0.mayBeDigits }) {
      return numeric(selector, arguments.map(\.settled), .real)
    }
    var term = SQLTerm(
      sql: "(\(arguments[0].sql) \(sign) \(arguments[1].sql))",
      kind: arguments.allSatisfy(\.isWhole) ? .integer : .real,
      canFail: arguments.contains(where: \.canFail)
    )
    let conditions =
      term.kind == .integer
      ? ["typeof(\(term.sql)) = 'real'"] : arguments.compactMap(\.overflow?.condition)
    guard !conditions.isEmpty else { return term }
    let exact = arguments.map {
      SQLTerm(sql: $0.exactSQL, kind: $0.kind, mayBeDigits: $0.overflow != nil)
    }
    guard let call = numeric(selector, exact, .real) else { return nil }
    term.overflow = .init(condition: conditions.joined(separator: " OR "), sql: call.sql)
    return term
  }

  /// Returns the call of a function of numbers, which gives a decimal number where it is given one.
  private static func numeric(
    _ selector: String,
    _ arguments: [SQLTerm],
    _ kind: SQLTerm.Kind
  ) -> SQLTerm? {
    guard arguments.allSatisfy({ $0.isNumeric || $0.kind == .nothing }) else { return nil }
    if arguments.contains(where: { $0.kind == .nothing }) { return .null }
    let isDecimal = arguments.contains { $0.kind == .decimal }
    let isPower = selector == "raise:toPower:"
    // A power of a decimal number may be a double.
    let result = isDecimal && !isPower ? .decimal : kind
    var term = call(ExpressionFunctions.call, selector, arguments, result)
    term?.mayBeDigits = isDecimal || arguments.contains(where: \.mayBeDigits)
    return term
  }

  private static func text(
    _ selector: String,
    _ arguments: [SQLTerm],
    _ kind: SQLTerm.Kind
  ) -> SQLTerm? {
    switch arguments[0].kind {
    case .nothing: .null
    case .string: call(ExpressionFunctions.call, selector, arguments, kind)
    default: nil
    }
  }

  /// Returns the call of one of the registered functions.
  static func call(
    _ function: String,
    _ selector: String,
    _ arguments: [SQLTerm],
    _ kind: SQLTerm.Kind,
    canFail: Bool = false
  ) -> SQLTerm? {
    let tags = arguments.compactMap(\.tag)
    guard tags.count == arguments.count else { return nil }
    let values = arguments.map { ", \($0.sql)" }.joined()
    return SQLTerm(
      sql: "\(function)(\(SQL.literal(selector)), \(SQL.literal(String(tags)))\(values))",
      kind: kind,
      canFail: canFail || arguments.contains(where: \.canFail)
    )
  }

  /// Returns the SQL of `CAST(value, "type")`, for the kinds that can always be converted.
  static func cast(_ value: SQLTerm, to type: String) -> SQLTerm? {
    var result = value
    switch (type, value.kind) {
    case (_, .nothing):
      let known = [
        "NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSData", "NSUUID", "NSURL",
      ]
      return known.contains(type) ? value : nil
    case ("NSString", .string), ("NSNumber", .integer), ("NSNumber", .real),
      ("NSNumber", .decimal), ("NSNumber", .boolean), ("NSDecimalNumber", .decimal),
      ("NSDate", .date), ("NSData", .binary), ("NSUUID", .uuid), ("NSURL", .uri):
      return value
    case ("NSString", .uri): result.kind = .string
    case ("NSURL", .string): result.kind = .uri
    case ("NSNumber", .date): result.kind = .real
    case ("NSDate", .integer), ("NSDate", .real), ("NSDate", .boolean), ("NSDate", .decimal):
      result.sql = "CAST(\(value.storedSQL) AS REAL)"
      result.kind = .date
      result.mayBeDigits = false
    case ("NSString", .integer), ("NSString", .real), ("NSString", .boolean),
      ("NSString", .decimal):
      return converted(value, type, .string)
    case ("NSNumber", .string): return converted(value, type, .real, mayBeDigits: true)
    case ("NSDecimalNumber", .real), ("NSDecimalNumber", .integer), ("NSDecimalNumber", .boolean),
      ("NSDecimalNumber", .string):
      return converted(value, type, .decimal, mayBeDigits: true)
    default: return nil
    }
    return result
  }

  private static func converted(
    _ value: SQLTerm,
    _ type: String,
    _ kind: SQLTerm.Kind,
    mayBeDigits: Bool = false
  ) -> SQLTerm? {
    let name = SQLTerm(sql: SQL.literal(type), kind: .string)
    var term = call(ExpressionFunctions.call, "castObject:toType:", [value, name], kind)
    term?.mayBeDigits = mayBeDigits
    return term
  }
}

/// The methods of values, in SQL.
enum SQLMethods {
  /// Returns a method of the first term, or nil where SQL cannot express it.
  static func term(_ selector: String, _ terms: [SQLTerm]) -> SQLTerm? {
    guard let target = terms.first else { return nil }
    // Nothing has every method, and gives nothing.
    if target.kind == .nothing { return target }
    guard let known = methods[selector] else { return nil }
    for method in known where method.target.contains(target.kind) {
      let arguments = terms.dropFirst()
      guard arguments.count == method.arguments.count,
        zip(arguments, method.arguments).allSatisfy({ $1.contains($0.kind) || $0.kind == .nothing })
      else { continue }
      return SQLCalls.call(
        ExpressionFunctions.method,
        selector,
        terms,
        method.result,
        canFail: method.canFail
      )
    }
    return nil
  }

  private struct Method {
    var target: Set<SQLTerm.Kind>
    var arguments: [Set<SQLTerm.Kind>] = []
    var result: SQLTerm.Kind
    var canFail = false
  }

  private static let text: Set<SQLTerm.Kind> = [.string]
  private static let numbers: Set<SQLTerm.Kind> = [.integer, .real, .boolean, .decimal]
  private static let dates: Set<SQLTerm.Kind> = [.date]

  private static let methods: [String: [Method]] = {
    var methods: [String: [Method]] = [:]
    func add(_ names: [String], _ method: Method) {
      for name in names { methods[name, default: []].append(method) }
    }
    add(
      ["uppercaseString", "lowercaseString", "capitalizedString", "stringByTrimmingWhitespace"],
      Method(target: text, result: .string)
    )
    add(["stringValue", "description"], Method(target: text.union(numbers), result: .string))
    add(["length"], Method(target: [.string, .binary], result: .integer))
    add(["integerValue", "longLongValue", "intValue"], Method(target: text, result: .integer))
    add(
      ["integerValue", "longLongValue", "intValue", "longValue"],
      Method(target: numbers, result: .integer)
    )
    add(["doubleValue", "floatValue"], Method(target: text, result: .real))
    add(["doubleValue", "floatValue"], Method(target: numbers, result: .real))
    add(["boolValue"], Method(target: text, result: .boolean))
    add(["boolValue"], Method(target: numbers, result: .boolean))
    add(["stringByAppendingString:"], Method(target: text, arguments: [text], result: .string))
    add(
      ["stringByReplacingOccurrencesOfString:withString:"],
      Method(target: text, arguments: [text, text], result: .string, canFail: true)
    )
    add(
      ["hasPrefix:", "hasSuffix:", "containsString:", "isEqualToString:"],
      Method(target: text, arguments: [text], result: .boolean)
    )
    add(
      ["substringToIndex:", "substringFromIndex:"],
      Method(target: text, arguments: [[.integer]], result: .string, canFail: true)
    )
    add(["compare:"], Method(target: text, arguments: [text], result: .integer))
    add(["compare:"], Method(target: numbers, arguments: [numbers], result: .integer))
    add(["isEqualToNumber:"], Method(target: numbers, arguments: [numbers], result: .boolean))
    add(
      ["timeIntervalSinceReferenceDate", "timeIntervalSince1970"],
      Method(target: dates, result: .real)
    )
    add(["dateByAddingTimeInterval:"], Method(target: dates, arguments: [numbers], result: .date))
    add(["timeIntervalSinceDate:"], Method(target: dates, arguments: [dates], result: .real))
    add(["earlierDate:", "laterDate:"], Method(target: dates, arguments: [dates], result: .date))
    add(["isEqualToDate:"], Method(target: dates, arguments: [dates], result: .boolean))
    add(["absoluteString"], Method(target: [.uri], result: .string))
    add(["UUIDString"], Method(target: [.uuid], result: .string))
    return methods
  }()
}
