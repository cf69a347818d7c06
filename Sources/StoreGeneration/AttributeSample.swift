import ObjectModel
import PropertyLists
import StoreAccess

/// The values that generated rows have for one attribute, each computed from the row's key.
struct AttributeSample: Sendable {
  private let attribute: AttributeDescription
  private let numbers: SeededNumbers
  /// Whether a uniqueness constraint names the attribute, so that no two rows may share a value.
  private let isUnique: Bool
  /// Whether large values become files beside the store, where the model lets them.
  private let usesFiles: Bool
  private let defaultValue: SQLiteValue?
  /// The numbers that decide, for an element of an optional composite, in which rows the composite is nil:
  /// there all its elements are NULL.
  private let composite: SeededNumbers?
  /// The keys of two rows, one without and one with a value, where an attribute may be nil; nil where the
  /// rows are so many that chance gives both.
  private let assured: (null: Int, value: Int)?
  private let bounds: NumberBounds
  private let texts: TextSample

  init(
    _ attribute: AttributeDescription,
    isUnique: Bool,
    usesFiles: Bool = false,
    composite: SeededNumbers? = nil,
    keys: Range<Int> = 0..<0,
    numbers: SeededNumbers
  ) {
    if (2..<64).contains(keys.count) {
      let first = Int(numbers[0] % UInt64(keys.count))
      assured = (keys.lowerBound + first, keys.lowerBound + (first + 1) % keys.count)
    } else {
      assured = nil
    }
    self.composite = composite
    self.attribute = attribute
    self.isUnique = isUnique
    self.usesFiles = usesFiles && attribute.allowsExternalBinaryDataStorage
    self.numbers = numbers
    bounds = NumberBounds(attribute)
    texts = TextSample(attribute.validation)
    defaultValue = attribute.defaultValue.flatMap { Self.stored($0, attribute) }
  }

  /// Returns the value of the row with a key, as the store keeps it.
  func value(key: Int) -> SQLiteValue {
    // Derived values are computed when all rows are there; only saving sets `now()`.
    if let derivation = attribute.derivationExpression {
      return derivation == .now ? .real(Double(numbers[key] % 700_000_000)) : .null
    }
    let number = numbers[key]
    if let composite, composite[key] >> 61 == 0 { return .null }
    if isUnique { return unique(key: key, number: number) }
    if mayLack, assured?.value != key, number >> 61 == 0 || assured?.null == key { return .null }
    if number >> 61 == 1, let defaultValue { return defaultValue }
    return plain(key: key, number: number)
  }

  /// Whether a row may lack the value; an element's composite is there then.
  private var mayLack: Bool { attribute.membership?.isOptional ?? attribute.isOptional }

  private func plain(key: Int, number: UInt64) -> SQLiteValue {
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64: .integer(bounds.integer(number))
    case .boolean: .integer(Int64(number & 1))
    case .double: .real(bounds.real(number, extremes: NumberBounds.doubles))
    case .float: .real(Double(Float(bounds.real(number, extremes: NumberBounds.floats))))
    case .decimal: .real(bounds.real(number, extremes: NumberBounds.decimals))
    case .date: .real(bounds.date(number))
    case .string: string(number)
    case .uri: .text("https://letters.example/\(key)?q=%C3%A9%20\(number % 97)")
    case .uuid: .blob(numbers.uuid(key))
    case .binary: .blob(isInFile(number) ? reference(key) : tagged(Self.bytes(number)))
    case .transformable: .blob(tagged(Self.archives[Int(number % UInt64(Self.archives.count))]))
    case .undefined, .objectID, .composite: .null
    }
  }

  /// Returns text that obeys the bounds of length; text that a regular expression accepts cannot be
  /// made up.
  private func string(_ number: UInt64) -> SQLiteValue {
    guard attribute.validation.regularExpression == nil else {
      return defaultValue ?? (mayLack ? .null : .text(""))
    }
    return .text(texts.text(number))
  }

  /// Returns a value that no other key has; keys are unique among all rows of a table.
  private func unique(key: Int, number: UInt64) -> SQLiteValue {
    switch attribute.attributeType {
    case .integer16, .integer32, .integer64:
      if let value = bounds.integer(at: key) { return .integer(value) }
      return mayLack ? .null : .integer(bounds.integer(number))
    case .double, .decimal, .date: return .real(Double(key) + 0.5)
    case .float: return .real(Double(key))
    case .string: return .text(texts.unique(key, number))
    case .binary:
      return .blob(tagged(stride(from: 56, through: 0, by: -8).map { UInt8(key >> $0 & 255) }))
    case .boolean, .uri, .uuid, .transformable, .undefined, .objectID, .composite:
      return plain(key: key, number: number)
    }
  }

  /// Returns the file beside the store that holds the value of the row with a key, where one does.
  func file(key: Int) -> (name: String, bytes: [UInt8])? {
    guard isInFile(numbers[key]), value(key: key) == .blob(reference(key)) else { return nil }
    return (numbers.uuidText(key), Self.bytes(numbers[key]))
  }

  /// Returns whether the value is the large one of the sizes, which is stored in a file.
  private func isInFile(_ number: UInt64) -> Bool {
    usesFiles && attribute.attributeType == .binary && number >> 8 & 31 == 1
  }

  /// Returns the column's bytes for a value in a file: a tag of 2 and the file's name, with a NUL.
  private func reference(_ key: Int) -> [UInt8] { [2] + numbers.uuidText(key).utf8 + [0] }

  /// Returns the bytes as a column has them: where files beside the store are allowed, a tag comes
  /// first, which is 1 for bytes that are in the store.
  private func tagged(_ bytes: [UInt8]) -> [UInt8] {
    attribute.allowsExternalBinaryDataStorage ? [1] + bytes : bytes
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    let size =
      switch number >> 8 & 31 {
      case 0: 0
      case 1: 5000
      default: Int(number >> 16 & 63) + 1
      }
    return (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 & 7 * 8) &+ UInt64($0)) }
  }

  /// Keyed archives of text, such as `NSSecureUnarchiveFromData` writes and as Core Data writes
  /// where no transformer is named.
  private static let archives: [[UInt8]] = ["", "sealed", "👩‍👩‍👧‍👦 e\u{301}"].map { text in
    PropertyList.dictionary([
      "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": .uid(1)]),
      "$objects": .array([.string("$null"), .string(text)]),
    ]).binary
  }

  /// Returns a value of the model as a store keeps it, or nil where it cannot be one.
  private static func stored(
    _ value: AttributeValue,
    _ attribute: AttributeDescription
  ) -> SQLiteValue? {
    switch value {
    case .integer(let number): .integer(number)
    case .real(let number), .date(let number): .real(number)
    case .decimal(let digits): DecimalText.stored(digits).flatMap { stored($0.value, attribute) }
    case .string(let text), .uri(let text): .text(text)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .uuid(let bytes): .blob(bytes)
    case .binary(let bytes):
      .blob(attribute.allowsExternalBinaryDataStorage ? [1] + bytes : bytes)
    }
  }
}
