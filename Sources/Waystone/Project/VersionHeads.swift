public import ObjectModel

/// The versions of a model that claim to be the next one.
///
/// A version is a set of facts: each entity, each property with its type, and each further aspect that data
/// may depend on. Facts about renamed entities and properties have the names of the other version. A version
/// that is not locked is *based on* the locked version from which it differs in the fewest facts, the later
/// of two alike. It *builds on* an earlier version that is not locked if it keeps at least half of the facts
/// that that one adds to, or takes from, the version it is based on, and if its name is the next number after
/// that one's: its author had that one. A version that is not locked and that no other builds on is a head.
/// Where there are several, each claims to be next.
///
/// Two locked versions that follow the same one, as a merge of two locks leaves them, are heads too.
/// An `order:` in waystone.yml settles it: a list has one end; where it branches, its ends are heads.
public struct VersionHeads: Sendable {
  /// A version that claims to be next.
  public struct Head: Sendable {
    /// The version.
    public let version: ModelVersion
    /// The version that it is based on.
    public let base: ModelVersion
    /// The changes from that version.
    public let changes: [ModelChange]
    /// The entities and properties of the head before that it does not have: it would drop them, came it
    /// after that.
    public internal(set) var losses: [String] = []
  }

  /// The model.
  public let model: VersionedModel
  /// The heads; fewer than two where there is nothing to settle.
  public private(set) var heads: [Head] = []
  /// The places that several heads change, each differently.
  public private(set) var overlaps: [String] = []
  /// The versions that are not locked, or not named as shipped where there is no lock.
  public let newVersions: [ModelVersion]
  /// Whether it is unknown which versions are new, for want of a lock and of `shipped:`.
  public let isUnknown: Bool
  /// The names that both sides of a merge left in `.xccurrentversion`; none where there is no conflict.
  public let currentClaims: [String]

  /// - Complexity: O(*n* · *l* · *p*) in new and locked versions and the properties of one.
  init(_ model: VersionedModel, _ audit: LockAudit) throws(WaystoneError) {
    self.model = model
    let path = audit.project.folder.resolved(model.path)
    currentClaims = try CurrentClaims.read(in: path)
    let configuration = audit.project.configuration
    let names =
      audit.lock == nil
      ? configuration.map { $0.shipped.isEmpty ? [] : Set(audit.shipped.map(\.qualifiedName)) }
        ?? []
      : audit.lockedNames
    let locked = model.versions.filter { names.contains($0.qualifiedName) }
    isUnknown = names.isEmpty
    newVersions = model.versions.filter { !names.contains($0.qualifiedName) }
    let order = configuration?.order ?? [:]
    if model.parents != nil {
      heads = Self.ends(of: model)
    } else if order[model.name] == nil, order[""] == nil,
      configuration?.orderPattern == nil
    {
      heads = Self.newHeads(newVersions, locked)
      if heads.count < 2, let forked = Self.lockedHeads(model, audit) { heads = forked }
    }
    if heads.count > 1 { overlaps = Self.overlaps(heads) }
    for index in heads.indices.dropFirst() {
      heads[index].losses = Self.changes(from: heads[index - 1].version, to: heads[index].version)
        .filter { $0.action == .removed && $0.entityName != nil }.map(\.place)
    }
  }

  /// Returns the versions that no other follows, where versions branched; each is based on the last one that
  /// all follow.
  private static func ends(of model: VersionedModel) -> [Head] {
    let parents = model.versions.indices.map { model.parentPositions(of: $0) }
    let followed = Set(parents.joined())
    let ends = model.versions.indices.filter { !followed.contains($0) }
    var ancestors: [Set<Int>] = []
    for (position, list) in parents.enumerated() {
      ancestors.append(list.reduce(into: [position]) { $0.formUnion(ancestors[$1]) })
    }
    guard ends.count > 1 else { return [] }
    let shared = ends.dropFirst().reduce(ancestors[ends[0]]) { $0.intersection(ancestors[$1]) }
    let base = model.versions[shared.max() ?? 0]
    return ends.map { end in
      let version = model.versions[end]
      return Head(version: version, base: base, changes: changes(from: base, to: version))
    }
  }

  /// Returns the heads among versions that are not locked.
  private static func newHeads(_ new: [ModelVersion], _ locked: [ModelVersion]) -> [Head] {
    if new.isEmpty || locked.isEmpty { return [] }
    let known = locked.reversed().map { (version: $0, facts: facts(of: $0)) }
    let based = new.compactMap {
      version -> (head: Head, facts: Set<String>, changed: Set<String>)? in
      let differences = known.map { base in
        facts(of: version, inNamesOf: base.version).symmetricDifference(base.facts).count
      }
      guard let least = differences.min(), let place = differences.firstIndex(of: least) else {
        return nil
      }
      // Under its own names, in which what builds on it is read.
      let (base, own) = (known[place], facts(of: version))
      let changed = own.symmetricDifference(base.facts)
      guard !changed.isEmpty else { return nil }
      let changes = Self.changes(from: base.version, to: version)
      return (Head(version: version, base: base.version, changes: changes), own, changed)
    }
    return based.enumerated().filter { index, item in
      !based[(index + 1)...].contains { later in
        let facts = facts(of: later.head.version, inNamesOf: item.head.version)
        let kept = item.changed.count { facts.contains($0) == item.facts.contains($0) }
        return kept * 2 >= item.changed.count
          || NaturalOrder.counts(from: item.head.version.name, to: later.head.version.name)
      }
    }.map(\.element.head)
  }

