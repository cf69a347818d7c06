import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// The answers of the stores of public apps to their plans.
@Suite(.enabled(if: Corpus.isPresent))
struct CorpusDataTests {
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
