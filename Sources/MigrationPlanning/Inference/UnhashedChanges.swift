import ObjectModel

/// The changes between two versions that have no effect on existing rows.
///
/// Defaults, delete rules, indexes and configurations are in no version hash; an undeclared rename is
/// one dropped item and one new item to every hash. They add nothing to a plan's cost, so they are
/// computed only where a step is reported.
struct UnhashedChanges {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  let difference: ModelDifference
  private let rehashed: Set<String>

  /// Compares two versions.
  ///
  /// - Parameter suspectsRenames: Whether ``candidates`` are wanted.
  /// - Complexity: As of a `ModelDifference`.
  init(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    suspectsRenames: Bool = true
  ) {
    self.source = source
    self.destination = destination
    difference = ModelDifference(
      from: source,
      to: destination,
      suspectingRenames: suspectsRenames
    )
    rehashed = Set(difference.rehashedEntityNames)
  }

  /// Returns whether the hash of the change's entity differs, for any reason.
  func isRehashed(_ change: ModelChange) -> Bool {
    change.entityName.map(rehashed.contains) ?? false
  }

  /// Puts them into words.
  func report(to collector: FindingCollector) {
    for change in difference.changes {
      switch (change.action, change.aspect) {
      case (.changed, .deletionRule): reportDeletionRule(change, to: collector)
      case (.changed, .defaultValue): reportDefault(change, to: collector)
      case (.changed, .className) where change.subject == .attribute:
        reportClass(change, to: collector)
      default: break
      }
    }
    reportRequiredComposites(to: collector)
    reportIndexes(to: collector)
    reportConfigurations(to: collector)
  }

  /// Reports composite attributes that become required, which no version hash sees.
  func reportRequiredComposites(to collector: FindingCollector) {
    for change in difference.changes where change.action == .changed && change.aspect == .isOptional
    {
      reportComposite(change, to: collector)
    }
  }

  /// Reports attributes that do not find their values, in versions between which no store is migrated.
  func reportReadings(to collector: FindingCollector) {
    guard !difference.changesHashes else { return }
    reportCompositeNames(to: collector)
    reportDerivedColumns(to: collector)
  }

  /// Reports derived attributes whose columns stores of the earlier version lack, or have for another type.
  ///
  /// Only the expression of a derived attribute is in a version hash.
  private func reportDerivedColumns(to collector: FindingCollector) {
    let old = source.derivedColumns
    for description in destination.entities where source[description.name] != nil {
      let entity = description.name
      for attribute in description.derivedAttributes {
        let name = attribute.name
        let held = old[entity]?[name.uppercased()]
        guard held != attribute.attributeType.declaredColumnType ?? "" else { continue }
        collector.add(
          .derivedColumnDiffers,
          .error,
          .conditional,
          at: Finding.Place(entity: entity, property: name),
          "\(subject: "\(entity).\(name)") \(.is) derived, and "
            + "has another \(held == nil ? "name" : "type"). Both versions have the same hashes, so that Core Data migrates no store, and stores of before "
            + (held == nil ? "have no such column." : "hold values of the type of before."),
          remedy:
            "Keep the name and the type, or change the entity's hash, as by a hash modifier on another "
            + "attribute."
        )
      }
    }
  }

  /// Reports composite attributes that read the values of others.
  ///
  /// The name of a composite attribute is in no version hash, and the columns of its elements have numbers by
  /// the order of names.
  private func reportCompositeNames(to collector: FindingCollector) {
    for entity in destination.entities {
      let new = composites(of: entity.name, in: destination)
      let old = composites(of: entity.name, in: source)
      guard new.count == old.count else { continue }
      for (own, held) in zip(new, old) where own.name != held.name {
        let isKnown = old.contains {
          $0.canonicalName == own.canonicalName || $0.name == own.canonicalName
        }
        let isSame = [held.name, held.canonicalName].contains(own.canonicalName)
        if isSame { continue }
        collector.add(
          .compositeReadsOther,
          isKnown ? .error : .warning,
          isKnown ? .undeclared : .conditional,
          at: Finding.Place(entity: entity.name, property: own.name),
          "\(subject: "\(entity.name).\(own.name)") reads the values of \(entity.name).\(held.name). Both versions have the "
            + "same hashes, so that Core Data migrates no store, and a composite attribute finds its values "
            + "by the order of names.",
          remedy:
            "Keep the name, or change the entity's hash, as by a hash modifier on another attribute."
        )
      }
    }
  }

  /// Returns the own composite attributes, in the order of their names.
  private func composites(of entity: String, in model: ManagedObjectModel) -> [AttributeDescription]
  {
    (model[entity]?.attributes ?? []).filter { $0.attributeType == .composite && !$0.isTransient }
  }

