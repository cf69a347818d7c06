/// The type of an attribute's values.
///
/// Counterpart of `NSAttributeType`; the raw values are Apple's and go into version hashes.
public enum AttributeType: Int32, Hashable, Sendable, CaseIterable {
  /// The type of transient attributes only.
  case undefined = 0
  /// A 16-bit signed integer.
  case integer16 = 100
  /// A 32-bit signed integer.
  case integer32 = 200
  /// A 64-bit signed integer.
  case integer64 = 300
  /// A decimal number, which SQLite keeps as a double.
  case decimal = 400
  /// A 64-bit floating point number.
  case double = 500
  /// A 32-bit floating point number.
  case float = 600
  /// Unicode text.
  case string = 700
  /// True or false, kept as 1 or 0.
  case boolean = 800
  /// An instant, kept as seconds since 2001-01-01T00:00:00Z.
  case date = 900
  /// Bytes, inside the store or in a file beside it.
  case binary = 1000
  /// A UUID, kept as 16 bytes.
  case uuid = 1100
  /// A URI, kept as its absolute string.
  case uri = 1200
  /// An object that a value transformer turns into bytes.
  case transformable = 1800
  /// A managed object's identifier.
  case objectID = 2000
  /// A group of attributes, since iOS 17.
  case composite = 2100

  /// Whether values are numbers: objects of `NSNumber` in Core Data.
  public var isNumeric: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .undefined, .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      false
    }
  }

  /// Whether columns keep values as numbers of the type, with its range and its digits.
  ///
  /// The column of a date holds seconds, which have no range of their own.
  package var isStoredAsNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .undefined, .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      false
    }
  }

  /// Whether Core Data's inference converts values to each other type of which this is true.
  package var isConvertible: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .undefined, .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      false
    }
  }

  /// Returns whether values of a type can be carried into an attribute of this one: it is the same, or
  /// Core Data converts between the two.
  package func takesValues(of other: AttributeType) -> Bool {
    self == other || isConvertible && other.isConvertible
  }

  /// Whether values are whole numbers of 16, 32 or 64 bits.
  package var isInteger: Bool {
    switch self {
    case .integer16, .integer32, .integer64: true
    case .undefined, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid, .uri,
      .transformable, .objectID, .composite:
      false
    }
  }
}
