internal import ObjectModel

extension AttributeShape {
  /// Returns the default that a literal, or a constant of a framework, gives an attribute of the type.
  ///
  /// - Parameters:
  ///   - scope: The names of the types around the property, the outermost first.
  ///   - file: The file that declares the property.
  func defaultValue(
    _ value: SourceExpression?,
    in scope: [String],
    file: String
  ) -> AttributeValue? {
    guard let value = value.flatMap({ rawValue($0, in: scope, file: file) ?? $0 }) else {
      return nil
    }
    return switch (type, value) {
    case (.string, .string(let text)): .string(text)
    case (.string, .sum(let terms)): Self.text(terms).map { .string($0) }
    case (.boolean, .boolean(let flag)): .boolean(flag)
    case (.integer16, _) where value.isNamed("zero", ofAny: Self.numbers),
      (.integer32, _) where value.isNamed("zero", ofAny: Self.numbers),
      (.integer64, _) where value.isNamed("zero", ofAny: Self.numbers):
      .integer(0)
    case (.double, _) where value.isNamed("zero", ofAny: Self.numbers),
      (.float, _) where value.isNamed("zero", ofAny: Self.numbers):
      .real(0)
    case (.decimal, _) where value.isNamed("zero", ofAny: Self.numbers): .decimal("0")
    case (.integer64, .reference(["Int", "max"])), (.integer64, .reference(["Int64", "max"])):
      .integer(.max)
    case (.integer64, .reference(["Int", "min"])), (.integer64, .reference(["Int64", "min"])):
      .integer(.min)
    case (.double, _) where value.isNamed("pi", ofAny: ["Double"]): .real(.pi)
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      .integer(number)
    case (.double, .integer(let number)), (.float, .integer(let number)): .real(Double(number))
    case (.double, .real(let number)), (.float, .real(let number)): .real(number)
    // A fraction goes through a double, whose digits are not those of the source.
    case (.decimal, .integer(let number)): .decimal("\(number)")
    case (.string, .call(let callee, let arguments))
    where arguments.isEmpty && callee.makes("String"):
      .string("")
    case (.binary, .call(let callee, let arguments))
    where arguments.isEmpty && callee.makes("Data"):
      .binary([])
    case (.date, _): value.secondsOfDate.map { .date($0) }
    case (.transformable, _) where value.isEmptyCollection: empty?.value
    default: nil
    }
  }

  /// The types of numbers that have a `zero`.
  private static let numbers = ["Int", "Int16", "Int32", "Int64", "Double", "Float", "Decimal"]

  /// Returns the text that literals make together; nil where one of them is none.
  private static func text(_ terms: [SourceExpression]) -> String? {
    let texts = terms.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == terms.count ? texts.joined() : nil
  }

  /// Returns the raw value that an expression reads from a case by name, `Kind.other.rawValue`; nil where it
  /// reads none, or the value is not known, as where code of the enumeration computes it.
  private func rawValue(
    _ value: SourceExpression,
    in scope: [String],
    file: String
  ) -> SourceExpression? {
    guard case .reference(let path) = value, path.count > 2, path.last == "rawValue",
      case .type(let type) = module.meaning(of: Array(path.dropLast(2)), in: scope, file: file),
      type.kind == .enumeration, case .known(_, let name)? = inheritedRawType(of: type),
      let values = type.rawValues(areText: name == "String")
    else { return nil }
    return zip(type.cases, values).first { $0.0.name == path[path.count - 2] }?.1
  }
}

extension SourceExpression {
  /// Returns whether the expression is a member of a type by name, with the type before it or not.
  fileprivate func isNamed(_ name: String, ofAny types: [String]) -> Bool {
    switch self {
    case .member(let path): path == [name]
    case .reference(let path): path.count == 2 && path[1] == name && types.contains(path[0])
    default: false
    }
  }

  /// Whether the expression is a collection without elements: `[]`, `[:]`, `[String]()`, `.init()`.
  fileprivate var isEmptyCollection: Bool {
    switch self {
    case .array(let elements): elements.isEmpty
    case .other(let text): text == "[:]"
    case .call(let callee, let arguments) where arguments.isEmpty:
      if case .type = callee { true } else { callee.makes("Array") || callee.makes("Dictionary") }
    default: false
    }
  }

  /// Returns whether a call of the expression makes a value of a type of Foundation or Swift.
  fileprivate func makes(_ name: String) -> Bool {
    switch self {
    case .reference(let path):
      path == [name] || path == [name, "init"] || path == ["Foundation", name]
    case .member(let path): path == ["init"]
    default: false
    }
  }

  /// The seconds from the beginning of 2001 to a date that does not depend on the time of the call; nil for any other.
  fileprivate var secondsOfDate: Double? {
    switch self {
    case .member(["distantPast"]), .reference(["Date", "distantPast"]): -63_114_076_800
    case .member(["distantFuture"]), .reference(["Date", "distantFuture"]): 63_113_904_000
    case .call(let callee, let arguments)
    where arguments.count == 1 && callee.makes("Date"):
      switch (arguments[0].label, arguments[0].value.number) {
      case ("timeIntervalSinceReferenceDate", let seconds?): seconds
      case ("timeIntervalSince1970", let seconds?): seconds - 978_307_200
      default: nil
      }
    default: nil
    }
  }

  /// The number that the expression is; nil for any other.
  private var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    default: nil
    }
  }
}
