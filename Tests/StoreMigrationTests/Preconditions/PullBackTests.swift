import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import StoreVerification
import Testing

/// Questions to later versions, answered by the store before anything runs, and by really running.
@Suite struct PullBackTests {
  /// Models that change at random, and demand more and less of their attributes at random.
  private func models(_ random: inout SeededGenerator) -> [ManagedObjectModel] {
    var changing = RandomModel(&random)
    var models: [ManagedObjectModel] = []
    for _ in 0..<3 {
      if let model = changing.model.flatMap({ $0.demanding(&random) }) { models.append(model) }
      changing.evolve(&random)
    }
    return models
  }

  /// The questions that can be asked of the objects of a version.
  private func questions(_ model: ManagedObjectModel) -> [Precondition] {
    model.entities.filter { !$0.isAbstract }.flatMap { entity -> [Precondition] in
      func ask(_ kind: Precondition.Kind, _ names: [String]) -> Precondition {
        Precondition(
          .typeNarrowed,
          entity: entity.name,
          property: names.first,
          kind,
          [Precondition.Subject(entity.name, names.map { .carried([$0]) })]
        )
      }
      let attributes = model.attributes(of: entity.name).filter(\.isPersistent)
      let relationships = model.relationships(of: entity.name).filter(\.isPersistent)
      var all = [ask(.noRows, [])]
      for attribute in attributes {
        let name = attribute.name
        all += [ask(.present, [name]), ask(.noValues, [name]), ask(.unique, [name])]
        if attribute.attributeType.isNumeric, attribute.attributeType != .integer16 {
          all.append(ask(.fits(from: attribute.attributeType, to: .integer16), [name]))
        }
        all += attributes.map { ask(.unique, [name, $0.name]) }
      }
      for relationship in relationships {
        let name = relationship.name
        all += [
          ask(.noLinks, [name]), ask(.atMostOneLink, [name]),
          ask(.linkCount(least: 1, greatest: 2), [name]),
        ]
        if !relationship.isToMany { all.append(ask(.unique, [name])) }
      }
      return all
    }
  }

  private func mapping(_ plan: MigrationPlan) -> ComposedMapping {
    plan.hops.reduce(ComposedMapping(identityOf: plan.source.model)) { mapping, hop in
      mapping.then(
        ComposedMapping(
          hop.mapping,
          from: hop.source.model,
          to: hop.destination.model,
          named: hop.destination.name
        )
      )
    }
  }

  /// The results of the questions.
  private struct Tally {
    var certain = 0
    var refuted = 0
    var unknown = 0
    var unlike: [String] = []
  }

  private func compare(_ seed: Int) throws -> Tally? {
    var random = SeededGenerator(seed: UInt64(seed) &* 104_729 + 11)
    let models = models(&random)
    let versions = models.enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.followsHistory = true
    guard let first = graph.nodes.first, let last = graph.nodes.last, first != last,
      let plan = try? MigrationPlanner(graph: graph).plan(from: first, to: last, options: planning),
      models.allSatisfy({ PhysicalSchema(model: $0).unsupported.isEmpty })
    else { return nil }
    return try TemporaryFolder.with { folder in
      let before = folder + "/before.sqlite"
      try StoreGenerator(model: first.model, rows: 40, seed: UInt64(seed)).write(to: before)
      var options = MigrationOptions()
      options.output = folder + "/after.sqlite"
      options.settings.acceptsUnprovenNames = true
      options.settings.acceptsChangedValues = true
      options.settings.verification = .none
      do { _ = try StoreMigrator(plan: plan, options: options).migrate(before) } catch let error
        as MigrationError
      {
        // A file of external data that the generator only names, and the like.
        _ = error
        return nil
      }
      let source = try StorePreconditionChecker(reading: before, model: first.model)
      let result = try StorePreconditionChecker(
        reading: folder + "/after.sqlite",
        model: last.model
      )
      let mapping = mapping(plan)
      var tally = Tally()
      for question in questions(last.model) {
        guard case .question(let pulled) = question.pulledBack(through: mapping) else {
          tally.unknown += 1
          continue
        }
        let (expected, found) = (result.answer(to: question), source.answer(to: pulled))
        if case .unknown = expected { continue }
        tally.certain += 1
        if case .refuted = found { tally.refuted += 1 }
        if expected != found {
          tally.unlike.append("\(question.place) \(question.kind): \(found), not \(expected)")
        }
      }
      return tally
    }
  }

  @Test(arguments: Trials.some(of: 12))
  func `what is pulled back is what a run would count`(block: Int) throws {
    var sum = Tally()
    var stores = 0
    for seed in (block * 25)..<(block * 25 + 25) {
      guard let tally = try compare(seed) else { continue }
      stores += 1
      #expect(tally.unlike.isEmpty, "seed \(seed): \(tally.unlike.prefix(3))")
      sum.certain += tally.certain
      sum.refuted += tally.refuted
      sum.unknown += tally.unknown
    }
    print(
      "pulled back in \(stores) stores: \(sum.certain) certain, \(sum.refuted) of them refuted, "
        + "\(sum.unknown) unknown"
    )
    #expect(stores > 5 && sum.certain > sum.unknown && sum.refuted > 50)
  }
}
