import ObjectModel

/// The declarations of one entity across consecutive versions, used to bound edge costs.
struct EntityHistory {
  /// A lower bound on the entity's part in an edge.
  struct Bound {
    var verdict = EdgeLowerBound.Verdict.open
    var lossy: UInt16 = 0
    var conditional: UInt16 = 0
  }

  /// The result of the steps up to a version for the entity's objects.
  private enum History {
    /// The objects exist, and each attribute has an origin.
    case kept(PreparedEntity, [PropertyPairing.Origin])
    /// The objects were dropped.
    case dropped
    /// The result depends on other entities.
    case open
  }

  /// A run of consecutive versions that declare the entity alike.
  private struct Run {
    /// The entity as steps leave it; nil where there is none.
    let leaving: PreparedEntity?
    /// The entity at the end of steps to this run; nil where there is none.
    let arriving: PreparedEntity?
    /// Whether steps from some versions end at another declaration.
    let isOpen: Bool

    func isLike(_ other: Run) -> Bool {
      !isOpen && !other.isOpen && leaving === arriving && other.leaving === other.arriving
        && other.leaving === leaving
    }
  }

  private let isAlone: Bool
  private let declarers: Set<String>
  private var runs: [Run] = []
  /// The run of each version.
  private var places: [Int] = []
  /// The bounds between each run and all later ones; nil until one of them is requested.
  private var rows: [[Bound]?]
  /// The pairing of the step to each run, the same for all sources; nil until it is requested.
  private var steps: [PropertyPairing?]

  /// - Parameters:
  ///   - leaving: The entity of each version at the start of steps; nil where there is none.
  ///   - arriving: The entity of each version at the end of steps, from any version.
  ///   - isAlone: Whether no other entity of any version has one of its names, so that it can only be itself.
  ///   - declarers: The entities whose properties are counted here.
  init(
    leaving: [PreparedEntity?],
    arriving: [[PreparedEntity?]],
    isAlone: Bool,
    declarers: Set<String>
  ) {
    self.isAlone = isAlone
    self.declarers = declarers
    for node in leaving.indices {
      let run = Run(
        leaving: leaving[node],
        arriving: arriving[node].first ?? nil,
        isOpen: arriving[node].contains { $0 !== arriving[node].first ?? nil }
      )
      if runs.last?.isLike(run) != true { runs.append(run) }
      places.append(runs.count - 1)
    }
    rows = [[Bound]?](repeating: nil, count: runs.count)
    steps = [PropertyPairing?](repeating: nil, count: runs.count)
  }

  /// Returns the bound between a version and a later one.
  mutating func bound(from source: Int, to destination: Int) -> Bound {
    let (first, last) = (places[source], places[destination])
    if first == last { return Bound() }
    if let row = rows[first] { return row[last - first - 1] }
    let row = self.row(from: first)
    rows[first] = row
    return row[last - first - 1]
  }

  private mutating func row(from first: Int) -> [Bound] {
    guard let source = runs[first].leaving, !source.isAbstract else {
      return [Bound](repeating: Bound(), count: runs.count - first - 1)
    }
    let identity = source.properties.indices.map { place -> PropertyPairing.Origin in
      source.hasPlainAttribute(at: place) ? .carried(place) : .open
    }
    var history = History.kept(source, identity)
    var bounds: [Bound] = []
    bounds.reserveCapacity(runs.count - first - 1)
    for last in runs.indices.dropFirst(first + 1) {
      history = self.history(after: history, last)
      bounds.append(bound(from: source, to: runs[last], history))
    }
    return bounds
  }

  /// Returns whether rows of the entity stay rows of it, independent of other entities.
  private func isCertain(_ source: PreparedEntity, _ destination: PreparedEntity) -> Bool {
    !source.isAbstract && !destination.isAbstract
      && (isAlone || source.key.canonicalName == destination.key.canonicalName)
  }

  /// Returns the objects after the step to a run, given those at the run before it.
  private mutating func history(after history: History, _ last: Int) -> History {
    guard case .kept(let known, let origins) = history, let before = runs[last - 1].leaving else {
      return history
    }
    let next = runs[last]
    if next.isOpen { return .open }
    guard let after = next.arriving else {
      return isAlone && !before.isAbstract ? .dropped : .open
    }
    guard isCertain(before, after) else { return .open }
    let pairing = steps[last] ?? PropertyPairing(before, after, declarers)
    steps[last] = pairing
    let made = pairing.origins.enumerated().map { place, origin -> PropertyPairing.Origin in
      guard case .carried(let old) = origin else { return origin }
      // Among versions with the same hashes, the next step may start at another one than the last step
      // ended at.
      let name = before.properties[old].property.name
      guard let arrived = known === before ? old : known.index(of: name) else { return .open }
      return PropertyPairing.carrying(origins[arrived], from: before, at: old, to: after, at: place)
    }
    return .kept(after, made)
  }

  private func bound(
    from source: PreparedEntity,
    to run: Run,
    _ history: History
  ) -> Bound {
    var bound = Bound()
    if run.isOpen { return bound }
    guard let destination = run.arriving else {
      if isAlone { bound.lossy = 1 }
      return bound
    }
    guard isCertain(source, destination) else { return bound }
    let pairing = PropertyPairing(source, destination, declarers)
    bound.lossy = UInt16(clamping: pairing.lossy)
    bound.conditional = UInt16(clamping: pairing.conditional)
    switch history {
    case _ where pairing.isRefused: bound.verdict = .refused
    case .open: break
    case .dropped: bound.verdict = .notEquivalent
    case .kept(_, let origins):
      let differ = zip(pairing.origins, origins).contains { own, reference in
        own != .open && reference != .open && own != reference
      }
      if differ { bound.verdict = .notEquivalent }
    }
    return bound
  }
}
