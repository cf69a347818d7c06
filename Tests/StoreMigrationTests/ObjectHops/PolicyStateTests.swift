import Files
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// The state of policies when their hop stops and goes on.
@Suite struct PolicyStateTests {
  /// Numbers the objects in its memory.
  class CountingPolicy: EntityMigrationPolicy {
    var count: UInt8 = 0

    override func createDestinationInstances(
      forSource source: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let object = try manager.createDefaultInstance(forSource: source)
      count += 1
      try object?.setValue(.scalar(.integer(Int64(count))), forKey: "number")
    }
  }

  final class MemoryPolicy: CountingPolicy {
    override var state: State { .inMemory }
  }

  final class SavedPolicy: CountingPolicy {
    override var state: State { .checkpointed }
    override func saveState() -> [UInt8] { [count] }
    override func restoreState(_ state: [UInt8]) { count = state.first ?? 0 }
  }

  final class FailingPolicy: EntityMigrationPolicy {
    struct Refusal: Error {}

    override func createDestinationInstances(
      forSource source: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      throw Refusal()
    }
  }

  private func step(_ policy: String, in folder: String) throws -> AuthoredStep {
    var mapping = AuthoredStep.mapping("A", "A", attributes: ["a": .source("a")])
    mapping.entityMigrationPolicyClassName = policy
    return AuthoredStep(
      source: try ModelSketch.model("A { a: String? }"),
      destination: try ModelSketch.model("A { a: String?; number: Int16 }"),
      mapping: MappingModel(entityMappings: [mapping]),
      folder: folder
    )
  }

  private func run(
    _ step: AuthoredStep,
    _ policy: EntityMigrationPolicy.Type,
    stoppingAfter limit: Int = .max
  ) throws -> Int {
    var registry = MigrationRegistry()
    registry.register(policy, as: "Policy")
    let hop = try step.hop(registry: registry)
    var batches = 0
    let cancellation = Cancellation()
    do {
      try hop.run(step.files, owner: "test", cancellation: cancellation) { event in
        guard event == .passed(.batchWritten) else { return }
        batches += 1
        if batches == limit { cancellation.request() }
      }
    } catch let error as MigrationError where error.code == .interrupted {}
    return batches
  }

  @Test(arguments: [true, false])
  func `a hop goes on with a state that is saved, and begins anew without`(
    isSaved: Bool
  ) throws {
    try TemporaryFolder.with { folder in
      let step = try step("Policy", in: folder)
      try step.makeStore(rows: 60)
      let policy: EntityMigrationPolicy.Type = isSaved ? SavedPolicy.self : MemoryPolicy.self
      let first = try run(step, policy, stoppingAfter: 3)
      let second = try run(step, policy)
      #expect(first == 3)
      try FileSystem.remove(step.files.scratch)
      let all = try run(step, policy)
      #expect(isSaved ? first + second == all : second == all)
      _ = try step.digest()
      #expect(
        try step.rows("SELECT ZNUMBER FROM ZA ORDER BY Z_PK")
          == (1...60).map { [.integer(Int64($0))] }
      )
    }
  }

  @Test func `a policy that fails is named`() throws {
    try TemporaryFolder.with { folder in
      let step = try step("Policy", in: folder)
      try step.makeStore(rows: 3)
      let error = #expect(throws: MigrationError.self) { _ = try run(step, FailingPolicy.self) }
      #expect(error?.code == .failed)
      #expect(error?.message.contains("Policy of the entity mapping AToA failed") == true)
    }
  }
}
