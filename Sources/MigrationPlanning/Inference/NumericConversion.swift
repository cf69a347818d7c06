import ObjectModel

/// A conversion of numbers of one type to another, and whether they survive it.
///
/// The stored values decide: Core Data writes a decimal as a double, which SQLite keeps as a whole
/// number where it has no fraction (NUMERIC affinity), and a Boolean is 0 or 1. A decimal that another
/// program wrote may be a whole number of up to 63 bits.
struct NumericConversion {
  let source: AttributeType
  let destination: AttributeType

  /// Whether every value of the source type is a value of the destination type.
  var isExact: Bool {
    guard let from = Self.shape(of: source), let to = Self.shape(of: destination) else {
      return source == destination
    }
    let bits = source == .decimal && destination != .decimal ? 63 : from.bits
    return bits <= to.bits && (to.hasFraction || !from.hasFraction)
  }

  /// The clause that names the values that change.
  var condition: String {
    switch (source, destination) {
    case (_, .boolean): "values other than 0 and 1 change"
    case (_, .integer16): "\(parts)values beyond -32,768 and 32,767 change"
    case (_, .integer32): "\(parts)values beyond -2,147,483,648 and 2,147,483,647 change"
    case (_, .integer64): "\(parts)values beyond 64 bits change"
    case (.double, .float), (.decimal, .float):
      "a float keeps about 7 digits, and the app reads the others rounded"
    case (_, .float): "the app reads whole numbers beyond ±16,777,216 rounded"
    case (_, .decimal):
      "whole numbers beyond ±9,007,199,254,740,992 stay in the store, and are rounded to a double when the "
        + "app saves them"
    default: "whole numbers beyond ±9,007,199,254,740,992 are rounded to a double"
    }
  }

  /// The values of the source that no integer type holds, as the start of a list.
  private var parts: String {
    Self.shape(of: source)?.hasFraction == true ? "fractions and " : ""
  }

  /// Returns the bits in which whole numbers are exact, and whether there are fractions.
  private static func shape(of type: AttributeType) -> (bits: Int, hasFraction: Bool)? {
    switch type {
    case .boolean: (1, false)
    case .integer16: (15, false)
    case .integer32: (31, false)
    case .integer64: (63, false)
    case .float: (24, true)
    case .double, .decimal: (53, true)
    case .undefined, .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      nil
    }
  }
}