  /// The possible new names of dropped entities and properties, by the dropped item: `Entity`, or
  /// `Entity.property` with the entity's later name.
  ///
  /// Where neither names nor shapes decide between several, it lists all of the item's type, if as many
  /// are new as are dropped.
  var candidates: [String: [String]] {
    var result: [String: [String]] = [:]
    var taken: Set<String> = []
    for change in difference.changes where change.action == .suspectedRename {
      guard let old = change.old, let new = change.new, let entity = change.entityName else {
        continue
      }
      result[change.name == nil ? old : "\(entity).\(old)"] = [new]
      taken.insert("\(entity).\(new)")
    }
    var dropped: [[String]: [String]] = [:]
    var added: [[String]: [String]] = [:]
    for change in difference.changes where [.added, .removed].contains(change.action) {
      guard let entity = change.entityName, let name = change.name else { continue }
      let place = "\(entity).\(name)"
      let isAdded = change.action == .added
      let model = isAdded ? destination : source
      guard isAdded ? !taken.contains(place) : result[place] == nil,
        let owner = isAdded ? entity : former(entity),
        let property = model.property(name, of: owner)?.property, property.isPersistent
      else { continue }
      let key = [entity, Similarity.type(of: property)]
      if isAdded {
        added[key, default: []].append(name)
      } else {
        dropped[key, default: []].append(name)
      }
    }
    for (key, names) in dropped {
      guard let others = added[key], others.count >= names.count else { continue }
      for name in names { result["\(key[0]).\(name)"] = others }
    }
    return result
  }

  /// Returns the earlier name of an entity.
  private func former(_ entity: String) -> String? {
    if source[entity] != nil { return entity }
    let name = destination[entity]?.canonicalName
    return source.entities.first { $0.canonicalName == name }?.name
  }

  private func reportDeletionRule(_ change: ModelChange, to collector: FindingCollector) {
    guard let entity = change.entityName, let name = change.name,
      let new = destination.property(name, of: entity)?.property.relationship
    else { return }
    let target = new.destinationEntityName
    let effect =
      switch new.deletionRule {
      case .cascade: "deleting \(entity) objects also deletes the \(target) objects they lead to"
      case .deny: "\(entity) objects cannot be deleted while they lead to \(target) objects"
      case .nullify: "deleting \(entity) objects keeps the \(target) objects they lead to"
      case .noAction: "deleting \(entity) objects leaves dangling references to them"
      }
    collector.add(
      .deletionRuleChanged,
      new.deletionRule == .cascade || new.deletionRule == .deny ? .warning : .note,
      .exact,
      at: Finding.Place(entity: entity, property: name),
      "\(subject: "\(entity).\(name)") \(.changes) \(.its) delete rule from \(change.old ?? "none") to "
        + "\(change.new ?? "none"): \(effect).",
      remedy: "Make sure that this is meant; the migration changes no row for it."
    )
  }

  private func reportDefault(_ change: ModelChange, to collector: FindingCollector) {
    guard let entity = change.entityName, let name = change.name,
      let new = destination.property(name, of: entity)?.property.attribute,
      new.isPersistent, new.derivationExpression == nil
    else { return }
    func hasChange(_ aspect: ModelAspect) -> Bool {
      difference.changes.contains {
        $0.aspect == aspect && $0.entityName == entity && $0.name == name
      }
    }
    let becomesRequired = hasChange(.isOptional) && !new.isOptional
    // A new property has no old default, and the value for a new requirement is reported there.
    if hasChange(.isTransient) || becomesRequired && change.old == nil { return }
    // A number of another type reads otherwise and is the same.
    if hasChange(.type), let old = change.old.flatMap(Double.init),
      old == change.new.flatMap(Double.init)
    {
      return
    }
    collector.add(
      .defaultChanged,
      .note,
      .exact,
      at: Finding.Place(entity: entity, property: name),
      Self.statement(on: change, of: "\(entity).\(name)") + "; existing rows "
        + (becomesRequired && new.defaultValue != nil
          ? "keep their value, and those without one get the new default." : "keep their value."),
      remedy: "If existing rows must get the new default, \(destination.framework.mapping())."
    )
  }

  /// Reports a composite attribute that becomes required, which no version hash sees.
  ///
  /// Elements that it requires itself are reported at their own step, where there is one.
  private func reportComposite(_ change: ModelChange, to collector: FindingCollector) {
    guard change.new == "no", let entity = change.entityName, let name = change.name,
      let new = destination.declaredProperty(name, of: entity)?.property.attribute,
      !new.isTransient,
      let elements = destination.elements(of: new),
      !isRehashed(change) || elements.allSatisfy(\.isOptional)
    else { return }
    collector.add(
      .becomesRequired,
      .warning,
      .conditional,
      at: Finding.Place(entity: entity, property: name),
      "\(subject: "\(entity).\(name)"), a composite attribute, becomes required. No version hash sees it; rows without "
        + "it stay as they are, and the app may fail to read them.",
      remedy:
        "If rows may be without it, keep it optional, or "
        + "\(destination.framework.mapping(" that gives them a value"))."
    )
  }

