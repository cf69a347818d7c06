internal import BatchMigration
internal import MigrationPlanning
internal import ObjectModel

extension BatchReport {
  /// The losses in the order in which they are shown, by entities and properties, behind their model where the
  /// batch has several, and in words such as “values dropped”.
  var lossLines: [(name: String, what: String, count: Int64, stores: Int)] { losses?.lines ?? [] }

  /// A sentence on dropped or changed data; nil where there is none, or losses were not counted.
  var lossSentence: String? {
    guard let losses else { return nil }
    let unread =
      losses.unread == 0
      ? ""
      : " \(Quantity.count(losses.unread, "certificate")) could not be read; \(LedgerName(ledger).command("verify")) names "
        + (losses.unread == 1 ? "it." : "them.")
    guard losses.stores > 0 else { return unread.isEmpty ? nil : String(unread.dropFirst()) }
    let what = MigrationLosses.Fate.allCases.compactMap { fate -> String? in
      let places = Set(
        losses.sums.keys.filter { $0.fate == fate }.map { [$0.model ?? "", $0.name] }
      )
      let word =
        switch fate {
        case .code: "left to code"
        case .missing: "without all their files"
        case .dropped, .changed, .unordered: fate.rawValue
        }
      return places.isEmpty ? nil : "\(Quantity.grouped(places.count)) \(word)"
    }
    return "Lost entities and properties: \(what.joined(separator: ", ")), in "
      + "\(Quantity.count(losses.stores, "store")).\(unread)"
  }

  /// The losses as a table, below a heading.
  var lossTable: [StyledText] {
    guard !lossLines.isEmpty else { return [] }
    var table = TextTable([
      ("lost", .left), ("what", .left), ("count", .right), ("stores", .right),
    ])
    for line in lossLines {
      table.append([
        StyledText(line.name, .caution), StyledText(line.what),
        StyledText(Quantity.grouped(Int(line.count))), StyledText(Quantity.grouped(line.stores)),
      ])
    }
    return table.lines(indentation: 2) + [""]
  }
}

extension MigrationLosses {
  /// The losses of several stores.
  var members: JSONMembers {
    [
      "stores": stores, "unreadCertificates": unread,
      "places": ordered.map { $0.members(count: $1.count) + ["stores": $1.stores] },
    ]
  }

  /// The losses of one store, as objects of JSON.
  var places: [JSONMembers] { ordered.map { $0.members(count: $1.count) } }

  /// The losses of one store in one text, for a cell of a table.
  var text: String {
    ordered.map { place, sum in "\(place.name) (\(sum.count) \(place.what))" }
      .joined(separator: "; ")
  }

  /// The losses, by model, name, kind and disposition.
  private var ordered: [(place: Place, sum: Sum)] {
    sums.map { ($0.key, $0.value) }.sorted { $0.0.order.lexicographicallyPrecedes($1.0.order) }
  }

  fileprivate var lines: [(name: String, what: String, count: Int64, stores: Int)] {
    let hasModels = Set(sums.keys.map(\.model)).count > 1
    return ordered.map { place, sum in
      let model = hasModels ? place.model.map { "\($0): " } ?? "" : ""
      return (model + place.name, place.what, sum.count, sum.stores)
    }
  }
}

extension MigrationLosses.Place {
  fileprivate var kindName: String { kind?.rawValue ?? "unexplained" }
  fileprivate var order: [String] { [model ?? "", name, kindName, fate.rawValue] }

  /// The lost thing, such as “values dropped”.
  fileprivate var what: String {
    let noun = kind?.rawValue ?? "rows or values"
    return switch fate {
    case .dropped: "\(noun) dropped"
    case .changed: "\(noun) changed"
    case .missing: "\(noun) whose files are not there"
    case .unordered: "\(noun) without their order"
    case .code: "\(noun) left to code"
    }
  }

  fileprivate func members(count: Int64) -> JSONMembers {
    ["model": model, "place": name, "kind": kindName, "fate": fate.rawValue, "count": count]
  }
}
