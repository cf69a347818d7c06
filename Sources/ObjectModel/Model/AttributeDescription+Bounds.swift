extension AttributeDescription {
  /// A limit of validation on a value.
  package enum Bound: Hashable, Sendable {
    /// The number or date is not below the limit.
    case least(AttributeValue)
    /// The number or date is not above the limit.
    case greatest(AttributeValue)
    /// The text has at least this many UTF-16 units.
    case shortest(Int64)
    /// The text has at most this many UTF-16 units.
    case longest(Int64)
    /// The text matches a regular expression as a whole.
    case pattern(String)

    /// The rule that a value breaks.
    package var code: FindingCode {
      switch self {
      case .least: .valueTooSmall
      case .greatest: .valueTooGreat
      case .shortest: .textTooShort
      case .longest: .textTooLong
      case .pattern: .patternNotMatched
      }
    }
  }

  /// The limits of validation on the attribute's values.
  package var bounds: [Bound] {
    switch attributeType {
    case .string:
      [
        validation.minimum?.length.map { .shortest($0) },
        validation.maximum?.length.map { .longest($0) },
        validation.regularExpression.map { .pattern($0) },
      ].compactMap(\.self)
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      [
        validation.minimum?.ordered.map { .least($0) },
        validation.maximum?.ordered.map { .greatest($0) },
      ].compactMap(\.self)
    case .boolean, .uri, .uuid, .binary, .transformable, .undefined, .objectID, .composite: []
    }
  }
}

extension AttributeValue {
  /// The value, where numbers can be compared with it.
  fileprivate var ordered: AttributeValue? {
    switch self {
    case .integer: self
    case .real(let number), .date(let number): number.isNaN ? nil : self
    case .decimal(let digits): DecimalText.stored(digits)?.value
    case .string, .uri, .boolean, .uuid, .binary: nil
    }
  }

  /// The value as a number of UTF-16 units.
  fileprivate var length: Int64? {
    switch self {
    case .integer(let number): Swift.max(0, number)
    case .real(let number) where number.isFinite:
      Int64(Swift.min(Swift.max(number.rounded(.up), 0), 0x1p31))
    default: nil
    }
  }
}

extension AttributeDescription {
  /// Returns why the attribute cannot hold a value of a kind that it takes, in words that follow its name:
  /// its type has no such number, or validation accepts none; nil where it can.
  ///
  /// Regular expressions are not checked.
  package func complaint(about value: AttributeValue) -> String? {
    if let number = value.number {
      guard attributeType.holds(number) else {
        return "is \(attributeType), which cannot hold \(number)"
      }
      if let least = validation.minimum, value.order(to: least) == .ascending {
        return "is at least \(least.number?.description ?? "")"
      }
      if let greatest = validation.maximum, value.order(to: greatest) == .descending {
        return "is at most \(greatest.number?.description ?? "")"
      }
    } else if case .string(let text) = value {
      for bound in bounds {
        switch bound {
        case .shortest(let least) where text.utf16.count < least:
          return "has text of at least \(least) UTF-16 units"
        case .longest(let greatest) where text.utf16.count > greatest:
          return "has text of at most \(greatest) UTF-16 units"
        case .shortest, .longest, .least, .greatest, .pattern: break
        }
      }
    }
    return nil
  }
}

/// A number of a model or an expression.
private enum BoundNumber: CustomStringConvertible {
  case whole(Int64)
  case fraction(Double)

  var real: Double {
    switch self {
    case .whole(let number): Double(number)
    case .fraction(let number): number
    }
  }

  var whole: Int64? {
    switch self {
    case .whole(let number): number
    case .fraction(let number): Int64(exactly: number)
    }
  }

  var description: String {
    switch self {
    case .whole(let number): String(number)
    case .fraction(let number): "\(number)"
    }
  }
}

extension AttributeValue {
  /// Returns the order of two numbers, or of two dates; nil for what is none.
  fileprivate func order(to other: AttributeValue) -> ValueOrder? {
    if case (.date(let one), .date(let other)) = (self, other) { return ValueOrder(one, other) }
    guard let one = Number(self), let other = Number(other) else { return nil }
    return Number.order(one, other)
  }

  /// The value as a number; nil for what is none.
  fileprivate var number: BoundNumber? {
    switch self {
    case .integer(let number): .whole(number)
    case .boolean(let flag): .whole(flag ? 1 : 0)
    case .real(let number), .date(let number): .fraction(number)
    case .decimal(let digits):
      switch DecimalText.stored(digits)?.value {
      case .integer(let number)?: .whole(number)
      case .real(let number)?: .fraction(number)
      default: nil
      }
    case .string, .binary, .uuid, .uri: nil
    }
  }
}

extension AttributeType {
  /// Returns whether a number is one of the type; what is no type of numbers is not asked.
  fileprivate func holds(_ number: BoundNumber) -> Bool {
    switch self {
    case .integer16: number.whole.flatMap { Int16(exactly: $0) } != nil
    case .integer32: number.whole.flatMap { Int32(exactly: $0) } != nil
    case .integer64: number.whole != nil
    case .boolean: number.whole.map { $0 == 0 || $0 == 1 } == true
    case .float: Float(number.real).isFinite && holdsAsDouble(number)
    case .double: holdsAsDouble(number)
    case .decimal: number.whole != nil || holdsAsDouble(number)
    case .string, .date, .binary, .transformable, .uuid, .uri, .undefined, .objectID, .composite:
      true
    }
  }

  /// Returns whether a double holds a number; stores keep floats as doubles too.
  private func holdsAsDouble(_ number: BoundNumber) -> Bool {
    switch number {
    case .whole(let number): Double(exactly: number) != nil
    case .fraction(let number): number.isFinite
    }
  }
}
