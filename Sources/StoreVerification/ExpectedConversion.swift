import MigrationPlanning
import ObjectModel
import StoreAccess

/// The change of an attribute's stored value between two versions, as SQL that gives the expected one.
///
/// It is deduced here from the mapping's origin and both attributes, and shares neither that deduction
/// nor SQL with the compilers of the run: an error of theirs is not repeated where it is looked for.
struct ExpectedConversion: Hashable {
  /// A change, in the order in which they apply.
  private enum Change: Hashable {
    /// The bytes replace the tagged value.
    case bytes
    /// The number is one of another type.
    case number(AttributeType)
    /// A default replaces nothing, among tagged values with a tag of its own.
    case fallback(AttributeValue, isTagged: Bool)
    /// The tagged value replaces the bytes.
    case tagged
  }

  private let changes: [Change]

  /// Deduces the conversion of a source attribute's values to those of a result's attribute.
  init(_ origin: ValueOrigin, from old: AttributeDescription, to new: AttributeDescription) {
    let hasBytes = [.binary, .transformable].contains(old.attributeType)
    let staysTagged =
      hasBytes && old.allowsExternalBinaryDataStorage && new.allowsExternalBinaryDataStorage
    var changes: [Change] = []
    var rest = origin
    walk: while true {
      switch rest {
      case .converted(let inner, let before, let after):
        if !Self.holds(after, valuesOf: before) { changes.insert(.number(after), at: 0) }
        rest = inner
      case .filled(let inner, let value):
        changes.insert(.fallback(value, isTagged: staysTagged), at: 0)
        rest = inner
      default: break walk
      }
    }
    if hasBytes, old.allowsExternalBinaryDataStorage != new.allowsExternalBinaryDataStorage {
      if old.allowsExternalBinaryDataStorage {
        changes.insert(.bytes, at: 0)
      } else {
        changes.append(.tagged)
      }
    }
    self.changes = changes
  }

  /// Whether the stored value stays as it is.
  var isIdentity: Bool { changes.isEmpty }

  /// Returns the SQL of the expected value.
  func sql(_ stored: String) -> String {
    changes.reduce("(\(stored))") { value, change in
      switch change {
      case .bytes: "\(ExternalBytes.function)(\(value))"
      case .tagged: "CAST(X'01' || \(value) AS BLOB)"
      case .fallback(let fallback, let isTagged):
        "IFNULL(\(value), \(Self.literal(fallback, isExternal: isTagged)))"
      case .number(.boolean): "(\(value) <> 0)"
      case .number(.float), .number(.double): "CAST(\(value) AS REAL)"
      case .number(let type):
        Self.bits(type).map { bits in
          // SQLite's cast cuts off fractions toward zero; MIN and MAX of nothing are nothing.
          bits == 64
            ? "CAST(\(value) AS INTEGER)"
            : "MIN(MAX(CAST(\(value) AS INTEGER), -(1 << \(bits - 1))), (1 << \(bits - 1)) - 1)"
        } ?? value
      }
    }
  }

  /// Returns a model's value as SQL that gives what an attribute's column holds.
  static func literal(_ value: AttributeValue, isExternal: Bool) -> String {
    let stored: SQLiteValue
    switch value {
    case .boolean(let flag): stored = .integer(flag ? 1 : 0)
    case .integer(let number): stored = .integer(number)
    case .real(let number), .date(let number): stored = .real(number)
    case .decimal(let digits):
      guard let form = DecimalText.stored(digits) else { return SQL.literal(.text(digits)) }
      return literal(form.value, isExternal: isExternal)
    case .string(let text), .uri(let text): stored = .text(text)
    case .uuid(let bytes): stored = .blob(bytes)
    case .binary(let bytes): stored = .blob(isExternal ? [1] + bytes : bytes)
    }
    return SQL.literal(stored)
  }

  /// Returns whether a column of a type holds each number of another type in the same form.
  private static func holds(_ new: AttributeType, valuesOf old: AttributeType) -> Bool {
    if old == new || !new.isStoredAsNumber || new == .decimal { return true }
    if let before = bits(old), let after = bits(new) { return before <= after }
    return [old, new].allSatisfy { $0 == .float || $0 == .double }
  }

  /// Returns the number of bits of a whole number's type; nil for other types.
  private static func bits(_ type: AttributeType) -> Int? {
    switch type {
    case .boolean: 1
    case .integer16: 16
    case .integer32: 32
    case .integer64: 64
    case .undefined, .decimal, .double, .float, .string, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .composite:
      nil
    }
  }
}
