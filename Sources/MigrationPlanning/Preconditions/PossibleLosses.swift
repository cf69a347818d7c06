import ObjectModel
import Synchronization

/// The possible losses of a line's inferred edges for stores of one version, with the questions that
/// decide them.
///
/// They are the same for all stores of the version, and made once; ``InevitableLosses`` has the answers
/// of one store.
final class PossibleLosses: Sendable {
  /// A set of versions to which edges drop something, where the store refutes a question.
  struct Claim: Sendable {
    /// The number of the question.
    let question: Int
    let nodes: [Range<Int>]
  }

  /// The possible losses of the edges from one version.
  struct Row: Sendable {
    /// The number of versions, from this one on, to which the history is known.
    let count: Int
    /// The claims by the finding that they bring about, each alone.
    var drops: [[Claim]] = []
    /// The changes, each with its questions; at least one question of each must be refuted.
    var changes: [(change: Change, questions: [Int])] = []
  }

  /// A property that lives on at a version and means something else there.
  struct Change: Hashable {
    let node: Int
    let place: ManagedObjectModel.DeclaredProperty.ID
    let isLossy: Bool
  }

  /// The result of the history for the rows of one of the store's entities.
  private enum Rows {
    /// The rows are rows of one entity, each as one object.
    case kept(Kept)
    /// There are none any more.
    case gone
    /// The result is not certain.
    case open
  }

  /// A set of rows of one entity that are all rows of another.
  private struct Kept {
    let entity: String
    let values: [String: ValueOrigin]
    /// The properties that read each of the store's, by its name.
    let readers: [String: [String]]

    init(_ entity: String, _ values: [String: ValueOrigin]) {
      self.entity = entity
      self.values = values
      var readers: [String: [String]] = [:]
      for (name, value) in values {
        for property in value.properties { readers[property, default: []].append(name) }
      }
      self.readers = readers
    }
  }

  /// An entity of the store at a version.
  private struct Place: Hashable {
    let entity: String
    let node: Int
  }

  /// The result of the history for the store's rows, version by version.
  private struct Tracks {
    /// The rows at each version from the first on, by the name of the store's entity.
    var rows: [String: [Rows]] = [:]
    /// The last version to which the history is known.
    var end: Int
    /// The number of authored steps up to each version.
    var breaks = [0]
  }

  /// The rows, names and questions computed so far.
  private struct State {
    var tracks: Tracks?
    var rows: [Int: Row] = [:]
    var names: [Place: Set<String>] = [:]
    var questions: [Precondition] = []
    var numbers: [Precondition: Int] = [:]
  }

  private let graph: VersionGraph
  private let start: Int
  private let histories: VersionGraph.HistoryMappings
  private let state = Mutex(State())

  /// - Parameter source: The version of the stores.
  /// - Complexity: O(*n* · *p*) in versions and the properties of one version.
  init(_ graph: VersionGraph, from source: Int) {
    self.graph = graph
    start = source
    histories = VersionGraph.HistoryMappings(graph, from: source)
  }

  /// Returns the history's mapping of the store's objects up to a version; nil where there is none.
  func mapping(to node: Int) -> ComposedMapping? {
    if case .mapping(let mapping)? = histories[node] { mapping } else { nil }
  }

  /// Returns the question of a number that a claim has.
  func question(_ number: Int) -> Precondition { state.withLock { $0.questions[number] } }

  /// Returns the possible losses of the edges from a version; nil where nothing is known of the edge to
  /// another version.
  func row(from source: Int, to destination: Int) -> Row? {
    state.withLock { state in
      if state.tracks == nil { state.tracks = makeTracks() }
      guard let tracks = state.tracks, start <= source, source < destination,
        destination <= tracks.end,
        tracks.breaks[source] == tracks.breaks[destination]
      else { return nil }
      if let known = state.rows[source] { return known }
      let row = makeRow(from: source, tracks, &state)
      state.rows[source] = row
      return row
    }
  }

