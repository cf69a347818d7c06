import ObjectModel
package import StoreAccess

extension ValueConversion {
  /// Returns the value of the converted column, as the SQL of the conversion gives it.
  ///
  /// - Parameter folder: The folder of external files.
  /// - Throws: ``MigrationError`` where a number is to be converted that is none, or an external
  ///   file is missing.
  package func value(_ stored: SQLiteValue, folder: String) throws -> SQLiteValue {
    var value = stored
    for step in steps {
      switch (step, value) {
      case (.fill(let fill), .null): value = Self.stored(fill)
      case (_, .null), (.fill, _): break
      case (.untag, .blob(let bytes)):
        value = .blob(try ExternalData.untagged(bytes, folder: folder))
      case (.tag, .blob(let bytes)): value = .blob([1] + bytes)
      case (.number(let type), .integer), (.number(let type), .real):
        value = Self.number(value, as: type)
      default:
        throw MigrationError(
          .failed,
          "A row has a value that is not of its attribute's type, and cannot be converted.",
          recovery: "Look at the column, or leave such rows out by the mapping's predicate."
        )
      }
    }
    return value
  }

  /// Returns a number as one of another type: see ``sql(_:)``.
  private static func number(_ value: SQLiteValue, as type: AttributeType) -> SQLiteValue {
    let (whole, real): (Int64, Double)
    switch value {
    case .integer(let integer): (whole, real) = (integer, Double(integer))
    case .real(let number):
      real = number
      whole =
        Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
    default: return value
    }
    func bounded<Bound: FixedWidthInteger>(_: Bound.Type) -> SQLiteValue {
      .integer(Int64(Bound(clamping: whole)))
    }
    return switch type {
    case .boolean: .integer(real == 0 ? 0 : 1)
    case .integer16: bounded(Int16.self)
    case .integer32: bounded(Int32.self)
    case .integer64: .integer(whole)
    case .float, .double: .real(real)
    case .undefined, .decimal, .string, .date, .binary, .uuid, .uri, .transformable, .objectID,
      .composite:
      value
    }
  }

  /// Returns a model's value as an attribute's column keeps it.
  private static func stored(_ value: AttributeValue) -> SQLiteValue {
    switch value {
    case .integer(let integer): .integer(integer)
    case .real(let real), .date(let real): .real(real)
    case .decimal(let digits): DecimalText.stored(digits).map { stored($0.value) } ?? .text(digits)
    case .string(let text), .uri(let text): .text(text)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .binary(let bytes), .uuid(let bytes): .blob(bytes)
    }
  }
}
