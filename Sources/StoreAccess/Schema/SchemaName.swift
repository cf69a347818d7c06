import ObjectModel

/// The conversion of a model's names to names of tables and columns.
enum SchemaName {
  /// Returns the name in capitals.
  ///
  /// Names outside of ASCII occur in no measured store; Unicode's full mapping is assumed.
  static func uppercased(_ name: String) -> String { name.uppercased() }

  /// Returns the name as Core Data writes it into statements, which is without quotes; only a name that
  /// would not be valid so gets them.
  static func sql(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x5f, 0x80...0xff: true
      default: false
      }
    }
    let isDigitFirst = name.utf8.first.map { (0x30...0x39).contains($0) } ?? true
    if isPlain && !isDigitFirst { return name }
    return SQL.identifier(name)
  }

  /// Returns whether one name precedes another in the order of entity numbers: ignoring case, ties by byte.
  ///
  /// Measured on stores of public apps; that ties go by byte is assumed.
  static func precedesIgnoringCase(_ first: String, _ second: String) -> Bool {
    let (a, b) = (first.lowercased(), second.lowercased())
    return a == b ? ByteOrder.precedes(first, second) : ByteOrder.precedes(a, b)
  }
}

/// The names taken in one table, and the suffixes that keep the next one apart.
///
/// SQLite compares names of columns without regard to ASCII case, and so does this, since all are
/// capitals.
struct UniqueNames {
  private var taken: Set<String> = []
  private var nextSuffix: [String: Int] = [:]

  init(_ names: [String] = []) { taken = Set(names) }

  /// Returns the name itself where it is free, else the name with the least free number from 1.
  mutating func claim(_ name: String) -> String {
    if taken.insert(name).inserted { return name }
    var suffix = nextSuffix[name] ?? 1
    while !taken.insert(name + String(suffix)).inserted { suffix += 1 }
    nextSuffix[name] = suffix + 1
    return name + String(suffix)
  }
}
