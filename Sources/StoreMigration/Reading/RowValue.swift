import ObjectModel
import StoreAccess

/// A value of the row at hand that is of its attribute's type, where SQLite holds it.
///
/// Text and bytes are gone with the row. Text may be no UTF-8, which a caller finds out as it reads it.
package enum RowValue {
  case nothing
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case decimal(Double)
  case wholeDecimal(Int64)
  case date(Double)
  case string(UnsafeRawBufferPointer)
  case uri(UnsafeRawBufferPointer)
  case uuid(UnsafeRawBufferPointer)
  case binary(UnsafeRawBufferPointer)
  case object(Int64)
  case objects([Int64])

  /// Reads the value of an attribute; nil for one that is looked at more closely: nearly none are.
  init?(_ statement: borrowing SQLiteStatement, _ column: Int, _ slot: AttributeSlot) {
    switch (slot.type, statement.storageClass(column)) {
    case (_, .null): self = .nothing
    case (.string, .text): self = .string(statement.heldText(column))
    case (.uri, .text): self = .uri(statement.heldText(column))
    case (.integer64, .integer): self = .integer(statement.int64(column))
    case (.integer32, .integer):
      let number = statement.int64(column)
      guard Int32(exactly: number) != nil else { return nil }
      self = .integer(number)
    case (.integer16, .integer):
      let number = statement.int64(column)
      guard Int16(exactly: number) != nil else { return nil }
      self = .integer(number)
    case (.boolean, .integer):
      let number = statement.int64(column)
      guard number == 0 || number == 1 else { return nil }
      self = .boolean(number == 1)
    case (.double, .real): self = .real(statement.double(column))
    case (.date, .real):
      let seconds = statement.double(column)
      guard CivilTime.hasText(secondsSince2001: seconds) else { return nil }
      self = .date(seconds)
    case (.decimal, .integer): self = .wholeDecimal(statement.int64(column))
    case (.decimal, .real):
      let number = statement.double(column)
      guard number.isFinite else { return nil }
      self = .decimal(number)
    case (.uuid, .blob):
      let bytes = statement.heldBytes(column)
      guard bytes.count == 16 else { return nil }
      self = .uuid(bytes)
    case (.binary, .blob):
      guard !slot.isTagged else { return nil }
      self = .binary(statement.heldBytes(column))
    default: return nil
    }
  }
}

extension RecordValue {
  /// Copies a value of the row at hand; nil for text that is no UTF-8.
  init?(_ value: RowValue) {
    switch value {
    case .nothing: self = .nothing
    case .boolean(let flag): self = .scalar(.boolean(flag))
    case .integer(let number): self = .scalar(.integer(number))
    case .real(let number): self = .scalar(.real(number))
    case .decimal(let number): self = .scalar(.decimal(DecimalText.plain(number)))
    case .wholeDecimal(let number): self = .scalar(.decimal(String(number)))
    case .date(let seconds): self = .scalar(.date(seconds))
    case .string(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = .scalar(.string(text))
    case .uri(let bytes):
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      self = .scalar(.uri(text))
    case .uuid(let bytes): self = .scalar(.uuid(Array(bytes)))
    case .binary(let bytes): self = .scalar(.binary(Array(bytes)))
    case .object(let key): self = .object(key)
    case .objects(let keys): self = .objects(keys)
    }
  }
}
