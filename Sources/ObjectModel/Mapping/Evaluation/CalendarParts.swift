// Only Foundation knows the hours of each time zone.
private import Foundation

/// The parts that a date has in a calendar.
enum CalendarParts {
  private static let components: [String: Calendar.Component] = [
    "year": .year, "month": .month, "day": .day, "hour": .hour, "minute": .minute,
    "second": .second, "weekday": .weekday,
  ]

  /// Returns a part of a date in the Gregorian calendar and a time zone; a weekday counts from 1, a Sunday.
  ///
  /// - Parameter seconds: Since 2001-01-01T00:00:00Z.
  /// - Throws: ``EvaluationError`` for a part or a time zone that is not known.
  static func part(
    _ name: ExpressionValue,
    of seconds: Double,
    inTimeZone zone: ExpressionValue,
    _ selector: String
  ) throws -> ExpressionValue {
    guard case .scalar(.string(let name)) = name, let component = components[name] else {
      throw EvaluationError(
        .wrongKind,
        "\(selector) was given no part of a date.",
        recovery: "Known are \(components.keys.sorted().joined(separator: ", "))."
      )
    }
    guard case .scalar(.string(let zone)) = zone, let timeZone = TimeZone(identifier: zone) else {
      throw EvaluationError(
        .wrongKind,
        "\(selector) was given no time zone that this system knows.",
        recovery: "Name one of the time zone database, as \"UTC\" or \"Europe/Paris\"."
      )
    }
    guard seconds.isFinite else { return .nothing }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    let part = calendar.component(component, from: Date(timeIntervalSinceReferenceDate: seconds))
    return .scalar(.integer(Int64(part)))
  }
}
