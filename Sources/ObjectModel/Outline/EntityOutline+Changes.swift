extension EntityOutline {
  /// Returns the changes since an earlier outline of the same version.
  ///
  /// Entities and properties match by their names alone: a version that is edited has no renaming.
  /// - Parameters:
  ///   - old: The earlier outlines.
  ///   - new: The present outlines.
  /// - Returns: The changes by entity, in byte order of the names. An entity whose hash differs only
  ///   because its parent's does has none.
  package static func changes(
    from old: [EntityOutline],
    to new: [EntityOutline]
  ) -> [ModelChange] {
    let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let after = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let names = Set(before.keys).union(after.keys).sorted(by: ByteOrder.precedes)
    return names.flatMap { name -> [ModelChange] in
      switch (before[name], after[name]) {
      case (nil, nil): []
      case (nil, _?): [ModelChange(.added, .entity, entity: name, changesHash: true)]
      case (_?, nil): [ModelChange(.removed, .entity, entity: name, changesHash: true)]
      case (let old?, let new?):
        changes(from: old, to: new, parentIsChanged: parentIsChanged(of: new, before, after))
      }
    }
  }

  /// Returns the names of entities that both outlines have and that differ only in facts without an
  /// effect on data; in byte order.
  package static func annotatedNames(
    from old: [EntityOutline],
    to new: [EntityOutline]
  ) -> [String] {
    let before = Dictionary(old.map { ($0.name, $0.remainder) }, uniquingKeysWith: { $1 })
    return new.filter { entity in before[entity.name].map { $0 != entity.remainder } ?? false }
      .map(\.name)
  }

  /// Returns the changes of codings since an earlier outline, by entity and property in byte order.
  ///
  /// An outline of before codings were kept has none.
  package static func codingChanges(
    from old: [EntityOutline],
    to new: [EntityOutline]
  ) -> [(entity: String, property: String, change: CodingChange)] {
    let before = Dictionary(old.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    return new.flatMap { entity in
      entity.properties.flatMap { property in
        ValueCoding.changes(
          from: before[entity.name]?.property(property.name)?.codings ?? [],
          to: property.codings ?? []
        ).map { (entity.name, property.name, $0) }
      }
    }
  }

  private static func parentIsChanged(
    of entity: EntityOutline,
    _ before: [String: EntityOutline],
    _ after: [String: EntityOutline]
  ) -> Bool {
    guard let parent = entity.values[.superentity] else { return false }
    return before[parent]?.hash != after[parent]?.hash
  }

  private static func changes(
    from old: EntityOutline,
    to new: EntityOutline,
    parentIsChanged: Bool
  ) -> [ModelChange] {
    let isRehashed = old.hash != new.hash
    var changes = values(old.values, new.values).map { aspect, before, after in
      ModelChange(
        .changed,
        .entity,
        entity: new.name,
        aspect: aspect,
        old: before,
        new: after,
        changesHash: isRehashed && aspect.isHashed
      )
    }
    let names = Set((old.properties + new.properties).map(\.name)).sorted(by: ByteOrder.precedes)
    for name in names {
      changes += propertyChanges(
        old.property(name),
        new.property(name),
        of: new.name,
        isRehashed: isRehashed
      )
    }
    if isRehashed, !parentIsChanged, !changes.contains(where: \.changesHash) {
      changes.append(
        ModelChange(
          .changed,
          .entity,
          entity: new.name,
          aspect: .versionHash,
          old: String(old.hash.description.prefix(12)),
          new: String(new.hash.description.prefix(12)),
          changesHash: true
        )
      )
    }
    return changes
  }

  private static func propertyChanges(
    _ old: Property?,
    _ new: Property?,
    of entity: String,
    isRehashed: Bool
  ) -> [ModelChange] {
    guard let old, let new else {
      guard let property = new ?? old else { return [] }
      return [
        ModelChange(
          old == nil ? .added : .removed,
          property.kind,
          entity: entity,
          name: property.name,
          changesHash: isRehashed && property.values[.isTransient] == nil
        )
      ]
    }
    guard old.kind == new.kind else {
      return [
        ModelChange(
          .changed,
          new.kind,
          entity: entity,
          name: new.name,
          aspect: .kind,
          old: old.kind.rawValue,
          new: new.kind.rawValue,
          changesHash: isRehashed
        )
      ]
    }
    return values(old.values, new.values).map { aspect, before, after in
      ModelChange(
        .changed,
        new.kind,
        entity: entity,
        name: new.name,
        aspect: aspect,
        old: before,
        new: after,
        changesHash: isRehashed && aspect.isHashed
      )
    }
  }

  /// Returns the aspects in which two sets of values differ, in the order in which aspects are declared.
  private static func values(
    _ old: [ModelAspect: String],
    _ new: [ModelAspect: String]
  ) -> [(ModelAspect, String?, String?)] {
    ModelAspect.allCases.compactMap { aspect in
      let (before, after) = (old[aspect], new[aspect])
      guard before != after else { return nil }
      // A flag that is not set has no value; a default that is not set is none, and not NO.
      func unset(_ other: String?) -> String? {
        other == "yes" && aspect != .defaultValue ? "no" : nil
      }
      return (aspect, before ?? unset(after), after ?? unset(before))
    }
  }
}
