package import ObjectModel

extension Finding {
  /// How `waystone.yml` accepts the finding below `accept:`, to be pasted, without the reason.
  ///
  /// A name that no model settles is as open at each later version.
  package var acceptanceEntry: String {
    let subject = place.subject.map { ", place: \($0)" } ?? ""
    let isOfAll = code == .unprovenName && place.subject != nil
    let version = isOfAll ? "" : place.version.map { ", version: \"\($0)\"" } ?? ""
    let change = change.map { ", change: \($0)" } ?? ""
    return "{code: \(code.rawValue)\(subject)\(version)\(change), reason: \"...\"}"
  }

  /// The same as a line of the list.
  var acceptanceExample: StyledText { StyledText("  - \(acceptanceEntry)", .faint) }
}

extension StyledText {
  /// That a list of acceptances has more lines than are shown; none where it has not.
  static func more(_ count: Int) -> [StyledText] {
    count > 0 ? [StyledText("  and \(Quantity.count(count, "more line")).", .faint)] : []
  }
}
