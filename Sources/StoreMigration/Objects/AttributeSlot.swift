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
    switch (type, stored) {
    case (_, .null): return .nothing
    case (.integer16, .integer(let value)), (.integer32, .integer(let value)),
      (.integer64, .integer(let value)):
      return .scalar(.integer(value))
    case (.integer16, .real(let value)), (.integer32, .real(let value)),
      (.integer64, .real(let value)):
      guard let integer = Int64(exactly: value) else { throw unreadable }
      return .scalar(.integer(integer))
    case (.boolean, .integer(let value)): return .scalar(.boolean(value != 0))
    case (.double, .real(let value)): return .scalar(.real(value))
    case (.double, .integer(let value)): return .scalar(.real(Double(value)))
    case (.float, .real(let value)): return .scalar(.real(Double(Float(value))))
    case (.float, .integer(let value)): return .scalar(.real(Double(Float(value))))
    case (.date, .real(let value)): return .scalar(.date(value))
    case (.date, .integer(let value)): return .scalar(.date(Double(value)))
    case (.decimal, .integer(let value)): return .scalar(.decimal(String(value)))
    case (.decimal, .real(let value)): return .scalar(.decimal(DecimalText.plain(value)))
    case (_, .malformedText): throw Self.malformedText(at: place)
    case (.decimal, .text(let text)): return .scalar(.decimal(text))
    case (.string, .text(let text)): return .scalar(.string(text))
    case (.uri, .text(let text)): return .scalar(.uri(text))
    case (.uuid, .blob(let bytes)) where bytes.count == 16: return .scalar(.uuid(bytes))
    case (.binary, .blob(let bytes)), (.transformable, .blob(let bytes)):
      guard isTagged else { return .scalar(.binary(bytes)) }
      return .scalar(.binary(try ExternalData.untagged(bytes, folder: folder)))
    default: throw unreadable
    }
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
    guard type.isNumeric, type != .float else { return stored }
    guard let kept = try? self.value(stored, folder: "") else { return nil }
    return ExpressionPrimitives.areEqual(kept, value) ? stored : nil
  }

  private func scalar(of value: ExpressionValue) -> AttributeValue? {
    if case .scalar(let scalar) = value { scalar } else { nil }
  }

  private func column(_ value: AttributeValue) -> SQLiteValue? {
    switch type {
    case _ where type.isNumeric: StoredNumber.stored(value, as: type)
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
    default: nil
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
