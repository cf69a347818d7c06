package import ObjectModel
import StoreAccess

/// The column of one attribute of an entity's objects, with the form of its values.
package final class AttributeSlot {
  /// The slot in the row.
  let slot: Int
  /// The attribute.
  package let attribute: AttributeDescription
  /// The entity whose objects are meant.
  let entityName: String
  /// The type of the attribute.
  package let type: AttributeType
  /// Whether the column's first byte is a tag that marks inline bytes or an external file.
  let isTagged: Bool

  init(slot: Int, attribute: AttributeDescription, entityName: String) {
    self.slot = slot
    self.attribute = attribute
    self.entityName = entityName
    type = attribute.attributeType
    isTagged =
      attribute.allowsExternalBinaryDataStorage && (type == .binary || type == .transformable)
  }

  /// The entity and the attribute, for messages.
  var place: String { "\(entityName).\(attribute.name)" }
}

extension AttributeSlot {
  /// Returns the value of a column's stored value.
  ///
  /// - Parameter folder: The folder of external files.
  /// - Throws: ``MigrationError`` where the stored value is none of the attribute's type, or an
  ///   external file is missing.
  func value(_ stored: SQLiteValue, folder: String) throws -> ExpressionValue {
    switch stored {
    case .null: return .nothing
    case .malformedText: throw Self.malformedText(at: place)
    case .integer, .real, .text, .blob:
      guard let scalar = try scalar(stored, folder: folder) else { throw unreadable }
      return .scalar(scalar)
    }
  }

  /// Returns the value of a stored value that is one; nil where it is none of the attribute's type.
  private func scalar(_ stored: SQLiteValue, folder: String) throws -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64:
      switch stored {
      case .integer(let value): return .integer(value)
      case .real(let value): return Int64(exactly: value).map { .integer($0) }
      case .null, .text, .malformedText, .blob: return nil
      }
    case .boolean: if case .integer(let value) = stored { return .boolean(value != 0) }
    case .double: return stored.real.map { .real($0) }
    case .float: return stored.real.map { .real(Double(Float($0))) }
    case .date: return stored.real.map { .date($0) }
    case .decimal:
      switch stored {
      case .integer(let value): return .decimal(String(value))
      case .real(let value): return .decimal(DecimalText.plain(value))
      case .text(let text): return .decimal(text)
      case .null, .malformedText, .blob: return nil
      }
    case .string: if case .text(let text) = stored { return .string(text) }
    case .uri: if case .text(let text) = stored { return .uri(text) }
    case .uuid: if case .blob(let bytes) = stored, bytes.count == 16 { return .uuid(bytes) }
    case .binary, .transformable:
      if case .blob(let bytes) = stored {
        return .binary(isTagged ? try ExternalData.untagged(bytes, folder: folder) : bytes)
      }
    case .undefined, .objectID, .composite: break
    }
    return nil
  }

  /// Returns the error for text that code or an expression should read, and that is not UTF-8.
  static func malformedText(at place: String) -> MigrationError {
    MigrationError(
      .failed,
      "A text that \(place) reads is not UTF-8.",
      recovery: "Correct the text with the app, or leave such rows out by the mapping's predicate."
    )
  }

  private var unreadable: MigrationError {
    MigrationError(
      .failed,
      "A row has a value of \(place) that is not of type \(type).",
      recovery: "Look at the column, or leave such rows out by the mapping's predicate."
    )
  }
}

extension AttributeSlot {
  /// Returns the stored form of a value.
  ///
  /// Numbers become numbers of the attribute's type where nothing is lost by it.
  ///
  /// - Throws: ``MigrationError`` where the attribute cannot have the value; it names the two types
  ///   and never the value.
  func stored(_ value: ExpressionValue) throws -> SQLiteValue {
    guard let scalar = scalar(of: value) else {
      if case .nothing = value { return .null }
      throw refusal(of: value)
    }
    guard let stored = column(scalar) else { throw refusal(of: value) }
    return stored
  }

  /// Returns the stored form of exactly a value; nil where the attribute cannot have it.
  ///
  /// A column keeps decimal numbers as the nearest doubles, which do not match the exact value.
  /// Floats are compared as the column has them.
  func key(_ value: ExpressionValue) -> SQLiteValue? {
    guard let stored = try? stored(value) else { return nil }
    guard type.isStoredAsNumber, type != .float else { return stored }
    guard let kept = try? self.value(stored, folder: "") else { return nil }
    return ExpressionPrimitives.areEqual(kept, value) ? stored : nil
  }

  private func scalar(of value: ExpressionValue) -> AttributeValue? {
    if case .scalar(let scalar) = value { scalar } else { nil }
  }

  private func column(_ value: AttributeValue) -> SQLiteValue? {
    switch type {
    case .integer16, .integer32, .integer64, .boolean, .decimal, .double, .float:
      StoredNumber.stored(value, as: type)
    case .date: if case .date(let seconds) = value { .real(seconds) } else { nil }
    case .string: if case .string(let text) = value { .text(text) } else { nil }
    case .uri:
      switch value {
      case .uri(let text), .string(let text): .text(text)
      default: nil
      }
    case .uuid:
      switch value {
      case .uuid(let bytes), .binary(let bytes): bytes.count == 16 ? .blob(bytes) : nil
      default: nil
      }
    case .binary, .transformable:
      if case .binary(let bytes) = value { .blob(isTagged ? [1] + bytes : bytes) } else { nil }
    case .undefined, .objectID, .composite: nil
    }
  }

  private func refusal(of value: ExpressionValue) -> MigrationError {
    MigrationError(
      .failed,
      "\(place) is of type \(type) and cannot be set to \(value.kind).",
      recovery: "Give a value of the attribute's type, or nil where it is optional."
    )
  }
}

extension ExpressionValue {
  /// The kind of the value, for messages, which never quote values.
  var kind: String {
    switch self {
    case .nothing: "nothing"
    case .scalar(.integer): "this integer"
    case .scalar(.real): "this real number"
    case .scalar(.decimal): "this decimal number"
    case .scalar(.string): "text"
    case .scalar(.boolean): "true or false"
    case .scalar(.date): "a date"
    case .scalar(.binary): "bytes"
    case .scalar(.uuid): "a UUID"
    case .scalar(.uri): "a URI"
    case .object: "an object"
    case .list, .set: "a collection"
    }
  }
}

extension SQLiteValue {
  /// The number as a double; nil for all else.
  fileprivate var real: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    case .null, .text, .malformedText, .blob: nil
    }
  }
}
