import ObjectModel
import StoreAccess

/// The numbers within an attribute's type and bounds of validation, the awkward ones among them.
struct NumberBounds: Sendable {
  private let least: Int64
  private let greatest: Int64
  private let leastReal: Double?
  private let greatestReal: Double?

  static let doubles: [Double] = [
    0, -0.0, 1 / 3, -Double.greatestFiniteMagnitude, .greatestFiniteMagnitude,
    .leastNormalMagnitude, .leastNonzeroMagnitude, 9_007_199_254_740_991, 1e-300,
  ]
  static let floats: [Double] = [
    0, 0.1, Double(Float.greatestFiniteMagnitude), -Double(Float.leastNormalMagnitude), 16_777_217,
  ]
  static let decimals: [Double] = [0, 0.01, -0.01, 19.99, 3.333_333_333_2, 1e15, -99_999.99]
  /// The reference date, `distantPast`, `distantFuture`, whole and fractional seconds around.
  private static let dates: [Double] = [
    0, -63_114_076_800, 63_113_904_000, 0.5, -0.25, -978_307_200, 725_846_400.123456,
  ]

  init(_ attribute: AttributeDescription) {
    let range: ClosedRange<Int64> =
      switch attribute.attributeType {
      case .integer16: Int64(Int16.min)...Int64(Int16.max)
      case .integer32: Int64(Int32.min)...Int64(Int32.max)
      case .undefined, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary,
        .uuid, .uri, .transformable, .objectID, .composite:
        Int64.min...Int64.max
      }
    var least = range.lowerBound
    var greatest = range.upperBound
    if case .integer(let bound) = attribute.validation.minimum { least = max(least, bound) }
    if case .integer(let bound) = attribute.validation.maximum { greatest = min(greatest, bound) }
    self.least = min(least, greatest)
    self.greatest = greatest
    leastReal = Self.real(attribute.validation.minimum)
    greatestReal = Self.real(attribute.validation.maximum)
  }

  private static func real(_ value: AttributeValue?) -> Double? {
    switch value {
    case .real(let number), .date(let number): number
    case .integer(let number): Double(number)
    case .decimal(let text): Double(text)
    default: nil
    }
  }

  /// Returns an integer: a bound, a number around 0, or a small one.
  func integer(_ number: UInt64) -> Int64 {
    switch number >> 4 & 15 {
    case 0: least
    case 1: greatest
    case 2: min(max(0, least), greatest)
    case 3: min(max(-1, least), greatest)
    default: min(max(Int64(number >> 8 & 1023) - 100, least), greatest)
    }
  }

  /// Returns the integer of a place in the range, counted from 0 upwards where 0 is in it; nil past its end.
  func integer(at place: Int) -> Int64? {
    let (value, overflow) = max(least, 0).addingReportingOverflow(Int64(place))
    return overflow || value > greatest ? nil : value
  }

  /// Returns a floating-point number, some of the extremes among them.
  func real(_ number: UInt64, extremes: [Double]) -> Double {
    let value =
      number >> 4 & 7 == 0
      ? extremes[Int(number >> 8 & 0xff) % extremes.count]
      : Double(Int64(number >> 16 & 0xf_ffff) - 100_000) / 100
    return clamped(value)
  }

  /// Returns seconds since 2001, whole or to the millisecond, up to the year 2030.
  func date(_ number: UInt64) -> Double {
    switch number >> 4 & 7 {
    case 0: clamped(Self.dates[Int(number >> 8 & 0xff) % Self.dates.count])
    case 1, 2: clamped(Double((number >> 16) % 915_148_800))
    default: clamped(Double((number >> 16) % 915_148_800_000) / 1000)
    }
  }

  private func clamped(_ value: Double) -> Double {
    let value = leastReal.map { max($0, value) } ?? value
    return greatestReal.map { min($0, value) } ?? value
  }
}
