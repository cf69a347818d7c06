/// The readable form of points in time, the same in every time zone.
package enum UniversalTime {
  /// Returns a second since 1970 in UTC: `2026-11-22 07:54:30Z`.
  package static func text(_ second: Int) -> String {
    let day = Int((Double(second) / 86400).rounded(.down))
    let rest = second - day * 86400
    // Days of the proleptic Gregorian calendar, in eras of 400 years that begin on the first of March.
    let shifted = day + 719_468
    let era = Int((Double(shifted) / 146_097).rounded(.down))
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let date = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    let year = era * 400 + yearOfEra + (calendarMonth < 3 ? 1 : 0)
    return "\(padded(year, 4))-\(padded(calendarMonth, 2))-\(padded(date, 2)) "
      + "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))Z"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
