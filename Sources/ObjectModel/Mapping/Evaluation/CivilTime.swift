/// A second in the proleptic Gregorian calendar, in UTC.
package struct CivilTime: Hashable, Sendable {
  /// The year; 0 is the one before 1.
  package let year: Int
  /// The month, from 1.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int
  /// The second of the day.
  package let secondOfDay: Int

  /// The time of a second since 1970-01-01T00:00:00Z.
  package init(secondsSince1970 second: Int) {
    let day = Int((Double(second) / 86400).rounded(.down))
    secondOfDay = second - day * 86400
    // Days in eras of 400 years that begin on the first of March.
    let shifted = day + 719_468
    let era = Int((Double(shifted) / 146_097).rounded(.down))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    self.day = dayOfYear - (153 * march + 2) / 5 + 1
    month = march < 10 ? march + 3 : march - 9
    year = era * 400 + yearOfEra + (march < 10 ? 0 : 1)
  }

  /// Returns the year, month, day, hour, minute and second, padded with zeros.
  package func text(between separator: Character) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    append(to: &bytes, between: separator.utf8)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func append(to bytes: inout [UInt8], between separator: some Sequence<UInt8>) {
    func put(_ number: Int) {
      let (tens, ones) = number.quotientAndRemainder(dividingBy: 10)
      bytes.append(0x30 + UInt8(truncatingIfNeeded: tens))
      bytes.append(0x30 + UInt8(truncatingIfNeeded: ones))
    }
    if (0...9999).contains(year) {
      put(year / 100)
      put(year % 100)
    } else {
      bytes += Self.padded(year, 4).utf8
    }
    bytes.append(UInt8(ascii: "-"))
    put(month)
    bytes.append(UInt8(ascii: "-"))
    put(day)
    bytes.append(contentsOf: separator)
    put(secondOfDay / 3600)
    bytes.append(UInt8(ascii: ":"))
    put(secondOfDay / 60 % 60)
    bytes.append(UInt8(ascii: ":"))
    put(secondOfDay % 60)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension CivilTime {
  /// The reference date of Core Data, 2001-01-01T00:00:00Z, in seconds since 1970.
  private static let referenceDate = 978_307_200
  /// The seconds since 2001 of the first and the last second of years with four digits.
  private static let fourDigitYears = -63_145_526_400.0..<252_455_616_000.0

  /// Returns whether an instant is in a year from 0 to 9999.
  package static func hasText(secondsSince2001 seconds: Double) -> Bool {
    fourDigitYears.contains(seconds)
  }

  /// Returns an instant in ISO 8601, in UTC: `2024-05-01T12:30:00.123456Z`.
  ///
  /// The fraction has three, six, nine and so on digits: as few as give the very same number when they are
  /// read.
  ///
  /// - Parameter seconds: The seconds since 2001-01-01T00:00:00Z.
  /// - Returns: The text; nil for what is in no year from 0 to 9999, such as infinity.
  package static func iso8601(secondsSince2001 seconds: Double) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    guard append(secondsSince2001: seconds, to: &bytes) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends an instant in ISO 8601, as ``iso8601(secondsSince2001:)`` returns it.
  ///
  /// - Returns: Whether it has such a text; nothing is appended for another.
  package static func append(secondsSince2001 seconds: Double, to bytes: inout [UInt8]) -> Bool {
    guard fourDigitYears.contains(seconds) else { return false }
    let whole = seconds.rounded(.down)
    let fraction = seconds - whole
    Self(secondsSince1970: Int(whole) + referenceDate)
      .append(to: &bytes, between: CollectionOfOne(UInt8(ascii: "T")))
    if fraction > 0 { append(fraction: fraction, of: seconds, after: whole, to: &bytes) }
    bytes.append(UInt8(ascii: "Z"))
    return true
  }

  private static func append(
    fraction: Double,
    of seconds: Double,
    after whole: Double,
    to bytes: inout [UInt8]
  ) {
    bytes.append(UInt8(ascii: "."))
    // Powers of ten up to 22 are exact, so that each quotient is the double nearest to its digits.
    var power = 1000.0
    for width in stride(from: 3, through: 15, by: 3) {
      let digits = (fraction * power).rounded()
      if digits < power, whole + digits / power == seconds {
        DigitText.append(UInt64(digits), to: &bytes, width: width)
        return
      }
      power *= 1000
    }
    // Only within seconds of 2001 are there numbers so fine; their own digits are exact.
    bytes += DecimalText.plain(fraction).utf8.dropFirst(2)
  }

  /// Returns the instant that a text in ISO 8601 spells, in seconds since 2001-01-01T00:00:00Z.
  ///
  /// A date alone is its midnight; minutes, seconds, a fraction and an offset such as `+02:00` may follow, and
  /// without an offset it is UTC.
  ///
  /// - Returns: Nil for any other text.
  package static func secondsSince2001(iso8601 text: String) -> Double? {
    var rest = text.utf8[...]
    func take(_ width: Int) -> Int? {
      let digits = rest.prefix(width)
      guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      rest = rest.dropFirst(width)
      return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    }
    func take(_ sign: Character) -> Bool {
      guard rest.first == sign.asciiValue else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = take(4), take("-"), let month = take(2), (1...12).contains(month), take("-"),
      let day = take(2), (1...31).contains(day)
    else { return nil }
    // Years begin in March here, too.
    let shifted = month < 3 ? year - 1 : year
    let era = Int((Double(shifted) / 400).rounded(.down))
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let days =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    var second = days * 86400 - referenceDate
    let isDay = Self(secondsSince1970: days * 86400)
    guard isDay.month == month, isDay.day == day else { return nil }
    if rest.isEmpty { return Double(second) }
    guard take("T") || take(" "), let hour = take(2), hour < 24, take(":"), let minute = take(2),
      minute < 60
    else { return nil }
    second += hour * 3600 + minute * 60
    var fraction = 0.0
    if take(":") {
      guard let seconds = take(2), seconds < 61 else { return nil }
      second += seconds
      if take(".") {
        let digits = rest.prefix { (0x30...0x39).contains($0) }
        guard !digits.isEmpty, digits.count < 20,
          let value = Double("0." + String(decoding: digits, as: UTF8.self))
        else { return nil }
        fraction = value
        rest = rest.dropFirst(digits.count)
      }
    }
    _ = take(" ")
    if rest.isEmpty || take("Z") { return rest.isEmpty ? Double(second) + fraction : nil }
    let isEast = rest.first == UInt8(ascii: "+")
    guard take("+") || take("-"), let hours = take(2), take(":") || true, let minutes = take(2),
      rest.isEmpty
    else { return nil }
    let offset = hours * 3600 + minutes * 60
    return Double(second + (isEast ? -offset : offset)) + fraction
  }
}