  /// Returns the beginning of a sentence on a default that is added, removed or changed.
  private static func statement(on change: ModelChange, of place: String) -> Finding.Text {
    switch (change.old.map(ModelChange.defaultWords), change.new.map(ModelChange.defaultWords)) {
    case (let old?, let new?): "\(subject: place) \(.changes) \(.its) default from \(old) to \(new)"
    case (let old?, nil): "\(subject: place) \(.loses) \(.its) default \(old)"
    case (nil, let new): "\(subject: place) \(.gets) the default \(new ?? "")"
    }
  }

  private func reportClass(_ change: ModelChange, to collector: FindingCollector) {
    guard let entity = change.entityName, let name = change.name,
      destination.property(name, of: entity)?.property.attribute?.attributeType == .transformable
    else { return }
    collector.add(
      .transformerChanged,
      .note,
      nil,
      at: Finding.Place(entity: entity, property: name),
      "\(subject: "\(entity).\(name)") \(.changes) the class of \(.its) values from \(change.old ?? "none") to "
        + "\(change.new ?? "none"); the stored bytes stay.",
      remedy:
        "If the stored bytes cannot be read as the new class, \(destination.framework.mapping())."
    )
  }

  /// Reports other transformers in entities whose hash stays, so that no mapping runs.
  ///
  /// Inference and audit report transformers themselves, since stores may lose values by them.
  func reportTransformers(to collector: FindingCollector) {
    for change in difference.changes where change.aspect == .valueTransformer {
      guard let entity = change.entityName, let name = change.name, !isRehashed(change),
        let new = destination.property(name, of: entity)?.property.attribute
      else { continue }
      var old = new
      old.valueTransformerName = change.old
      collector.addTransformer(from: old, to: new, entity: entity)
    }
  }

  /// Reports entities whose rows and hash stay, and only whose indexes change.
  private func reportIndexes(to collector: FindingCollector) {
    var reported: Set<String> = []
    for change in difference.changes where change.aspect == .indexes {
      guard let entity = change.entityName, !isRehashed(change),
        reported.insert(entity).inserted
      else { continue }
      collector.add(
        .indexesChanged,
        .note,
        nil,
        at: Finding.Place(entity: entity),
        "\(subject: entity) \(.changes) \(.its) indexes alone, and \(.its) hash stays: Core Data migrates no store "
          + "for \(.it).",
        remedy: "Set a hash modifier on \(entity) if stores must get the index at once."
      )
    }
  }

  /// Reports entities that leave a configuration.
  private func reportConfigurations(to collector: FindingCollector) {
    // Without configurations the app opens every store with all entities.
    guard !destination.configurations.isEmpty,
      source.configurations != destination.configurations
    else { return }
    let renamed = difference.changes.filter { $0.subject == .entity && $0.action == .renamed }
    let earlier = Dictionary(
      renamed.compactMap { change in
        change.entityName.flatMap { name in change.old.map { (name, $0) } }
      },
      uniquingKeysWith: { first, _ in first }
    )
    let old = Self.memberships(source)
    let new = Self.memberships(destination)
    for entity in destination.entities {
      let former = earlier[entity.name] ?? entity.name
      guard source[former] != nil else { continue }
      let left = (old[former] ?? []).subtracting(new[entity.name] ?? [])
      guard !left.isEmpty else { continue }
      let joined = (new[entity.name] ?? []).subtracting(old[former] ?? [])
      collector.add(
        .configurationChanged,
        .note,
        .exact,
        at: Finding.Place(entity: entity.name),
        "\(subject: entity.name) "
          + (joined.isEmpty
            ? "leaves the configuration \(Self.list(left))"
            : "\(.moves) from the configuration \(Self.list(left)) to \(Self.list(joined))")
          + ": if the app opens a store by \(Self.list(left)) alone, Core Data drops \(.its) rows there.",
        remedy: "Keep it in both until the app has copied the rows."
      )
    }
  }

  /// Returns the names of the configurations that each entity is in.
  private static func memberships(_ model: ManagedObjectModel) -> [String: Set<String>] {
    var names: [String: Set<String>] = [:]
    for (configuration, members) in model.configurations {
      for member in members { names[member, default: []].insert(configuration) }
    }
    return names
  }

  private static func list(_ names: Set<String>) -> String {
    names.sorted(by: ByteOrder.precedes).joined(separator: " and ")
  }
}
