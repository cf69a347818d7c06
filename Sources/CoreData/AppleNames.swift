import Foundation
import StoreMigration

// Names of Apple's other modules that apps use beside Core Data, and that Linux lacks.

/// Runs a block; objects live as long as they are referred to, without a pool.
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}

/// Returns the seconds since the reference date.
public func CFAbsoluteTimeGetCurrent() -> Double { Date.timeIntervalSinceReferenceDate }

/// The formats of `String(format:)`, which `waystone policies` lets pass through here.
public enum AppleFormat {
  /// Returns a format with `%d`, `%u` and `%o` for `%D`, `%U` and `%O`, which Foundation on Linux leaves as they are.
  public static func onLinux(_ format: String) -> String {
    var text = ""
    var isPlace = false
    for character in format {
      let isLetter = isPlace && "DUO".contains(character)
      text += isLetter ? character.lowercased() : String(character)
      if character == "%" {
        isPlace.toggle()
      } else if isPlace {
        isPlace = "0123456789.+-#$* 'hlqLztj".contains(character)
      }
    }
    return text
  }
}

/// The name of a method in Objective-C, which `waystone policies` makes of `#selector`: for the orders by texts.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral {
  let name: String

  /// The selector of a name, such as `localizedStandardCompare:`.
  public init(_ name: String) { self.name = name }

  /// The selector of a name, such as `localizedStandardCompare:`.
  public init(stringLiteral name: String) { self.name = name }

  /// Returns the order of the texts that two managed objects have at a key path; one without a text is first.
  func order(_ left: Any, _ right: Any, by path: String) -> ComparisonResult {
    guard let left = left as? NSManagedObject, let right = right as? NSManagedObject else {
      PendingError.recordUnsupported("An order was asked for of something")
      return .orderedSame
    }
    let texts = [left, right].map { $0.value(forKeyPath: path) as? String }
    guard let first = texts[0], let second = texts[1] else {
      return texts[0] == nil
        ? texts[1] == nil ? .orderedSame : .orderedAscending : .orderedDescending
    }
    switch name.filter({ $0 != ":" }) {
    case "caseInsensitiveCompare": return first.caseInsensitiveCompare(second)
    case "localizedCompare": return first.localizedCompare(second)
    case "localizedCaseInsensitiveCompare": return first.localizedCaseInsensitiveCompare(second)
    case "localizedStandardCompare": return first.localizedStandardCompare(second)
    default:
      left.managedObjectContext?.pendingError.record(
        MigrationError(
          .failed,
          "An order was asked for by the method \(name), which Linux does not have.",
          recovery: "Order by localizedStandardCompare:, or in Swift."
        )
      )
      return .orderedSame
    }
  }
}
