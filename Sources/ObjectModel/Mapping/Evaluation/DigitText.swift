/// The digits of numbers, appended to bytes without a text of their own.
package enum DigitText {
  /// Appends a whole number.
  package static func append(_ number: Int64, to bytes: inout [UInt8]) {
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    append(number.magnitude, to: &bytes)
  }

  /// Appends a whole number, after zeros up to a width.
  static func append(_ number: UInt64, to bytes: inout [UInt8], width: Int = 1) {
    var (count, bound) = (1, 10 as UInt64)
    while count < 20, number >= bound {
      count += 1
      bound = count < 20 ? bound &* 10 : bound
    }
    count = max(count, width)
    bytes.append(contentsOf: repeatElement(0x30, count: count))
    var (rest, place) = (number, bytes.count - 1)
    while rest > 0 {
      bytes[place] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      place -= 1
    }
  }

  /// Appends a number as its description has it: the shortest digits that give the very same one.
  package static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard let millionths = millionths(number) else {
      return bytes.append(contentsOf: number.description.utf8)
    }
    append(millionths, isNegative: number < 0, to: &bytes)
    if millionths % million == 0 { bytes.append(contentsOf: ".0".utf8) }
  }

  /// Appends a number in plain notation, as ``DecimalText/plain(_:)`` returns it.
  package static func append(plain number: Double, to bytes: inout [UInt8]) {
    guard let millionths = millionths(number) else {
      return bytes.append(contentsOf: DecimalText.plain(number).utf8)
    }
    append(millionths, isNegative: number < 0, to: &bytes)
  }

  private static let million: UInt64 = 1_000_000

  /// Returns a number's magnitude in millionths, where its shortest digits are those of a whole number of them.
  ///
  /// No two decimal numbers of at most fifteen digits have one double, and the quotient of two whole numbers is
  /// the double nearest to it.
  private static func millionths(_ number: Double) -> UInt64? {
    let magnitude = number.magnitude
    guard magnitude >= 0.001, magnitude < 1e9 else { return nil }
    let scaled = (magnitude * 1e6).rounded()
    return scaled / 1e6 == magnitude ? UInt64(scaled) : nil
  }

  private static func append(_ millionths: UInt64, isNegative: Bool, to bytes: inout [UInt8]) {
    if isNegative { bytes.append(UInt8(ascii: "-")) }
    append(millionths / million, to: &bytes)
    var (fraction, width) = (millionths % million, 6)
    guard fraction > 0 else { return }
    while fraction % 10 == 0 {
      fraction /= 10
      width -= 1
    }
    bytes.append(UInt8(ascii: "."))
    append(fraction, to: &bytes, width: width)
  }
}
