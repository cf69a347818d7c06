import MigrationPlanning
import ObjectModel
import StoreMigration
import Testing

/// Steps to two versions whose hashes are equal and whose defaults are not.
@Suite struct ArrivalTests {
  private static let empty = ["UPDATE ZA SET ZN = NULL WHERE Z_PK % 3 = 0"]
  private static let optional = "A { n: Int32? }"
  private static let required = "A { n: Int32 }"
  private static let filled = "A { n: Int32 = 7 }"

  @Test func `a gap is filled by the version where the step arrives, not by a later one`() throws {
    let trial = try DroppedTargetTests.Trial(
      [Self.optional, Self.filled, Self.required],
      Self.empty
    )
    #expect(trial.error == nil && trial.outcome != nil, "\(String(describing: trial.error))")
  }

  @Test func `a gap that only a later version of equal hashes fills is filled by that`() throws {
    let trial = try DroppedTargetTests.Trial(
      [Self.optional, Self.required, Self.filled],
      Self.empty
    )
    #expect(trial.error == nil && trial.outcome != nil, "\(String(describing: trial.error))")
    let told = trial.plan.allFindings.contains { $0.message.contains("7") }
    #expect(told, "\(trial.plan.allFindings)")
  }

  @Test func `a gap stays one where the later version has other Renaming IDs`() throws {
    let trial = try DroppedTargetTests.Trial(
      [Self.optional, Self.required, "A { n: Int32 = 7 was m }"],
      Self.empty
    )
    let error = try #require(trial.error)
    #expect(error.code == .failed && error.message.hasPrefix("WS313: in A.n"), "\(error)")
    let finding = trial.plan.allFindings.first { $0.code == .requiredWithoutDefault }
    #expect(finding?.severity == .error, "\(String(describing: finding))")
  }
}
