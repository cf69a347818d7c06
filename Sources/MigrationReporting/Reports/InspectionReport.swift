package import ObjectModel

/// A report on a store: its version, metadata and entities.
package struct InspectionReport: Report, MemberEncodable {
  package static let verb = "inspect"

  /// The evidence by which the store's version was identified.
  package enum Match: String, Hashable, Sendable {
    /// The hashes are those of exactly one version.
    case exact
    /// Several versions have them.
    case equal
    /// None has them; some are near.
    case nearest
    /// None has them; the store's own cached model does.
    case recovered
    /// There is nothing to compare.
    case none
  }

  /// The part of a version that the store has.
  package enum Scope: Hashable, Sendable {
    /// All entities of one version.
    case whole
    /// The entities of one configuration, named where the model names it.
    case configuration(String?)
    /// The entities of several models, each in one version.
    case merged

    fileprivate var name: String {
      switch self {
      case .whole: "whole"
      case .configuration: "configuration"
      case .merged: "merged"
      }
    }

    fileprivate var configuration: String? {
      if case .configuration(let name) = self { name } else { nil }
    }
  }

  /// An entity of the store.
  package struct Entity: Hashable, Encodable, Sendable {
    /// The name.
    package var name: String
    /// The hash in the store's metadata.
    package var hash: String
    /// The number in `Z_PRIMARYKEY`.
    package var number: Int?
    /// The rows, subentities not counted.
    package var rows: Int?

    /// Makes an entity's line; unknown numbers are nil.
    package init(name: String, hash: String, number: Int?, rows: Int?) {
      self.name = name
      self.hash = hash
      self.number = number
      self.rows = rows
    }
  }

  /// A version that is near, with its differences.
  package struct Nearby: Hashable, Encodable, Sendable {
    /// The version.
    package var version: String
    /// The differences, one sentence each.
    package var differences: [String]

    /// A near version.
    package init(version: String, differences: [String]) {
      self.version = version
      self.differences = differences
    }
  }

  /// A measure of how well tables and columns fit a version, independent of the hashes.
  package struct Structure: Hashable, Encodable, Sendable {
    /// The version.
    package var version: String
    /// Whether every table and column is that of the version.
    package var agrees: Bool
    /// The differences, one sentence each.
    package var differences: [String]

    /// A version compared with the store's tables.
    package init(version: String, agrees: Bool, differences: [String]) {
      self.version = version
      self.agrees = agrees
      self.differences = differences
    }
  }

  /// The store's path.
  package var path: String
  /// Bytes of the store and of its `-wal`.
  package var bytes: (store: Int, wal: Int)
  /// The evidence by which the version was identified.
  package var match: Match
  /// The versions that match: those with the same hashes with the last first, else one per model.
  package var versions: [String]
  /// The part of a version that the store has.
  package var scope = Scope.whole
  /// Near versions, the nearest first.
  package var nearest: [Nearby]
  /// The versions whose tables and columns fit best, where no version has the store's hashes.
  package var structure: [Structure] = []
  /// Facts from the metadata: a name and a value each, in the order to show.
  package var facts: [(name: String, value: String)]
  /// Whether the rows of each entity were counted.
  package var hasRowCounts = true
  /// The entities whose table the store lacks.
  package var entitiesWithoutTable: Set<String> = []
  /// The entities in byte order of their names.
  package var entities: [Entity]
  /// The findings on the store.
  package var findings: [Finding]

  /// A store in words.
  package init(
    path: String,
    bytes: (store: Int, wal: Int),
    match: Match,
    versions: [String],
    nearest: [Nearby] = [],
    facts: [(name: String, value: String)] = [],
    entities: [Entity] = [],
    findings: [Finding] = []
  ) {
    self.path = path
    self.bytes = bytes
    self.match = match
    self.versions = versions
    self.nearest = nearest
    self.facts = facts
    self.entities = entities
    self.findings = findings
  }

  package var members: JSONMembers {
    [
      "store": path, "bytes": bytes.store, "walBytes": bytes.wal, "match": match.rawValue,
      "versions": versions, "scope": scope.name, "configuration": scope.configuration,
      "nearest": nearest, "structure": structure,
      "metadata": Dictionary(facts.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 }),
      "entities": entities, "findings": findings,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let wal = bytes.wal > 0 ? ", and \(Quantity.bytes(bytes.wal)) in its -wal" : ""
    var lines: [StyledText] = [
      "\(path, .strong)  \("\(Quantity.bytes(bytes.store))\(wal)", .faint)", matchLine,
    ]
    var table = TextTable([("", .left), ("", .left)])
    for fact in facts { table.append([StyledText(fact.name, .faint), StyledText(fact.value)]) }
    lines += table.lines(indentation: 2)
    for near in nearest {
      lines += ["", "nearest is \(near.version, .strong), which differs:"]
      let shown = isVerbose ? near.differences[...] : near.differences.prefix(12)
      lines += shown.map { "  \($0)" }
      let hidden = near.differences.count - shown.count
      if hidden > 0 { lines.append(StyledText("  \(hidden) more; --verbose shows them.", .faint)) }
    }
    lines += structureLines(isVerbose: isVerbose)
    if !entities.isEmpty { lines += [""] + entityLines(isVerbose: isVerbose) }
    return lines + findings.section("Findings", isVerbose: isVerbose)
  }

  private func structureLines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for match in structure.prefix(isVerbose ? structure.count : 1) {
      let name = StyledText(match.version, .strong)
      lines += [
        "",
        match.agrees
          ? "all tables and columns are those of " + name
          : "by tables and columns nearest is " + name,
      ]
      let shown = isVerbose ? match.differences[...] : match.differences.prefix(12)
      lines += shown.map { "  \($0)" }
      let hidden = match.differences.count - shown.count
      if hidden > 0 { lines.append(StyledText("  \(hidden) more; --verbose shows them.", .faint)) }
    }
    return lines
  }

  private var matchLine: StyledText {
    let separator = scope == .merged ? " + " : " = "
    let names = StyledText(versions.joined(separator: separator), .strong)
    return switch (match, scope) {
    case (.exact, .merged): "version " + names + "  " + StyledText("one of each model", .good)
    case (.exact, .configuration(let name)), (.equal, .configuration(let name)):
      "version " + names + "  "
        + StyledText(name.map { "only configuration \($0)" } ?? "only some entities", .caution)
    case (.exact, _): "version " + names + "  " + StyledText("exact, by its hashes", .good)
    case (.equal, _):
      "version " + names + "  " + StyledText("these versions have the same hashes", .good)
    case (.recovered, _):
      "version " + StyledText("in no archived model; the store carries its own", .caution)
    case (.nearest, _), (.none, _): "version " + StyledText("in no archived model", .bad)
    }
  }

  private func entityLines(isVerbose: Bool) -> [StyledText] {
    var table = TextTable([
      ("entity", .left), ("number", .right), ("rows", .right), (isVerbose ? "hash" : "", .left),
    ])
    for entity in entities {
      table.append([
        StyledText(entity.name),
        entity.number.map { "\($0)" } ?? "",
        entitiesWithoutTable.contains(entity.name)
          ? "missing" : entity.rows.map { "\($0)" } ?? "",
        isVerbose ? StyledText(entity.hash, .faint) : "",
      ])
    }
    let lines = table.lines(indentation: 2)
    return hasRowCounts
      ? lines
      : lines + [StyledText("  The store is large: --counts counts its rows.", .faint)]
  }
}
