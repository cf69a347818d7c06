internal import ObjectModel

/// A report on whether two stores hold the same, by their digests; it has names and counts, never
/// values.
package struct ComparisonReport: Report, MemberEncodable {
  package static let verb = "compare"

  /// An entity of either store.
  private struct Entity {
    let name: String
    /// The entity's number of objects in each store; nil where the store's model lacks it.
    let rows: (first: Int64?, second: Int64?)
    let isEqual: Bool
    /// Whether its version hashes are equal too.
    let isOfOneVersion: Bool

    /// The relation of the two sides, in words.
    var relation: String {
      if rows.first == nil { return "only in the second" }
      if rows.second == nil { return "only in the first" }
      if isEqual { return "equal" }
      return isOfOneVersion ? "differs" : "differs, and is of another version"
    }
  }

  private let first: DigestReport
  private let second: DigestReport
  private let entities: [Entity]
  private let rehashed: Set<String>

  /// A comparison of two stores.
  ///
  /// - Parameters:
  ///   - differing: The entities whose digests differ, those that only one store has included.
  ///   - rehashed: The entities whose version hashes differ, those that only one has included.
  package init(
    first: DigestReport,
    second: DigestReport,
    differing: Set<String>,
    rehashed: Set<String>
  ) {
    self.first = first
    self.second = second
    self.rehashed = rehashed
    func rows(_ digest: DigestReport) -> [String: Int64] {
      Dictionary(digest.entities.map { ($0.name, $0.rows) }) { first, _ in first }
    }
    let (own, others) = (rows(first), rows(second))
    entities = Set(own.keys).union(others.keys).sorted(by: ByteOrder.precedes).map { name in
      Entity(
        name: name,
        rows: (own[name], others[name]),
        isEqual: !differing.contains(name),
        isOfOneVersion: !rehashed.contains(name)
      )
    }
  }

  private var differing: [Entity] { entities.filter { !$0.isEqual } }

  package var members: JSONMembers {
    [
      "equal": differing.isEmpty, "sameVersion": rehashed.isEmpty,
      "stores": [first.summary, second.summary], "differing": differing.map(\.name),
      "entities": entities.map { entity in
        [
          "name": entity.name, "rows": [entity.rows.first, entity.rows.second],
          "equal": entity.isEqual, "sameVersion": entity.isOfOneVersion,
        ] as JSONMembers
      },
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for store in [first, second] {
      let rows = Quantity.count(Int(clamping: store.rows), "row")
      lines.append("\(store.store, .strong) by \(store.version, .strong)  \(rows, .faint)")
      lines += store.missingFileLines
    }
    if !rehashed.isEmpty {
      lines.append("\("They are of different versions.", .caution)")
    }
    var table = TextTable([
      ("entity", .left), ("first", .right), ("second", .right), ("", .left),
    ])
    for entity in isVerbose ? entities : differing {
      table.append([
        StyledText(entity.name), Self.text(entity.rows.first), Self.text(entity.rows.second),
        StyledText(entity.relation, entity.isEqual ? .faint : .bad),
      ])
    }
    if !table.isEmpty { lines += table.lines(indentation: 2) }
    let count = Quantity.count(entities.count, "entity", "entities")
    lines.append(
      differing.isEmpty
        ? "\("equal", .good)  \(count)"
        : "\("different", .bad)  \(Quantity.grouped(differing.count)) of \(count)"
    )
    return lines
  }

  private static func text(_ count: Int64?) -> StyledText {
    StyledText(count.map { Quantity.grouped($0) } ?? "–", count == nil ? .faint : .plain)
  }
}
