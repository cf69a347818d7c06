import Files
import Foundation
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

@Suite(.enabled(if: Corpus.isPresent))
struct CorpusMigrationTests {
  @Test(
    arguments: Trials.some(of: CorpusJourney.wire + CorpusJourney.bookmarks + CorpusJourney.others)
  )
  func `a store of a public app reaches the wanted version, and its plan said what the run finds`(
    _ journey: CorpusJourney
  ) throws {
    try TemporaryFolder.with { folder in
      let copy = try journey.copy(into: folder)
      let before = [copy, copy + "-wal"].map { TemporaryFolder.bytes(of: $0) }
      let plan = try journey.plan(asking: copy)
      #expect([copy, copy + "-wal"].map { TemporaryFolder.bytes(of: $0) } == before)
      expectAnswered(plan, journey)
      var options = journey.options(folder)
      // Each of some eighty hops is counted then.
      let isCertified = Trials.areAll || journey.to == nil
      if isCertified { options.settings.certificate = folder + "/certificate.json" }
      let outcome = try StoreMigrator(plan: plan, options: options).migrate(copy)
      // What the plan calls refused would have stopped the run.
      let refused = plan.allFindings.filter(\.isRefused)
      #expect(refused.isEmpty)
      #expect(outcome.hops == plan.hops.count)
      #expect([copy, copy + "-wal"].map { TemporaryFolder.bytes(of: $0) } == before)
      #expect(try !FileSystem.exists(folder + "/result.sqlite.waystone"))
      try expectStore(folder + "/result.sqlite", of: plan.destination, isFresh: !plan.hops.isEmpty)
      // SQLite, as Python has it, may change the files beside a store that it reads.
      if isCertified {
        try PlainCount.check(outcome, source: copy, result: folder + "/result.sqlite", folder)
      }
    }
  }

  /// Expects that each question of a plan was asked of the store.
  private func expectAnswered(_ plan: MigrationPlan, _ journey: CorpusJourney) {
    let conditional = plan.allFindings.filter { $0.risk == .conditional }
    let evidence = plan.allFindings.compactMap(\.evidence)
    let open = conditional.count { $0.evidence == nil }
    print(
      "\(journey.testDescription), \(plan.hops.count) hops to \(plan.destination.name): "
        + "\(evidence.count { $0.verdict == .proven }) proven, "
        + "\(evidence.count { $0.verdict == .refuted }) refuted, "
        + "\(evidence.count { $0.verdict == .unknown }) unknown, \(open) never asked; about "
        + "\(plan.hops.reduce(0) { $0 + ($1.size?.bytes ?? 0) }) bytes"
    )
    #expect(open == 0)
    #expect(plan.hops.allSatisfy { $0.size != nil })
    #expect(plan.cost.refuted == conditional.count { $0.evidence?.verdict == .refuted })
  }

  @Test(arguments: CorpusJourney.bookmarks + CorpusJourney.wire.suffix(2))
  func `a store is replaced by its result and rolled back`(_ journey: CorpusJourney) throws {
    try TemporaryFolder.with { folder in
      let copy = try journey.copy(into: folder)
      let original = try PersistentStore(reading: copy).metadata
      let plan = try journey.plan(original)
      guard !plan.hops.isEmpty else { return }
      let outcome = try StoreMigrator(plan: plan, options: journey.options(nil)).migrate(copy)
      #expect(outcome.backup != nil)
      try expectStore(copy, of: plan.destination, isFresh: true)
      try StoreMigrator.rollback(copy)
      #expect(try PersistentStore(reading: copy).metadata == original)
    }
  }

  @Test(arguments: CorpusJourney.bookmarks)
  func `names that the model does not settle are refused`(_ journey: CorpusJourney) throws {
    try TemporaryFolder.with { folder in
      let copy = try journey.copy(into: folder)
      let plan = try journey.plan(PersistentStore(reading: copy).metadata)
      var options = journey.options(folder)
      options.settings.acceptsUnprovenNames = false
      let error = try #require(throws: MigrationError.self) {
        try StoreMigrator(plan: plan, options: options).migrate(copy)
      }
      #expect(error.code == .refused)
      #expect(try !FileSystem.exists(folder + "/result.sqlite.waystone"))
    }
  }

  // All wire stores pass; in a debug build each costs seconds to plan.
  @Test(arguments: Trials.some(of: CorpusJourney.wire.prefix(3) + CorpusJourney.bookmarks))
  func `shortcuts and the walk make the same of a store`(_ journey: CorpusJourney) throws {
    try TemporaryFolder.with { folder in
      let copy = try journey.copy(into: folder)
      let metadata = try PersistentStore(reading: copy).metadata
      var digests: [String] = []
      var hops: [Int] = []
      for (index, planning) in [PlanningOptions.walking, PlanningOptions()].enumerated() {
        let plan = try journey.plan(metadata, options: planning)
        var options = journey.options(folder)
        options.output = folder + "/result-\(index).sqlite"
        hops.append(try StoreMigrator(plan: plan, options: options).migrate(copy).hops)
        digests.append(try digest(of: folder + "/result-\(index).sqlite", plan.destination))
      }
      #expect(digests[0] == digests[1])
      #expect(hops[1] <= hops[0])
      print("\(journey.testDescription): \(hops[0]) steps as \(hops[1]) hops")
    }
  }

  private func digest(of path: String, _ node: VersionGroup) throws -> String {
    let store = try PersistentStore(reading: path)
    let names = JoinNames(
      settledBy: try StoreSchema(of: store.connection).columnNames,
      model: node.model
    )
    return try LogicalDigest(
      of: store.connection,
      schema: PhysicalSchema(model: node.model, names: names),
      externalData: ""
    ).hash
  }

  private func expectStore(_ path: String, of node: VersionGroup, isFresh: Bool) throws {
    let result = try PersistentStore(reading: path)
    #expect(result.metadata.versionHashes == node.hashes)
    #expect(result.header.userVersion == 0 && result.header.applicationID == 0)
    let real = try StoreSchema(of: result.connection)
    let names = JoinNames(settledBy: real.columnNames, model: node.model)
    let comparison = SchemaComparison(
      predicted: PhysicalSchema(model: node.model, names: names),
      real: real
    )
    #expect(comparison.level >= .tolerable, "\(comparison)")
    #expect(!isFresh || comparison.extraIndexes.isEmpty)
    #expect(try result.connection.text("PRAGMA integrity_check") == "ok")
  }
}
