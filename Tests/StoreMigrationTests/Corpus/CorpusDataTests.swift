import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// What the data of stores of public apps says about their plans, and what runs then do.
@Suite(.enabled(if: Corpus.isPresent))
struct CorpusDataTests {
  private static let journeys =
    Trials.some(of: CorpusJourney.wire + CorpusJourney.bookmarks + CorpusJourney.others)

  @Test(arguments: journeys)
  func `what a plan says of a store is what a run finds`(_ journey: CorpusJourney) throws {
    try TemporaryFolder.with { folder in
      let copy = try journey.copy(into: folder)
      let before = [copy, copy + "-wal"].map { TemporaryFolder.bytes(of: $0) }
      let plan = try journey.plan(asking: copy)
      #expect([copy, copy + "-wal"].map { TemporaryFolder.bytes(of: $0) } == before)
      let evidence = plan.allFindings.compactMap(\.evidence)
      let open = plan.allFindings.count { $0.risk == .conditional && $0.evidence == nil }
      print(
        "\(journey.testDescription), \(plan.hops.count) hops: "
          + "\(evidence.count { $0.verdict == .proven }) proven, "
          + "\(evidence.count { $0.verdict == .refuted }) refuted, "
          + "\(evidence.count { $0.verdict == .unknown }) unknown, \(open) never asked; about "
          + "\(plan.hops.reduce(0) { $0 + ($1.size?.bytes ?? 0) }) bytes"
      )
      #expect(open == 0)
      #expect(plan.hops.allSatisfy { $0.size != nil })
      #expect(
        plan.cost.refuted == plan.allFindings.count { $0.risk == .conditional && $0.isRefuted }
      )
      let refused = plan.allFindings.filter(\.isRefused)
      let run = Result {
        try StoreMigrator(plan: plan, options: journey.options(folder)).migrate(copy)
      }
      switch run {
      case .success: #expect(refused.isEmpty)
      case .failure(let error):
        let error = try #require(error as? MigrationError)
        #expect(refused.contains { error.message.hasPrefix($0.code.rawValue) }, "\(error.message)")
      }
    }
  }

  // In a debug build each of the larger archives costs seconds to plan.
  @Test(arguments: Trials.some(of: CorpusJourney.bookmarks + CorpusJourney.wire.prefix(2)))
  func `a search that asks the data ends, and is no dearer`(_ journey: CorpusJourney) throws {
    try TemporaryFolder.with { folder in
      let copy = try journey.copy(into: folder)
      let clock = ContinuousClock()
      var plan: MigrationPlan?
      let time = try clock.measure {
        plan = try journey.plan(asking: copy, options: PlanningOptions())
      }
      let walk = try journey.plan(asking: copy)
      let found = try #require(plan)
      #expect(found.cost <= walk.cost)
      print("\(journey.testDescription): \(found.hops.count) hops, asked in \(time)")
    }
  }
}

extension Finding {
  /// Whether rows stand against it.
  fileprivate var isRefuted: Bool { evidence?.verdict == .refuted }
}
