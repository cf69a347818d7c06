import ObjectModel
import StoreAccess

/// Where the objects of one entity keep one attribute, and how a column spells its values.
final class AttributeSlot {
  /// The slot in the row.
  let slot: Int
  /// The attribute.
  let attribute: AttributeDescription
  /// The entity whose objects are meant.
  let entityName: String
  private let type: AttributeType
  /// Whether the column's first byte is a tag that says where the bytes are.
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
  /// The value that a column's stands for.
  ///
  /// - Parameter folder: The folder of external files.
  /// - Throws: ``MigrationError`` where the column holds what the attribute's type never is, or an
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

  /// What is said of text that code or an expression should read, and that is no UTF-8.
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
  /// What a column holds for a value.
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

  private func scalar(of value: ExpressionValue) -> AttributeValue? {
    if case .scalar(let scalar) = value { scalar } else { nil }
  }

  private func column(_ value: AttributeValue) -> SQLiteValue? {
    switch type {
    case .integer16: integer(value).flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer32: integer(value).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer64: integer(value).map { .integer($0) }
    case .boolean: integer(value).flatMap { $0 == 0 || $0 == 1 ? .integer($0) : nil }
    case .double: real(value).map { .real($0) }
    case .float:
      real(value).flatMap { number in
        number.isFinite && !Float(number).isFinite ? nil : .real(number)
      }
    case .decimal: real(value).map { .real($0) }
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

  private func integer(_ value: AttributeValue) -> Int64? {
    switch value {
    case .integer(let integer): integer
    case .boolean(let flag): flag ? 1 : 0
    case .real(let real): Int64(exactly: real)
    case .decimal(let digits): Int64(digits) ?? Double(digits).flatMap { Int64(exactly: $0) }
    default: nil
    }
  }

  private func real(_ value: AttributeValue) -> Double? {
    switch value {
    case .integer(let integer): Double(exactly: integer)
    case .boolean(let flag): flag ? 1 : 0
    case .real(let real): real.isNaN ? nil : real
    case .decimal(let digits): Double(digits)
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
  /// What kind of value it is, for messages, which never quote values.
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
