import PropertyLists

/// A key that values share if and only if they are equal.
enum ValueKey: Hashable {
  case nothing
  case integer(Int64)
  /// A number that is no 64-bit integer.
  case real(Double)
  /// A number that no double can represent.
  case decimal(DecimalNumber)
  /// Text, by its bytes: Swift itself compares text by how it looks.
  case text([UInt8])
  case uri([UInt8])
  case date(Double)
  case binary([UInt8])
  case uuid([UInt8])
  case object(ObjectIdentity)
  case list([ValueKey])
  case set(Set<ValueKey>)

  init(_ value: ExpressionValue) {
    switch value {
    case .nothing: self = .nothing
    case .object(let object): self = .object(object.identity)
    case .list(let members): self = .list(members.map(ValueKey.init))
    case .set(let members): self = .set(Set(members.map(ValueKey.init)))
    case .scalar(let scalar):
      switch scalar {
      case .string(let text): self = .text(Array(text.utf8))
      case .uri(let text): self = .uri(Array(text.utf8))
      // Zero has no sign.
      case .date(let seconds): self = .date(seconds == 0 ? 0 : seconds)
      case .binary(let bytes): self = .binary(bytes)
      case .uuid(let bytes): self = .uuid(bytes)
      case .integer, .real, .decimal, .boolean:
        switch Number(scalar) {
        case .integer(let number): self = .integer(number)
        case .real(let number): self = Int64(exactly: number).map { .integer($0) } ?? .real(number)
        case .decimal(let number): self.init(number)
        case nil: self = .nothing
        }
      }
    }
  }

  private init(_ number: DecimalNumber) {
    if let whole = number.whole {
      self = .integer(whole)
    } else {
      let real = number.double
      self = DecimalNumber(real) == number ? .real(real) : .decimal(number)
    }
  }

  /// Returns the values without those that equal an earlier one.
  static func distinct(_ values: [ExpressionValue]) -> [ExpressionValue] {
    var seen: Set<ValueKey> = []
    return values.filter { seen.insert(ValueKey($0)).inserted }
  }
}

/// The order of two values.
enum ValueOrder {
  case ascending, same, descending

  init<Value: Comparable>(_ left: Value, _ right: Value) {
    self = left < right ? .ascending : left == right ? .same : .descending
  }

  var reversed: ValueOrder {
    switch self {
    case .ascending: .descending
    case .same: .same
    case .descending: .ascending
    }
  }

  /// Returns the order of two values; nil where one is nil.
  ///
  /// - Throws: ``EvaluationError`` where the kinds have no order among them.
  static func of(_ left: ExpressionValue, _ right: ExpressionValue) throws -> ValueOrder? {
    switch (left, right) {
    case (.nothing, _), (_, .nothing): return nil
    case (.scalar(.string(let left)), .scalar(.string(let right))),
      (.scalar(.uri(let left)), .scalar(.uri(let right))):
      return left.utf8.lexicographicallyPrecedes(right.utf8)
        ? .ascending : left.utf8.elementsEqual(right.utf8) ? .same : .descending
    case (.scalar(.date(let left)), .scalar(.date(let right))): return ValueOrder(left, right)
    // Byte by byte, as NSUUID and SQLite compare.
    case (.scalar(.uuid(let left)), .scalar(.uuid(let right))):
      return left.lexicographicallyPrecedes(right)
        ? .ascending : left == right ? .same : .descending
    case (.scalar(let one), .scalar(let other)):
      if let one = Number(one), let other = Number(other) { return Number.order(one, other) }
    default: break
    }
    throw EvaluationError(
      .wrongKind,
      "\(left.kind) and \(right.kind) have no order.",
      recovery: "Compare values of one kind."
    )
  }
}
