internal import MigrationPlanning
internal import ObjectModel

/// The stores of Core Data's versions that SwiftData opens in place, and the cause where it does not.
struct InPlaceOpening {
  /// The model, which joins versions of both frameworks.
  let model: VersionedModel
  let graph: VersionGraph
  /// The paths of the shipped versions.
  let paths: [CoverageReport.Path]
  let names: VersionNames

  /// The finding on all versions together; nil where the model was not moved to SwiftData.
  var finding: Finding? {
    guard model.isMovedToSwift, let current = model.current, current.isOfSwift else { return nil }
    var sentences: [String] = []
    for node in graph.nodes {
      guard let schema = node.versions.first(where: \.isOfSwift) else { continue }
      let equal = labels(node)
      guard !equal.isEmpty else { continue }
      sentences.append(
        "\(names.name(of: schema)) has the hashes of \(equal.capped): SwiftData takes \(stores(equal)) for its "
          + "own."
      )
    }
    for (outcome, words) in Self.words {
      let nodes = paths.filter { $0.store == nil && Outcome($0) == outcome }
        .map { graph.nodes[$0.source] }
      let own = nodes.filter { !$0.versions.contains(where: \.isOfSwift) }.flatMap(labels)
      if !own.isEmpty { sentences.append("\(words) of \(own.capped).") }
    }
    if let difference { sentences.append(difference) }
    guard !sentences.isEmpty else { return nil }
    return Finding(
      .movedInPlace,
      .note,
      at: Finding.Place(version: names.name(of: current)),
      message: sentences.joined(separator: " "),
      remedy: advice
    )
  }

  /// The outcomes of stores that SwiftData does not recognize as its own.
  private enum Outcome: Hashable {
    case inferred
    case inferredWithLoss
    case refused
    case unknown

    init(_ path: CoverageReport.Path) {
      switch path.app.kind {
      case .fails: self = .refused
      case .unknown: self = .unknown
      case .loses: self = .inferredWithLoss
      case .arrives, .otherDefaults, .keeps:
        self = path.app.drops.isEmpty ? .inferred : .inferredWithLoss
      }
    }
  }

  private static let words: [(Outcome, String)] = [
    (.inferred, "It migrates in place, when it first opens them, the stores"),
    (.inferredWithLoss, "It migrates in place, with a loss, the stores"),
    (.refused, "It does not open the stores"),
    (.unknown, "Unknown: whether it opens the stores"),
  ]

  private func stores(_ names: [String]) -> String {
    names.count == 1 ? "its stores" : "their stores"
  }

  private func labels(_ node: VersionGroup) -> [String] {
    node.versions.filter { !$0.isOfSwift }.map { names.name(of: $0) }
  }

  /// The last version of Core Data, and the first schema after it.
  private var seam: (old: ModelVersion, new: ModelVersion)? {
    guard let first = model.versions.firstIndex(where: \.isOfSwift), first > 0 else { return nil }
    return (model.versions[first - 1], model.versions[first])
  }

  /// The changes by which the first schema has other hashes than the last version of Core Data.
  private var difference: String? {
    guard let (old, new) = seam else { return nil }
    let changes = ModelDifference(from: old.model, to: new.model).changes.filter {
      $0.changesHash && !$0.isConsequence && $0.action != .suspectedRename
    }
    guard !changes.isEmpty else { return nil }
    let texts = changes.map { CoverageReport.Change($0.entityName, $0.action, $0.sentence).text }
    let shown = 6
    let more = texts.count > shown ? "; and \(texts.count - shown) more" : ""
    return "\(names.name(of: new)) differs from \(names.name(of: old)) in what version hashes see: "
      + texts.prefix(shown).joined(separator: "; ") + more + "."
  }

  private var advice: String {
    guard let (old, _) = seam, difference != nil else { return "Nothing needs to be done." }
    let name = names.name(of: old).shellWord
    return
      "`waystone export \(name) --swift -o SchemaV0.swift` writes the schema that has its hashes, "
      + "or names what no class can have."
  }
}
