import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Inferred mappings that are run as if a person had written them.
@Suite struct RandomAuthoredTests {
  @Test(arguments: Trials.some(of: 60))
  func `an inferred mapping comes to the same object by object`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 104_729 + 5)
    var changing = RandomModel(&random)
    guard let source = changing.model else { return }
    for _ in 0...(seed % 3) { changing.evolve(&random) }
    guard let destination = changing.model,
      destination.entityVersionHashes
        != source.entityVersionHashes,
      PhysicalSchema(model: source).unsupported.isEmpty,
      PhysicalSchema(model: destination).unsupported.isEmpty
    else { return }
    let versions = [source, destination].enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.acceptUnknown = true
    guard
      let plan = try? MigrationPlanner(graph: graph).plan(
        from: #require(graph.node(named: "v1")),
        to: #require(graph.node(named: "v2")),
        options: planning
      ), let hop = plan.hops.first
    else { return }
    try TemporaryFolder.with { folder in
      let step = AuthoredStep(
        source: source,
        destination: destination,
        mapping: hop.mapping,
        folder: folder
      )
      try step.makeStore(rows: 40, seed: UInt64(seed))
      var options = MigrationOptions()
      options.output = folder + "/inferred.sqlite"
      options.settings.acceptsUnprovenNames = true
      options.settings.acceptsChangedValues = true
      do {
        _ = try StoreMigrator(plan: plan, options: options).migrate(step.before)
      } catch let error as MigrationError
        where error.code == .failed && error.message.hasPrefix("WS")
      {
        return  // A condition on the rows does not hold, and the run said so.
      }
      let inferred = try AuthoredStep.digest(folder + "/inferred.sqlite", destination)
      try expect(inferred, writtenAs: hop, of: versions, step, seed)
      try step.run(batchSize: 9 + seed % 40)
      #expect(try step.digest() == inferred, "seed \(seed)")
      let account = try AccountedRun(plan, before: step.before, after: step.files.new).account
      #expect(account.isBalanced, "seed \(seed): \(account.broken) \(account.unnamed)")
    }
  }

  /// The same mapping as a person may write it, which runs table by table where that does the same.
  private func expect(
    _ digest: LogicalDigest,
    writtenAs hop: Hop,
    of versions: [ModelVersion],
    _ step: AuthoredStep,
    _ seed: Int
  ) throws {
    var mapping = hop.mapping
    mapping.entityMappings.reverse()
    let edge = AuthoredEdge(
      source: step.source.entityVersionHashes,
      destination: step.destination.entityVersionHashes,
      mapping: mapping,
      origins: []
    )
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions), authored: [edge])
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.acceptUnknown = true
    let plan = try MigrationPlanner(graph: graph).plan(
      from: #require(graph.node(named: "v1")),
      to: #require(graph.node(named: "v2")),
      options: planning
    )
    #expect(plan.hops.map(\.kind) == [.authored])
    var options = MigrationOptions()
    options.output = step.folder + "/written.sqlite"
    options.settings.acceptsUnprovenNames = true
    options.settings.acceptsChangedValues = true
    do {
      _ = try StoreMigrator(plan: plan, options: options).migrate(step.before)
    } catch let error as MigrationError
      where error.code == .failed && error.message.contains("rules of their model")
    {
      return  // Objects of what a person wrote are held against their model.
    }
    let written = try AuthoredStep.digest(step.folder + "/written.sqlite", step.destination)
    #expect(written == digest, "seed \(seed)")
  }
}
