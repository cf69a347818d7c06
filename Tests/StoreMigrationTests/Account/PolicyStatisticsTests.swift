import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// The objects that policies made and left out, counted by the run and reported with its outcome.
@Suite struct PolicyStatisticsTests {
  private typealias Policy = RandomHopTests.ForgetfulPolicy

  private static func plan(alsoCopying: Bool) throws -> MigrationPlan {
    let versions = try [
      "Image { name: String? } Folder { name: String? }",
      "Image { name: String?; width: Int32? } Folder { name: String? }",
    ].enumerated().map { index, sketch in
      ModelVersion(modelName: "M", name: "v\(index + 1)", model: try ModelSketch.model(sketch))
    }
    let (source, destination) = (versions[0].model, versions[1].model)
    var mapping = try #require(MappingInference.infer(from: source, to: destination).mapping)
    let image = try #require(
      mapping.entityMappings.firstIndex { $0.sourceEntityName == "Image" }
    )
    mapping.entityMappings[image].mappingType = .custom
    mapping.entityMappings[image].entityMigrationPolicyClassName = "ForgetfulPolicy"
    if alsoCopying {
      var folders = EntityMapping(mappingType: .custom, source: "Image", destination: "Folder")
      folders.name = "ImageToFolder"
      mapping.entityMappings.append(folders)
    }
    let edge = AuthoredEdge(
      source: source.entityVersionHashes,
      destination: destination.entityVersionHashes,
      mapping: mapping,
      origins: []
    )
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions), authored: [edge])
    return try MigrationPlanner(graph: graph).plan(
      from: try #require(graph.nodes.first),
      to: try #require(graph.nodes.last)
    )
  }

  private static func options(_ folder: String) -> MigrationOptions {
    var options = MigrationOptions()
    options.output = folder + "/after.sqlite"
    options.registry.register(Policy.self)
    return options
  }

  private static func work(withoutTrace: Int64) -> PolicyStatistics {
    PolicyStatistics(
      policy: "ForgetfulPolicy",
      mapping: "ImageToImage",
      source: "Image",
      destination: "Image",
      given: 30,
      made: 20,
      withoutTrace: withoutTrace
    )
  }

  private func check(_ outcome: MigrationOutcome, withoutTrace: Int64) throws {
    let work = try #require(outcome.accounts.first?.works.first)
    #expect(work == Self.work(withoutTrace: withoutTrace))
    let findings = outcome.findings.filter { $0.code == .objectsWithoutTrace }
    #expect(findings.count == (withoutTrace > 0 ? 1 : 0))
    #expect(findings.allSatisfy { $0.place.entity == "Image" && $0.message.contains("10 of 30") })
    let note = "ForgetfulPolicy: 30 Image in, 20 Image out, \(withoutTrace) without"
    #expect(outcome.notes.contains { $0.contains(note) }, "\(outcome.notes)")
  }

  private func withStore(_ body: (String, String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/before.sqlite"
      let model = try Self.plan(alsoCopying: false).source.model
      try StoreGenerator(model: model, rows: 60, seed: 5).write(to: store)
      try body(store, folder)
    }
  }

  @Test func `objects that a policy leaves out are a finding`() throws {
    try withStore { store, folder in
      let plan = try Self.plan(alsoCopying: false)
      try check(
        StoreMigrator(plan: plan, options: Self.options(folder)).migrate(store),
        withoutTrace: 10
      )
    }
  }

  @Test func `what another mapping made something of has left a trace`() throws {
    try withStore { store, folder in
      let plan = try Self.plan(alsoCopying: true)
      try check(
        StoreMigrator(plan: plan, options: Self.options(folder)).migrate(store),
        withoutTrace: 0
      )
    }
  }

  @Test func `a run that is resumed behind the hop tells it too`() throws {
    try withStore { store, folder in
      let plan = try Self.plan(alsoCopying: false)
      var options = Self.options(folder)
      let cancellation = options.cancellation
      options.onEvent = { if case .began(.verifying) = $0 { cancellation.request() } }
      #expect(throws: MigrationError.self) {
        try StoreMigrator(plan: plan, options: options).migrate(store)
      }
      let outcome = try StoreMigrator(plan: plan, options: Self.options(folder))
        .resume(folder + "/after.sqlite")
      #expect(outcome.resumedAfter == 1)
      try check(outcome, withoutTrace: 10)
    }
  }
}