  private func makeTracks() -> Tracks {
    var tracks = Tracks(end: start - 1)
    for edge in graph.consecutiveEdges {
      tracks.breaks.append((tracks.breaks.last ?? 0) + (edge.kind == .authored ? 1 : 0))
    }
    let entities = graph.nodes[start].model.entities.filter { !$0.isAbstract }.map(\.name)
    while tracks.end + 1 < graph.nodes.count, let mapping = mapping(to: tracks.end + 1),
      mapping.opaqueSteps.isEmpty
    {
      var found: [String: [(entity: String, origin: ComposedMapping.Origin)]] = [:]
      for (entity, origins) in mapping.origins {
        for origin in origins {
          found[origin.sourceEntityName, default: []].append((entity, origin))
        }
      }
      for entity in entities {
        let before = tracks.rows[entity]?.last
        let rows = Self.rows(after: before, found[entity] ?? []) { mapping.origins[$0]?.count == 1 }
        tracks.rows[entity, default: []].append(rows)
      }
      tracks.end += 1
    }
    return tracks
  }

  private static func rows(
    after before: Rows?,
    _ found: [(entity: String, origin: ComposedMapping.Origin)],
    isAlone: (String) -> Bool
  ) -> Rows {
    switch before {
    case .open?: return .open
    case .gone?: return found.isEmpty ? .gone : .open
    case .kept?, nil: break
    }
    guard let (entity, origin) = found.first else { return .gone }
    guard found.count == 1, isAlone(entity), origin.conditions.isEmpty, origin.opaqueSteps.isEmpty,
      origin.deduplicationKeys.isEmpty
    else { return .open }
    if case .kept(let kept)? = before, kept.entity == entity, kept.values == origin.values {
      return .kept(kept)
    }
    return .kept(Kept(entity, origin.values))
  }

  private func makeRow(from source: Int, _ tracks: Tracks, _ state: inout State) -> Row {
    var row = Row(count: tracks.end - source + 1)
    // One finding may be about all entities that inherit a property.
    var drops: [ManagedObjectModel.DeclaredProperty.ID: [Claim]] = [:]
    var changes: [Change: [Int]] = [:]
    let model = graph.nodes[source].model
    for (entity, track) in tracks.rows {
      guard case .kept(let kept) = track[source - start] else { continue }
      let life = track[(source - start)...].prefix { if case .kept = $0 { true } else { false } }
      let gone = track[life.endIndex...].prefix { if case .gone = $0 { true } else { false } }
      if !gone.isEmpty {
        let question = number(.noRows, Precondition.Subject(entity), &state)
        let nodes = start + gone.startIndex..<start + gone.endIndex
        row.drops.append([Claim(question: question, nodes: [nodes])])
      }
      guard case .kept(let last)? = life.last else { continue }
      for declared in model.properties(of: kept.entity) {
        guard let name = ownProperty(declared.property.name, kept) else { continue }
        let subject = subject(declared.property, kept, entity, name)
        let nodes = (start + life.startIndex + 1)..<(start + life.endIndex)
        if let kind = declared.property.changingKind {
          for node in nodes {
            guard
              let change = change(of: declared.property, name, track, from: source, to: node)
            else { continue }
            changes[change, default: []].append(number(kind, subject, &state))
          }
        }
        guard last.readers[name] == nil, declared.property.isLostWhereDropped else { continue }
        var dropped: [Range<Int>] = []
        for node in nodes
        where isDropped(declared.property, name, track, of: entity, at: node, &state)
          && (declared.property.relationship.map {
            isDroppedAtInverse($0, model, tracks, from: source, to: node, &state)
          } ?? true)
        {
          if let range = dropped.last, range.upperBound == node {
            dropped[dropped.count - 1] = range.lowerBound..<node + 1
          } else {
            dropped.append(node..<node + 1)
          }
        }
        guard !dropped.isEmpty else { continue }
        let kind: Precondition.Kind =
          declared.property.relationship == nil ? .noValues : .noLinks
        let claim = Claim(question: number(kind, subject, &state), nodes: dropped)
        drops[declared.id, default: []].append(claim)
      }
    }
    row.drops += drops.values
    row.changes = changes.map { ($0.key, $0.value) }
    return row
  }

  /// Returns the number of the question whether a store has rows, values or links.
  private func number(
    _ kind: Precondition.Kind,
    _ subject: Precondition.Subject,
    _ state: inout State
  ) -> Int {
    let question = Precondition(.entityDropped, entity: subject.entity, kind, [subject])
    if let known = state.numbers[question] { return known }
    state.questions.append(question)
    state.numbers[question] = state.questions.count - 1
    return state.questions.count - 1
  }

