internal import ObjectModel

/// The readable form of points in time, the same in every time zone.
package enum UniversalTime {
  /// Returns a second since 1970 in UTC: `2026-11-22 07:54:30Z`.
  package static func text(_ second: Int) -> String {
    CivilTime(secondsSince1970: second).text(between: " ") + "Z"
  }
}
