/// The readable form of numbers, the same in every locale.
package enum Quantity {
  /// Returns a whole number in groups of three digits: `1,234,567`.
  package static func grouped(_ value: some BinaryInteger) -> String {
    let digits = Array(String(value.magnitude))
    var result = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return result
  }

  /// Returns a count with its noun: `1 hop`, `2 hops`.
  package static func count(_ value: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(grouped(value)) \(value == 1 ? singular : plural ?? singular + "s")"
  }

  /// Returns a number of bytes in powers of 1,000, as disks are sold: `4.2 MB`.
  package static func bytes(_ value: Int) -> String {
    var scaled = Double(value.magnitude)
    var unit = 0
    let units = ["B", "kB", "MB", "GB", "TB", "PB"]
    while scaled >= 999.5, unit < units.count - 1 {
      scaled /= 1000
      unit += 1
    }
    let sign = value < 0 ? "-" : ""
    guard unit > 0, scaled < 9.95 else { return "\(sign)\(Int(scaled.rounded())) \(units[unit])" }
    let tenths = Int((scaled * 10).rounded())
    return "\(sign)\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// Returns a number, rounded to three digits after the point.
  static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

  /// Returns a duration in its two largest units: `0.8 s`, `12 s`, `3 min 5 s`, `2 h 4 min`.
  package static func seconds(_ value: Double) -> String {
    guard value.isFinite, value >= 0, value < 1e9 else { return "?" }
    if value < 9.95 {
      let tenths = Int((value * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    let whole = Int(value.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3600 { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole % 3600 / 60) min"
  }
}