  /// Returns the change of a property that lives on at a version: its transformer may not read the
  /// values, or its links lose their order.
  private func change(
    of property: PropertyDescription,
    _ name: String,
    _ track: [Rows],
    from source: Int,
    to node: Int
  ) -> Change? {
    guard case .kept(let kept) = track[node - start],
      let own = kept.readers[name], own.count == 1, ownProperty(own[0], kept) == name,
      let declared = graph.nodes[node].arrivalModel(from: graph.nodes[source])
        .property(own[0], of: kept.entity)
    else { return nil }
    switch (property, declared.property) {
    case (.attribute(let old), .attribute(let new)):
      guard TransformerChange(from: old, to: new)?.isReadable == false else { return nil }
      return Change(node: node, place: declared.id, isLossy: false)
    case (.relationship(let old), .relationship(let new)):
      guard old.isOrdered, new.isToMany, !new.isOrdered else { return nil }
      return Change(node: node, place: declared.id, isLossy: true)
    default: return nil
    }
  }

  /// Returns the store's property whose values a property has, and no other one; nil for any other.
  private func ownProperty(_ property: String, _ kept: Kept) -> String? {
    guard let name = kept.values[property]?.unchanged.carriedProperty else { return nil }
    return kept.readers[name] == [property] ? name : nil
  }

  /// Returns whether nothing has the values of a store's property at a version, nor a property that may
  /// be matched with the one that had them.
  private func isDropped(
    _ property: PropertyDescription,
    _ name: String,
    _ track: [Rows],
    of entity: String,
    at node: Int,
    _ state: inout State
  ) -> Bool {
    guard case .kept(let kept) = track[node - start], kept.readers[name] == nil else {
      return false
    }
    let place = Place(entity: entity, node: node)
    let taken =
      state.names[place]
      ?? Set(
        graph.nodes[node].model.properties(of: kept.entity).flatMap {
          [$0.property.name, $0.property.canonicalName]
        }
      )
    state.names[place] = taken
    return !taken.contains(property.name) && !taken.contains(property.canonicalName)
  }

  /// Returns whether no relationship back keeps the links: one is dropped, or all objects at the other
  /// end are.
  private func isDroppedAtInverse(
    _ relationship: RelationshipDescription,
    _ model: ManagedObjectModel,
    _ tracks: Tracks,
    from source: Int,
    to node: Int,
    _ state: inout State
  ) -> Bool {
    guard let inverse = model.inverse(of: relationship) else { return true }
    let names = model.hierarchyNames(below: relationship.destinationEntityName)
    var far = Set(names.filter { model[$0]?.isAbstract == false })
    for (entity, track) in tracks.rows {
      guard case .kept(let kept) = track[source - start], far.contains(kept.entity) else {
        continue
      }
      if case .gone = track[node - start] { far.remove(kept.entity) }
      if let name = ownProperty(inverse.property.name, kept),
        isDropped(inverse.property, name, track, of: entity, at: node, &state)
      {
        return true
      }
    }
    return far.isEmpty
  }

  /// Returns the store's rows, with the value that one of a property is there.
  private func subject(
    _ property: PropertyDescription,
    _ kept: Kept,
    _ entity: String,
    _ name: String
  ) -> Precondition.Subject {
    let value = property.relationship == nil ? kept.values[property.name] : nil
    return Precondition.Subject(entity, [value ?? .carried([name])])
  }
}

extension PropertyDescription {
  /// The question whose answer decides a change that a property may come to without being dropped; nil where
  /// no such change is counted.
  fileprivate var changingKind: Precondition.Kind? {
    switch self {
    case .attribute(let attribute):
      attribute.attributeType == .transformable && attribute.isPersistent ? .noValues : nil
    case .relationship(let relationship):
      relationship.isOrdered && relationship.isToMany && relationship.isPersistent
        ? .atMostOneLink : nil
    case .fetchedProperty: nil
    }
  }

  /// Whether inference calls its values or links lost where it drops it.
  fileprivate var isLostWhereDropped: Bool {
    guard isPersistent else { return false }
    return attribute.map { $0.derivationExpression == nil && $0.membership == nil } ?? true
  }
}
