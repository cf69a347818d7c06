import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

/// The checks before a run writes anything.
package struct Preflight {
  let plan: MigrationPlan
  let settings: RunDescription.Settings
  let registry: MigrationRegistry
  /// The proof of the store's pages and rows.
  var proof: PageVerification?

  /// The results of preflight.
  struct Result {
    let chain: SchemaSequence
    /// The passes in which the plan runs.
    let passes: [Pass]
    /// The compiled hop of each pass.
    let hops: [CompiledHop]
    /// The numbers, from 1, of hops whose result cannot be predicted: each is compared alone.
    let opaqueHops: Set<Int>
    let notes: [String]
    let findings: [Finding]
    /// The objects that deferred cleanups leave: in the store, and after each hop.
    let leftovers: [Leftovers]
    /// The cleanup that removes all leftovers of the store.
    let cleanup: StoreCleanup
    /// The contents that the store's model does not explain.
    let unexplained: UnexplainedContents
    /// The keys above `Z_MAX`, which a copy without hops gets right; none where hops write it anew.
    let greatestKeys: KeyCounterCheck?
    /// The objects that are left in the result.
    let finalLeftovers: Leftovers
    /// The store's own number (`PRAGMA user_version`).
    let userVersion: Int64
    /// The number of its application (`PRAGMA application_id`).
    let applicationID: Int64

    /// Returns the pass that begins after this many hops, with its compiled hop; nil where none begins
    /// there.
    func pass(after count: Int) -> (pass: Pass, compiled: CompiledHop)? {
      passes.firstIndex { $0.start == count }.map { (passes[$0], hops[$0]) }
    }

    /// Returns the mappings of some hops, which fill whole passes.
    func resolved(_ range: Range<Int>) -> [ResolvedMapping] {
      zip(passes, hops).filter { range.contains($0.0.start) }.flatMap { pass, compiled in
        pass.isFused ? pass.hops.map(\.resolved) : [compiled.resolved]
      }
    }

    /// Returns whether the result of a hop cannot be predicted.
    func isOpaque(_ number: Int) -> Bool { opaqueHops.contains(number) }
  }

  /// Checks that the store has the plan's first version, and compiles the passes.
  ///
  /// - Throws: ``MigrationError`` with `refused` or `mismatch`.
  func check(
    _ connection: borrowing SQLiteConnection,
    externalData: String
  ) throws -> Result {
    try StoreIntegrity.requireTextEncoding(connection)
    let contents = try StoreContents(reading: connection)
    let isExact = contents.metadata.versionHashes == plan.source.hashes
    guard isExact || settings.assumesSourceVersion else {
      // A plan is made from the store before it is locked: another process can be faster.
      guard contents.metadata.versionHashes != plan.destination.hashes else {
        throw MigrationError(
          .nothingToDo,
          "\(connection.path) is of \(plan.destination.name) already.",
          recovery: "Nothing needs to be done."
        )
      }
      throw MigrationError(
        .inUse,
        "\(connection.path) is not a store of \(plan.source.name), with which the plan begins: "
          + "another process may have changed it.",
        recovery: "Plan again from the store itself."
      )
    }
    let shape = try shape(of: connection, contents)
    let (chain, real, comparison) = (shape.chain, shape.real, shape.comparison)
    let source = chain.schemas[0]
    let pending = shape.pending
    let soundness = try StoreIntegrity(
      connection,
      schema: source,
      real: real,
      comparison: comparison,
      pending: pending,
      plan: plan,
      proof: proof
    )
    try soundness.require(of: connection.path, migrates: !plan.hops.isEmpty)
    let unexplained = soundness.unexplained
    // Without a hop no table is written anew.
    if !plan.hops.isEmpty, !settings.acceptsUnexplainedLoss {
      try unexplained.requireNoLoss(in: connection.path)
    }
    let carried = shape.carried

    // The app's own numbers, in whose place a run marks its checkpoints, are the result's again.
    let userVersion = try connection.integer("PRAGMA main.user_version") ?? 0
    let applicationID = try connection.integer("PRAGMA main.application_id") ?? 0
    for hop in plan.hops { try checkNames(hop.mapping) }
    let passes = plan.passes(isFused: settings.fusesHops)
    let tables = source.tables.map(\.name) + source.joinTables.map(\.name)
    // The first hop drops unexplained objects, and those that an earlier migration left.
    var leftovers = [pending.union(unexplained.columns)]
    let hops = try hops(
      passes,
      chain,
      last: (number: Int(clamping: userVersion), mark: applicationID),
      externalData: externalData,
      altering: try connection.areAlterable(tables) ? leftovers[0] : nil
    )
    for (pass, compiled) in zip(passes, hops) {
      leftovers += Array(repeating: leftovers[leftovers.count - 1], count: pass.hops.count - 1)
      leftovers.append(compiled.program.leftovers)
    }
    let cleanup = StoreCleanup(schema: source, store: real, leftovers: pending)
    let left =
      settings.finishesCleanup ? unexplained.columns : leftovers[leftovers.count - 1]
    return Result(
      chain: chain,
      passes: passes,
      hops: hops,
      opaqueHops: Set(zip(passes, hops).filter(Self.isOpaque).map(\.0.end)),
      notes: notes(carried, chain) + Self.nameNotes(comparison)
        + authoredNotes(passes, hops)
        + hops.flatMap { sharedFiles($0.resolved, $0.source.model) }
        + cleanupNotes(cleanup, left) + (plan.hops.isEmpty ? soundness.greatestKeys.notes : []),
      findings: unexplainedFindings(unexplained)
        + UnprovenNames(plan: plan, schemas: chain.schemas).findings.map(\.finding)
        + StoreEffects(
          plan: plan,
          schemas: chain.schemas,
          tables: carried.tables.map(\.name)
        ).findings,
      leftovers: leftovers,
      cleanup: cleanup,
      unexplained: unexplained,
      greatestKeys: plan.hops.isEmpty ? soundness.greatestKeys : nil,
      finalLeftovers: left,
      userVersion: userVersion,
      applicationID: applicationID
    )
  }

  /// Returns the entities that `Z_PRIMARYKEY` knows under another name.
  private static func nameNotes(_ comparison: SchemaComparison) -> [String] {
    comparison.entityDifferences.filter(\.isStaleName).compactMap { difference in
      guard let predicted = difference.predicted, let real = difference.real else { return nil }
      return
        "Z_PRIMARYKEY of the store calls the entity \(predicted.name) “\(real.name)”, a name that "
        + "Core Data left there after a rename: the result has \(predicted.name)"
    }
  }

  /// Returns the findings about dropped contents that nothing explains.
  private func unexplainedFindings(_ unexplained: UnexplainedContents) -> [Finding] {
    guard !plan.hops.isEmpty else { return [] }
    return unexplained.findings(
      version: plan.source.name,
      isAccepted: settings.acceptsUnexplainedLoss
    )
  }

  /// Returns the notes on objects that are left for later, or removed now.
  private func cleanupNotes(_ cleanup: StoreCleanup, _ left: Leftovers) -> [String] {
    if settings.finishesCleanup {
      let names = cleanup.names
      let removed = "removed: \(names.isEmpty ? "nothing" : names.joined(separator: ", "))"
      guard !left.isEmpty else { return [removed] }
      return [
        removed,
        "kept, since no migration is known to have left it: \(left.names.joined(separator: ", "))",
      ]
    }
    guard settings.defersCleanup else { return [] }
    guard !left.isEmpty else {
      return ["no column or table is left for later: the last hop removes none, or writes all anew"]
    }
    return ["left for `waystone finish`: \(left.names.joined(separator: ", "))"]
  }

  /// Returns whether the result of a pass cannot be predicted, or not all of it.
  private static func isOpaque(_ pass: Pass, _ compiled: CompiledHop) -> Bool {
    let mapping = pass.hop.mapping
    return compiled.program.makesObjects || compiled.computesValues
      || !mapping.actionsBefore.isEmpty
      || !mapping.actionsAfter.isEmpty
  }

  /// Returns the notes on changes by authored hops that verification cannot compare.
  private func authoredNotes(_ passes: [Pass], _ hops: [CompiledHop]) -> [String] {
    zip(passes, hops).flatMap { pass, compiled -> [String] in
      let hop = pass.hop
      guard hop.kind == .authored, settings.verification != .none else { return [] }
      let name = "the hop from \(hop.source.name) to \(hop.destination.name)"
      var notes: [String] = []
      if !hop.mapping.actionsBefore.isEmpty || !hop.mapping.actionsAfter.isEmpty {
        notes.append("not compared with the source: what the actions of \(name) change")
      }
      let left = compiled.comparison.leftOut.map(\.description)
      guard !left.isEmpty else { return notes }
      notes.append("not compared with the source in \(name): \(left.joined(separator: "; "))")
      return notes
    }
  }

  /// Returns the notes on objects that share a file: several attributes get one large value, and a
  /// store keeps only its file's name.
  private func sharedFiles(_ mapping: ResolvedMapping, _ source: ManagedObjectModel) -> [String] {
    var readers: [String: Set<String>] = [:]
    for entity in mapping.entities.compactMap(\.self) {
      for (name, origin) in entity.attributes {
        guard let read = origin.carriedProperty,
          source.property(read, of: entity.source)?.property.attribute?
            .allowsExternalBinaryDataStorage == true
        else { continue }
        readers["\(entity.source).\(read)", default: []].insert("\(entity.destination).\(name)")
      }
    }
    return readers.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { read, written in
      "\(written.sorted().joined(separator: " and ")) get the value of \(read). If it lies in a file, the "
        + "objects share that file, and Core Data may delete it with one of them"
    }
  }

  /// Throws if a mapping names code that is not registered.
  private func checkNames(_ mapping: MappingModel) throws(MigrationError) {
    for entity in mapping.entityMappings {
      guard let name = entity.entityMigrationPolicyClassName, registry.policy(named: name) == nil
      else { continue }
      throw ObjectHopRun.unknown(policy: name, of: entity)
    }
    for case .handler(let name) in mapping.actionsBefore + mapping.actionsAfter
    where registry.handler(named: name) == nil {
      throw StageActions.unknown(handler: name)
    }
  }

  private func notes(_ carried: UnmodeledObjects, _ chain: SchemaSequence) -> [String] {
    var notes: [String] = []
    let triggers = carried.leftBehind.filter { $0.kind == .trigger }.map(\.name)
    if !triggers.isEmpty {
      notes.append("not carried: the triggers \(triggers.joined(separator: ", "))")
    }
    let indexes = carried.leftBehind.filter { $0.kind == .index }.map(\.name).sorted()
    if !plan.hops.isEmpty, !indexes.isEmpty {
      notes.append("not carried: the indexes \(indexes.joined(separator: ", "))")
    }
    if !plan.hops.isEmpty, carried.hasStatistics {
      notes.append("not carried by hops that write the file anew: the statistics of ANALYZE")
    }
    if plan.hops.last != nil, let last = chain.schemas.last {
      if SchemaWriter.modelCache(of: last.model) == nil {
        notes.append("the model cache is left empty, since a form in the model is not known in it")
      }
      let derived = last.unsupportedDerivations.map(\.description).sorted()
      if !derived.isEmpty {
        notes.append(
          "derived attributes that are not computed until Core Data saves the objects again: "
            + derived.joined(separator: ", ")
        )
      }
      let counted = last.derivedAttributes.filter(\.lacksTriggers).map(\.attribute.description)
      if !counted.isEmpty {
        notes.append(
          "computed now, without triggers that keep them up to date: "
            + counted.sorted().joined(separator: ", ")
        )
      }
      let indexes = last.unsupportedIndexes.map { "\($0.entityName).\($0.indexName)" }.sorted()
      if !indexes.isEmpty {
        notes.append("indexes not made: \(indexes.joined(separator: ", "))")
      }
    }
    return notes
  }
}
