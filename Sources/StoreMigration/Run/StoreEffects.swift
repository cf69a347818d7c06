package import MigrationPlanning
package import ObjectModel
package import StoreAccess

/// The effects of a plan on a store's contents beside the rows of its model.
///
/// The persistent history and CloudKit's tables name entities by the numbers that a model gives
/// them, and only the app knows what its own tables refer to.
package struct StoreEffects {
  private let plan: MigrationPlan
  private let numbers: [[String: Int]]
  private let tables: [String]
  /// The triggers on tables of the model that are not of the model.
  private let triggers: [StoreSchema.Object]

  /// Collects the plan's effects on tables and triggers that the store's model does not explain.
  ///
  /// - Parameters:
  ///   - schemas: The schema of the source and of each hop's destination.
  ///   - tables: The names of the tables beyond the source's schema and those of every store.
  ///   - triggers: The triggers on tables of the source's schema that it does not explain.
  package init(
    plan: MigrationPlan,
    schemas: [PhysicalSchema],
    tables: [String],
    triggers: [StoreSchema.Object] = []
  ) {
    self.plan = plan
    self.triggers = triggers
    numbers = schemas.map(\.entityNumbers)
    self.tables = tables
  }

  /// The same for a store whose tables were read.
  package init(plan: MigrationPlan, store: StoreSchema) {
    let models = [plan.source.model] + plan.hops.map(\.destination.model)
    let schemas = models.map { PhysicalSchema(model: $0) }
    let names = JoinNames(settledBy: store.columnNames, model: plan.source.model)
    let source = PhysicalSchema(model: plan.source.model, names: names)
    let comparison = SchemaComparison(predicted: source, real: store)
    let modelled = Set(source.tables.map(\.name) + source.joinTables.map(\.name))
    let unexplained = Set(comparison.extraTriggers)
    self.init(
      plan: plan,
      schemas: schemas,
      tables: comparison.foreignTables + comparison.internalTables,
      triggers: store.triggers.filter {
        unexplained.contains($0.name) && modelled.contains($0.tableName)
      }
    )
  }

  /// The findings: on the history, on CloudKit's tables, on tables and triggers of the app's own.
  package var findings: [Finding] {
    guard !plan.hops.isEmpty else { return [] }
    return history + cloudKit + foreign + leftBehind
  }

  /// Returns whether an entity that CloudKit's tables name by number has another number, or none, in the
  /// end.
  package static func renumbers(_ first: [String: Int], _ last: [String: Int]) -> Bool {
    first.contains { last[$0.key] != $0.value }
  }

  private var history: [Finding] {
    guard tables.contains(where: { SystemTable.historyNames.contains($0) }) else { return [] }
    let hops = plan.hops.indices.filter { renumbered(by: $0) > 0 }
    if let first = hops.first {
      let count = hops.map { renumbered(by: $0) }.reduce(0, +)
      let more = hops.count > 1 ? ", and \(hops.count - 1) later" : ""
      return [
        Finding(
          .historyAffected,
          .warning,
          risk: .conditional,
          at: Finding.Place(version: plan.hops[first].destination.name),
          message: "The store keeps a persistent history, and the step from "
            + "\(version: plan.hops[first].source.name) to \(version: plan.hops[first].destination.name)\(more) gives "
            + "entities other numbers (\(count) in all): its rows are renumbered with them. Of "
            + "entities whose properties change, it no longer says which did.",
          advice: "Let the app forget its history tokens, or purge the history before."
        )
      ]
    }
    let changed = Set(plan.hops.flatMap(Self.changedEntities)).sorted(by: ByteOrder.precedes)
    guard let entity = changed.first else { return [] }
    let names = changed.prefix(3).joined(separator: ", ") + (changed.count > 3 ? " …" : "")
    return [
      Finding(
        .historyAffected,
        .note,
        at: Finding.Place(version: plan.destination.name, entity: entity),
        message: "The store keeps a persistent history. It is kept, but of changes to entities "
          + "whose properties change it no longer says which properties: \(names).",
        remedy: "Nothing needs to be done, unless the app relies on the properties' names."
      )
    ]
  }

  private var cloudKit: [Finding] {
    guard tables.contains(where: { $0.hasPrefix("ANSCK") }), let first = numbers.first,
      let last = numbers.last, Self.renumbers(first, last)
    else { return [] }
    let hop = plan.hops.indices.first { Self.renumbers(numbers[$0], numbers[$0 + 1]) }
    return [
      Finding(
        .cloudKitAffected,
        .error,
        risk: .undeclared,
        at: Finding.Place(version: hop.map { plan.hops[$0].destination.name }),
        message: "CloudKit mirrors the store, and its tables refer to entities by numbers that the "
          + "plan changes: a run refuses.",
        remedy: "Migrate this store with the app itself."
      )
    ]
  }

  private var foreign: [Finding] {
    let names = tables.filter { !SystemTable.isInternal($0) }.sorted(by: ByteOrder.precedes)
    guard !names.isEmpty else { return [] }
    let list = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " …" : "")
    return [
      Finding(
        .foreignTable,
        .warning,
        at: Finding.Place(version: plan.destination.name),
        message: "Core Data did not make \(names.count == 1 ? "the table" : "the tables") \(list): "
          + "\(names.count == 1 ? "it is" : "they are") carried as \(names.count == 1 ? "it is" : "they are")"
          + ", and only the app knows what \(names.count == 1 ? "it refers" : "they refer") to.",
        remedy: "Check after the migration that what they refer to is still there."
      )
    ]
  }

  private var leftBehind: [Finding] {
    triggers.map { trigger in
      Finding(
        .schemaDiffers,
        .warning,
        at: Finding.Place(version: plan.destination.name),
        message: "The trigger \(trigger.name) on \(trigger.tableName) is not Core Data's: it is "
          + "not carried, and does not run during the migration.",
        remedy: "Have the app make it again where it needs it."
      )
    }
  }

  /// Returns the number of entities that have another number after a hop.
  private func renumbered(by hop: Int) -> Int {
    guard numbers.indices.contains(hop + 1) else { return 0 }
    let pairs = plan.hops[hop].mapping.entityMappings.compactMap { mapping in
      mapping.sourceEntityName.flatMap { source in
        mapping.destinationEntityName.map { [source, $0] }
      }
    }
    return Set(pairs).count { pair in
      guard let old = numbers[hop][pair[0]], let new = numbers[hop + 1][pair[1]] else {
        return false
      }
      return old != new
    }
  }

  /// Returns the entities, by their later names, whose stored properties are not those that they were.
  private static func changedEntities(_ hop: Hop) -> [String] {
    hop.mapping.entityMappings.compactMap { mapping in
      guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName else {
        return nil
      }
      return names(hop.source.model, old) == names(hop.destination.model, new) ? nil : new
    }
  }

  private static func names(_ model: ManagedObjectModel, _ entity: String) -> [String] {
    model.properties(of: entity).map(\.property).filter(\.isPersistent).map(\.name)
  }
}
