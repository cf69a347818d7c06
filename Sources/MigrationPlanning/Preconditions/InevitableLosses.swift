import ObjectModel

/// A lower bound on what the edges of a line drop of the data that one store holds.
///
/// An edge that does what the steps between its ends do drops what they drop: a property of which the store
/// has values, or an entity of which it has rows, that the walk from the store's version brings to one end
/// and not to the other. An edge that does something else costs more for that alone. Values whose transformer
/// changes, and links that lose their order, follow from both ends alike. This counts distinct findings of an
/// inferred edge, none of which the store's data can prove to cost nothing.
package struct InevitableLosses {
  /// The fewest findings of two kinds.
  package struct Risks: Hashable, Sendable {
    /// Those that drop something by design.
    package fileprivate(set) var lossy = 0
    /// Those of which the data leaves open whether everything is kept.
    package fileprivate(set) var conditional = 0
  }

  /// A property that lives on at a node and means something else there.
  private struct Change: Hashable {
    let node: Int
    let place: ManagedObjectModel.DeclaredProperty.ID
    let isLossy: Bool
  }

  /// What the walk has made of the rows of one of the store's entities.
  private enum Rows {
    /// They are rows of one entity, each as one object.
    case kept(Kept)
    /// There are none any more.
    case gone
    /// Nothing certain is known of them.
    case open
  }

  /// Rows of one entity that are all rows of another.
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

  /// One of the store's entities at a node.
  private struct Place: Hashable {
    let entity: String
    let node: Int
  }

  private let graph: VersionGraph
  private let start: Int
  /// The last node to which the walk is known.
  private let end: Int
  /// How many of the steps up to each node are not inferred.
  private let breaks: [Int]
  /// The rows at each node from the first on, by the name of the store's entity.
  private var tracks: [String: [Rows]] = [:]
  private let ask: (Precondition) -> Precondition.Answer
  private var refuted: [Precondition: Bool] = [:]
  private var counts: [Int: [Risks]] = [:]
  private var names: [Place: Set<String>] = [:]

  /// - Parameters:
  ///   - source: The node of the store's version.
  ///   - way: Returns the walk from there to a node; nil where it has an opaque or missing step.
  ///   - ask: Answers a question to the store.
  /// - Complexity: O(*n* · *p*) in nodes and the properties of one version.
  init(
    _ graph: VersionGraph,
    from source: Int,
    way: (Int) -> NormalMapping?,
    ask: @escaping (Precondition) -> Precondition.Answer
  ) {
    self.graph = graph
    self.ask = ask
    start = source
    var breaks = [0]
    for edge in graph.consecutiveEdges {
      breaks.append((breaks.last ?? 0) + (edge.kind == .authored ? 1 : 0))
    }
    self.breaks = breaks
    let entities = graph.nodes[source].model.entities.filter { !$0.isAbstract }.map(\.name)
    var end = source - 1
    while end + 1 < graph.nodes.count, let way = way(end + 1), way.opaqueSteps.isEmpty {
      var found: [String: [(entity: String, origin: NormalMapping.Origin)]] = [:]
      for (entity, origins) in way.origins {
        for origin in origins {
          found[origin.sourceEntityName, default: []].append((entity, origin))
        }
      }
      for entity in entities {
        let before = tracks[entity]?.last
        let rows = Self.rows(after: before, found[entity] ?? []) { way.origins[$0]?.count == 1 }
        tracks[entity, default: []].append(rows)
      }
      end += 1
    }
    self.end = end
  }

  private static func rows(
    after before: Rows?,
    _ found: [(entity: String, origin: NormalMapping.Origin)],
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

  /// The fewest findings by which the inferred edge between two nodes costs the store's data something.
  ///
  /// - Complexity: O(1), once the store was asked about what is dropped after the first of them.
  mutating func risks(from source: Int, to destination: Int) -> Risks {
    guard start <= source, source < destination, destination <= end,
      breaks[source] == breaks[destination]
    else { return Risks() }
    let row = counts[source] ?? row(from: source)
    counts[source] = row
    return row[destination - source]
  }

  private mutating func row(from source: Int) -> [Risks] {
    var counts = [Risks](repeating: Risks(), count: end - source + 1)
    // One finding may speak of all entities that inherit a property.
    var drops: [ManagedObjectModel.DeclaredProperty.ID: [Bool]] = [:]
    var changes: Set<Change> = []
    let model = graph.nodes[source].model
    for (entity, track) in tracks {
      guard case .kept(let kept) = track[source - start] else { continue }
      let life = track[(source - start)...].prefix { if case .kept = $0 { true } else { false } }
      for node in (start + life.endIndex)..<max(end + 1, start + life.endIndex) {
        guard case .gone = track[node - start] else { break }
        if isRefuted(.noRows, Precondition.Subject(entity)) { counts[node - source].lossy += 1 }
      }
      guard case .kept(let last)? = life.last else { continue }
      for declared in model.properties(of: kept.entity) {
        guard let name = ownProperty(declared.property.name, kept) else { continue }
        let nodes = (start + life.startIndex + 1)..<(start + life.endIndex)
        if let kind = declared.property.changingKind {
          for node in nodes {
            guard let change = change(of: declared.property, name, entity, from: source, to: node),
              isRefuted(kind, subject(declared.property, kept, entity, name))
            else { continue }
            changes.insert(change)
          }
        }
        guard last.readers[name] == nil, isHeld(declared.property, kept, entity, name) else {
          continue
        }
        var flags = drops[declared.id] ?? [Bool](repeating: false, count: counts.count)
        for node in nodes where !flags[node - source] {
          flags[node - source] =
            isDropped(declared.property, name, of: entity, at: node)
            && (declared.property.relationship.map {
              isDroppedAtInverse($0, model, from: source, to: node)
            } ?? true)
        }
        drops[declared.id] = flags
      }
    }
    for flags in drops.values {
      for (place, isDropped) in flags.enumerated() where isDropped { counts[place].lossy += 1 }
    }
    for change in changes {
      if change.isLossy {
        counts[change.node - source].lossy += 1
      } else {
        counts[change.node - source].conditional += 1
      }
    }
    return counts
  }

  /// What a property that lives on means otherwise at a node: its transformer cannot be known to read the
  /// values, or its links lose their order.
  private func change(
    of property: PropertyDescription,
    _ name: String,
    _ entity: String,
    from source: Int,
    to node: Int
  ) -> Change? {
    guard case .kept(let kept)? = tracks[entity]?[node - start],
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

  /// The store's property whose values a property has, and no other one; nil for any other.
  private func ownProperty(_ property: String, _ kept: Kept) -> String? {
    guard let name = kept.values[property]?.unchanged.carriedProperty else { return nil }
    return kept.readers[name] == [property] ? name : nil
  }

  /// Whether nothing has the values of a store's property at a node, nor a property that may be matched with
  /// the one that had them.
  private mutating func isDropped(
    _ property: PropertyDescription,
    _ name: String,
    of entity: String,
    at node: Int
  ) -> Bool {
    guard case .kept(let kept)? = tracks[entity]?[node - start], kept.readers[name] == nil else {
      return false
    }
    let place = Place(entity: entity, node: node)
    let taken =
      names[place]
      ?? Set(
        graph.nodes[node].model.properties(of: kept.entity).flatMap {
          [$0.property.name, $0.property.canonicalName]
        }
      )
    names[place] = taken
    return !taken.contains(property.name) && !taken.contains(property.canonicalName)
  }

  /// Whether no relationship back keeps the links: one is dropped, or all objects at the other end are.
  private mutating func isDroppedAtInverse(
    _ relationship: RelationshipDescription,
    _ model: ManagedObjectModel,
    from source: Int,
    to node: Int
  ) -> Bool {
    guard let inverse = model.inverse(of: relationship) else { return true }
    let names = model.hierarchyNames(below: relationship.destinationEntityName)
    var far = Set(names.filter { model[$0]?.isAbstract == false })
    for (entity, track) in tracks {
      guard case .kept(let kept) = track[source - start], far.contains(kept.entity) else {
        continue
      }
      if case .gone = track[node - start] { far.remove(kept.entity) }
      if let name = ownProperty(inverse.property.name, kept),
        isDropped(inverse.property, name, of: entity, at: node)
      {
        return true
      }
    }
    return far.isEmpty
  }

  /// Whether the store has values or links of a property, which inference calls lost where it drops it.
  private mutating func isHeld(
    _ property: PropertyDescription,
    _ kept: Kept,
    _ entity: String,
    _ name: String
  ) -> Bool {
    guard property.isPersistent else { return false }
    if let attribute = property.attribute {
      guard attribute.derivationExpression == nil, attribute.membership == nil else { return false }
    }
    let kind: Precondition.Kind = property.relationship == nil ? .noValues : .noLinks
    return isRefuted(kind, subject(property, kept, entity, name))
  }

  /// The store's rows, with the value that one of a property is there.
  private func subject(
    _ property: PropertyDescription,
    _ kept: Kept,
    _ entity: String,
    _ name: String
  ) -> Precondition.Subject {
    let value = property.relationship == nil ? kept.values[property.name] : nil
    return Precondition.Subject(entity, [value ?? .carried([name])])
  }

  private mutating func isRefuted(
    _ kind: Precondition.Kind,
    _ subject: Precondition.Subject
  ) -> Bool {
    let question = Precondition(.entityDropped, entity: subject.entity, kind, [subject])
    if let known = refuted[question] { return known }
    let isRefuted = if case .refuted = ask(question) { true } else { false }
    refuted[question] = isRefuted
    return isRefuted
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
}