  /// Returns the facts of a version: its entities and properties, each aspect as a text.
  ///
  /// - Parameter other: The version whose names replace those of renamed entities and properties; nil for the
  ///   version's own.
  private static func facts(
    of version: ModelVersion,
    inNamesOf other: ModelVersion? = nil
  ) -> Set<String> {
    var facts: Set<String> = []
    func add(_ place: String, _ values: [ModelAspect: String]) {
      facts.insert(place)
      for (aspect, value) in values { facts.insert("\(place) \(aspect.rawValue)=\(value)") }
    }
    let outlines = version.model.entityOutlines
    let others = other?.model.entityOutlines ?? []
    let entityNames = former(outlines.map { ($0.name, $0.values) }, among: others.map(\.name))
    for (entity, name) in zip(outlines, entityNames) {
      add(name, entity.values)
      let names = former(
        entity.properties.map { ($0.name, $0.values) },
        among: others.first { $0.name == name }?.properties.map(\.name) ?? []
      )
      for (property, own) in zip(entity.properties, names) {
        let type = property.values[.type] ?? property.values[.destination] ?? ""
        add("\(name).\(own): \(type)", property.values)
      }
    }
    return facts
  }

  /// Returns names, or the names that another version has for the same things by their Renaming IDs.
  private static func former(
    _ things: [(name: String, values: [ModelAspect: String])],
    among others: [String]
  ) -> [String] {
    let (own, others) = (Set(things.map(\.name)), Set(others))
    return things.map { name, values in
      guard let identifier = values[.renamingIdentifier], others.contains(identifier),
        !others.contains(name), !own.contains(identifier)
      else { return name }
      return identifier
    }
  }

  /// Returns the locked versions that follow the same one; without later versions that follow these.
  private static func lockedHeads(_ model: VersionedModel, _ audit: LockAudit) -> [Head]? {
    let own = audit.ownVersions.filter { $0.modelName == model.name && !$0.isRemoved }
    func version(_ name: String) -> ModelVersion? { model.versions.first { $0.name == name } }
    for base in model.versions {
      let followers = own.filter { $0.after == [base.name] }.compactMap { version($0.name) }
      guard followers.count > 1 else { continue }
      return followers.map {
        Head(version: $0, base: base, changes: changes(from: base, to: $0))
      }
    }
    return nil
  }

  private static func changes(from base: ModelVersion, to version: ModelVersion) -> [ModelChange] {
    ModelDifference(from: base.model, to: version.model).changes.filter {
      !$0.isConsequence && $0.action != .suspectedRename && $0.subject != .model
    }
  }

  /// Returns the places that several heads change, unless all change them alike.
  private static func overlaps(_ heads: [Head]) -> [String] {
    var places: Set<String> = []
    for (index, first) in heads.enumerated() {
      for second in heads[(index + 1)...] {
        for change in first.changes where !second.makes(change, as: first) {
          for other in second.changes where !first.makes(other, as: second) && change.meets(other) {
            places.insert(change.place)
          }
        }
      }
    }
    return places.sorted(by: ByteOrder.precedes)
  }
}

extension VersionHeads.Head {
  /// Returns whether it makes a change that another makes, with the same result.
  fileprivate func makes(_ change: ModelChange, as other: Self) -> Bool {
    guard changes.contains(change) else { return false }
    guard change.action == .added, let entity = change.entityName else { return true }
    guard let name = change.name else {
      return version.model[entity] == other.version.model[entity]
    }
    return version.model.property(name, of: entity)?.property
      == other.version.model.property(name, of: entity)?.property
  }
}

extension ModelChange {
  /// The entity and property, or the thing of the model, that it changes.
  fileprivate var place: String {
    let thing = entityName ?? "\(subject.rawValue)"
    return name.map { "\(thing).\($0)" } ?? thing
  }

  /// The names that the entity has before and after.
  private var entityNames: Set<String> {
    var names = Set([entityName].compactMap(\.self))
    if subject == .entity, action == .renamed, let old { names.insert(old) }
    return names
  }

  /// Returns whether two changes of one version conflict, so that the user must decide between them.
  fileprivate func meets(_ other: ModelChange) -> Bool {
    guard entityName != nil, other.entityName != nil else {
      return subject == other.subject && name == other.name && entityName == other.entityName
    }
    guard !entityNames.isDisjoint(with: other.entityNames) else { return false }
    let isWhole = subject == .entity && action != .changed
    let otherIsWhole = other.subject == .entity && other.action != .changed
    if isWhole || otherIsWhole { return true }
    let names = Set([name, action == .renamed ? old : nil].compactMap(\.self))
    let others = Set([other.name, other.action == .renamed ? other.old : nil].compactMap(\.self))
    if names.isEmpty, others.isEmpty { return aspect == other.aspect }
    return !names.isDisjoint(with: others)
  }
}

extension Project {
  /// Returns the versions of each model that claim to be the next, as after a merge of two branches.
  ///
  /// - Throws: ``WaystoneError`` where the lock or `waystone.yml` cannot be used, or a version cannot be
  ///   read, `badFile`.
  public func heads() throws(WaystoneError) -> [VersionHeads] {
    try requireReadableVersions()
    let audit = try LockAudit(self)
    var heads: [VersionHeads] = []
    for model in archive.models { heads.append(try VersionHeads(model, audit)) }
    return heads
  }
}
