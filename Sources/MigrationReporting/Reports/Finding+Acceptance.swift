package import ObjectModel

extension Finding {
  /// The entry below `accept:` in `waystone.yml` that accepts the finding, without the reason.
  ///
  /// A name that no model settles is as open at each later version.
  package var acceptanceEntry: String {
    let subject = place.subject.map { ", place: \($0)" } ?? ""
    let isOfAll = code == .unprovenName && place.subject != nil
    let version = isOfAll ? "" : place.version.map { ", version: \"\($0)\"" } ?? ""
    let change = change.map { ", change: \($0)" } ?? ""
    return "{code: \(code.rawValue)\(subject)\(version)\(change), reason: \"...\"}"
  }

}

extension StyledText {
  /// The number of entries that accept findings and are shown unless all are requested.
  private static let acceptancesShown = 3

  /// Returns lines that accept findings, as those of a list.
  static func acceptances(_ entries: [String], isVerbose: Bool) -> [StyledText] {
    let shown = isVerbose ? entries[...] : entries.prefix(acceptancesShown)
    let lines = shown.map { StyledText("  - \($0)", .faint) }
    guard shown.count < entries.count else { return lines }
    let more = Quantity.count(entries.count - shown.count, "more line")
    return lines + [StyledText("  and \(more); --verbose shows all.", .faint)]
  }
}
