import ObjectModel
import StoreAccess

/// A sample of text within bounds of length, with much that often breaks programs.
struct TextSample: Sendable {
  private let least: Int
  private let greatest: Int

  private static let awkward = [
    "", "👩‍👩‍👧‍👦 🏳️‍🌈 ✉️", "Cafe\u{301}, nai\u{308}ve, A\u{30a}ngstro\u{308}m",
    "שלום, مرحبا", "O’Brien said \"x\\y\"\nand 'z'; -- %_\t$1", "手紙が届きました", " ", "NULL", "0",
    "\u{feff}\u{200b}ﬁne\u{200d}", "İstanbul ıssız STRASSE straße", "\u{10ffff}\u{fffd}",
  ]
  private static let openings = [
    "Dear friend", "A word about", "From the harbour", "News of", "In reply to", "Yours of",
    "On the way to", "Thanks for",
  ]
  private static let subjects = [
    "the garden", "Lisbon", "the old piano", "your brother", "a long winter", "the lighthouse",
    "three lost parcels", "the wedding", "Saturday", "nothing in particular",
  ]

  init(_ validation: AttributeValidation) {
    func length(_ value: AttributeValue?) -> Int? {
      if case .integer(let number) = value {
        Int(clamping: max(0, min(number, 1 << 20)))
      } else {
        nil
      }
    }
    least = length(validation.minimum) ?? 0
    greatest = max(length(validation.maximum) ?? Int.max, least)
  }

  private var isBounded: Bool { least > 0 || greatest < Int.max }

  /// Returns a text for a number.
  func text(_ number: UInt64) -> String {
    let phrase =
      Self.openings[Int(number >> 8 & 7)] + " " + Self.subjects[Int((number >> 16) % 10)]
    if isBounded { return fitted(phrase) }
    switch number >> 4 & 15 {
    case 0, 1, 2: return Self.awkward[Int((number >> 16) % UInt64(Self.awkward.count))]
    case 3 where number >> 24 & 15 == 0: return String(repeating: phrase + ". ", count: 200)
    default: return phrase
    }
  }

  /// Returns a text that no other key has, as it ends with the key.
  func unique(_ key: Int, _ number: UInt64) -> String {
    if isBounded { return fitted("\(key)") }
    let isAwkward = number >> 4 & 7 == 0
    let start =
      isAwkward
      ? Self.awkward[Int((number >> 16) % UInt64(Self.awkward.count))]
      : Self.subjects[Int((number >> 16) % 10)]
    return start + " \(key)"
  }

  private func fitted(_ text: String) -> String {
    let missing = least - text.utf8.count
    return missing > 0
      ? text + String(repeating: "-", count: missing) : String(text.prefix(greatest))
  }
}
