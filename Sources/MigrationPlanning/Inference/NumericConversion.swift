import ObjectModel

/// Whether numbers of one type survive as numbers of another.
///
/// Judged by what stores hold: a decimal is a double there, or a whole number of up to 63 bits where it has
/// no fraction (SQLite's NUMERIC affinity), and a Boolean is 0 or 1.
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

  /// What values must fulfil to survive.
  var precondition: String {
    switch destination {
    case .boolean: "is 0 or 1"
    case .integer16, .integer32, .integer64: "is a whole number within the range of the new type"
    default: "has no more digits than the new type keeps"
    }
  }

  /// The bits in which whole numbers are exact, and whether there are fractions.
  private static func shape(of type: AttributeType) -> (bits: Int, hasFraction: Bool)? {
    switch type {
    case .boolean: (1, false)
    case .integer16: (15, false)
    case .integer32: (31, false)
    case .integer64: (63, false)
    case .float: (24, true)
    case .double, .decimal: (53, true)
    default: nil
    }
  }
}
