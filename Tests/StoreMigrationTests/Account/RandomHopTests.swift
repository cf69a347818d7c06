import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Hops as people write them: filters, objects that become several or one with others, values that are
/// forgotten, policies that leave objects out; all at random.
@Suite struct RandomHopTests {
  private static let batch = Trials.areAll ? 100 : 3

  /// Leaves every third object out.
  final class ForgetfulPolicy: EntityMigrationPolicy {
    private var count = 0

    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      count += 1
      guard count % 3 > 0 else { return }
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    }
  }

  @Test(arguments: Trials.some(of: 10))
  func `whatever a hop does, its account is what somebody else counts`(number: Int) throws {
    var arrived = 0
    for seed in Array(number * Self.batch..<(number + 1) * Self.batch) + (number == 7 ? [790] : [])
    {
      if try expectAccount(seed) { arrived += 1 }
    }
    #expect(arrived * 2 >= Self.batch, "\(arrived) of \(Self.batch) arrived")
  }

  private func expectAccount(_ seed: Int) throws -> Bool {
    var random = SeededGenerator(seed: UInt64(seed) &* 15_485_863 + 11)
    let models = try RandomMigrationTests.history(&random)
    let (source, destination) = (models[0], models[1])
    var mapping = try #require(MappingInference.infer(from: source, to: destination).mapping)
    for _ in 0..<3 { Self.change(&mapping, source, destination, &random) }
    let edge = AuthoredEdge(
      source: source.entityVersionHashes,
      destination: destination.entityVersionHashes,
      mapping: mapping,
      origins: []
    )
    let versions = [source, destination].enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions), authored: [edge])
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.acceptUnknown = true
    let plan = try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[0],
      to: graph.nodes[1],
      options: planning
    )
    return try TemporaryFolder.with { folder in
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      try StoreGenerator(model: source, rows: 40, seed: UInt64(seed)).write(to: before)
      var options = MigrationOptions()
      options.output = after
      options.settings.acceptsUnprovenNames = true
      options.settings.acceptsChangedValues = true
      options.settings.certificate = folder + "/certificate.json"
      options.registry.register(ForgetfulPolicy.self)
      let outcome: MigrationOutcome
      do {
        outcome = try StoreMigrator(plan: plan, options: options).migrate(before)
      } catch let error as MigrationError where error.code == .failed {
        return false  // Rows or a rule of the model stand against it, and the run said so.
      } catch {
        Issue.record("seed \(seed): \(error)")
        return false
      }
      try PlainCount.check(outcome, source: before, result: after, folder, "seed \(seed)")
      let counts = try AccountedRun.counts(before, source)
      let planned = HopForecast.accounts(of: plan, counts)
      let misses = try #require(outcome.accounts.first).misses(#require(planned.first))
      #expect(misses.isEmpty, "seed \(seed): \(misses)")
      return true
    }
  }

  /// Does to a mapping what people do.
  private static func change(
    _ mapping: inout MappingModel,
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel,
    _ random: inout SeededGenerator
  ) {
    guard let index = mapping.entityMappings.indices.randomElement(using: &random),
      let old = mapping.entityMappings[index].sourceEntityName,
      let new = mapping.entityMappings[index].destinationEntityName
    else { return }
    var entity = mapping.entityMappings[index]
    entity.mappingType = .custom
    let attribute = source.attributes(of: old).filter { $0.isPersistent }
      .randomElement(using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      guard let attribute else { return }
      entity.sourcePredicate = try? Predicate(format: "\(attribute.name) != nil")
    case 1:
      _ = entity.attributeMappings.popLast()
    case 2:
      _ = entity.relationshipMappings.popLast()
    case 3:
      guard let key = entity.attributeMappings.first else { return }
      entity.deduplicationKeys = [key.name]
    case 4:
      entity.entityMigrationPolicyClassName = "ForgetfulPolicy"
    default:
      // An object becomes one more, of any entity, without values.
      let others = destination.entities.filter { !$0.isAbstract }.map(\.name)
      let other = others.randomElement(using: &random) ?? new
      var more = EntityMapping(mappingType: .custom, source: old, destination: other)
      more.name = "\(old)To\(other)Too\(mapping.entityMappings.count)"
      mapping.entityMappings.append(more)
      return
    }
    mapping.entityMappings[index] = entity
  }
}
