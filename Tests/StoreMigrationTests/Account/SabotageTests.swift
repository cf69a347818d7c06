import Files
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Synchronization
import Testing

/// Hops that lose something behind the engine's back, once their file is written.
@Suite struct SabotageTests {
  private static let batch = Trials.areAll ? 10 : 1

  /// The loss.
  enum Loss: CaseIterable {
    case row, value, link
  }

  @Test(arguments: 0..<10)
  func `a hop that loses something ends the run, and says what`(number: Int) throws {
    var done = 0
    for seed in number * Self.batch..<(number + 1) * Self.batch {
      for loss in Loss.allCases where try expectNotice(seed, loss) { done += 1 }
    }
    #expect(done >= Self.batch, "\(done) runs were sabotaged")
  }

  @Test func `a hop that loses an order ends the run, and says what`() throws {
    let before = "List { items ->> Item.list ordered } Item { list -> List.items }"
    let error = try #require(throws: MigrationError.self) {
      try SketchedStep.run(
        before,
        before + " More { text: String? }",
        configure: { options in
          let file = (options.output ?? "") + ".waystone/hop-"
          options.onEvent = { event in
            guard case .passed(.hopWritten) = event else { return }
            for path in [file + "0.sqlite", file + "1.sqlite"]
            where (try? FileSystem.exists(path)) == true {
              try? AppDatabase.run(path, "UPDATE ZITEM SET Z_FOK_LIST = 1000 - Z_FOK_LIST")
            }
          }
        }
      ) { _ in }
    }
    #expect(error.code == .verificationFailed && error.message.contains("Item.list"), "\(error)")
  }

  /// - Returns: Whether there was something to lose.
  private func expectNotice(_ seed: Int, _ loss: Loss) throws -> Bool {
    var random = SeededGenerator(seed: UInt64(seed) &* 32_452_843 + 3)
    let models = try RandomMigrationTests.history(&random)
    let versions = models.prefix(2).enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    let plan = try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[0],
      to: graph.nodes[1],
      options: planning
    )
    return try TemporaryFolder.with { folder in
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      try StoreGenerator(model: models[0], rows: 40, seed: UInt64(seed)).write(to: before)
      let lost = Mutex<[String]?>(nil)
      var options = MigrationOptions()
      options.output = after
      options.settings.acceptsUnprovenNames = true
      options.settings.acceptsChangedValues = true
      options.settings.certificate = folder + "/certificate.json"
      options.onEvent = { event in
        guard case .passed(.hopWritten) = event else { return }
        let file = (0...1).map { "\(after).waystone/hop-\($0).sqlite" }.last { path in
          (try? FileSystem.exists(path)) == true
        }
        let place = file.flatMap { try? Self.sabotage($0, models[1], plan, loss) }
        lost.withLock { $0 = place }
      }
      do {
        _ = try StoreMigrator(plan: plan, options: options).migrate(before)
        #expect(lost.withLock { $0 } == nil, "seed \(seed): \(loss) was lost and nobody noticed")
        return false
      } catch let error as MigrationError {
        guard let place = lost.withLock({ $0 }) else { return false }
        #expect(error.code == .verificationFailed, "seed \(seed): \(error)")
        #expect(
          place.contains(where: error.message.contains),
          "seed \(seed): \(place) is not in \(error.message)"
        )
        #expect(try !FileSystem.exists(after))
        return true
      }
    }
  }

  /// Loses something that the hop carries.
  ///
  /// - Returns: The entity, and the property where it is one's; of a link, either end.
  private static func sabotage(
    _ path: String,
    _ model: ManagedObjectModel,
    _ plan: MigrationPlan,
    _ loss: Loss
  ) throws -> [String]? {
    let mapping = try #require(plan.hops.first).composedMapping
    let names = try StoreSchema(of: SQLiteConnection(path: path, access: .quiescent)).columnNames
    let schema = PhysicalSchema(model: model, names: JoinNames(settledBy: names, model: model))
    let app = try AppDatabase(path)
    func changes(_ sql: String) throws -> Int64 {
      try app.execute(sql)
      return try app.execute("SELECT changes()", []).first?.first?.integer ?? 0
    }
    for entity in model.entities where !entity.isAbstract {
      guard let table = schema.table(of: entity.name)?.name,
        let number = schema.entityNumber(entity.name),
        mapping.origins[entity.name]?.isEmpty == false
      else { continue }
      if loss == .row {
        let first = "SELECT MIN(Z_PK) FROM \(table) WHERE Z_ENT = \(number)"
        if try changes("DELETE FROM \(table) WHERE Z_PK = (\(first))") > 0 { return [entity.name] }
        continue
      }
      for declared in model.properties(of: entity.name) {
        let name = declared.property.name
        guard
          mapping.origins[entity.name]?.contains(where: {
            $0.values[name]?.carriedProperty != nil
          }) == true
        else { continue }
        let column: String?
        switch (loss, declared.property) {
        case (.value, .attribute): column = schema.column(of: name, in: entity.name)?.name
        case (.link, .relationship):
          guard case .key(_, let key, _, _)? = schema.storage(of: name, in: entity.name) else {
            continue
          }
          column = key
        default: continue
        }
        guard let column else { continue }
        let update =
          "UPDATE \(table) SET \(column) = NULL WHERE Z_PK = (SELECT MIN(Z_PK) FROM \(table) "
          + "WHERE Z_ENT = \(number) AND \(column) IS NOT NULL)"
        guard try changes(update) > 0 else { continue }
        let inverse = declared.property.relationship.flatMap {
          model.inverse(of: $0)?.property.name
        }
        return ["\(entity.name).\(name)", "\(declared.entityName).\(name)"]
          + [inverse].compactMap { $0.map { ".\($0): " } }
      }
    }
    return nil
  }
}
