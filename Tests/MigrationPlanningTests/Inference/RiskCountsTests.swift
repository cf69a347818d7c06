import MigrationPlanning
import ObjectModel
import Testing

@Suite struct RiskCountsTests {
  @Test(arguments: [
    [Risk.exact, .conditional, .lossy], [.lossy, .conditional, .exact], [.conditional, .lossy],
  ])
  func `the worst of some risks is the greatest, whatever their order`(risks: [Risk]) {
    let findings = risks.map { risk in
      Finding(
        .attributeDropped,
        .note,
        risk: risk,
        at: Finding.Place(),
        message: "",
        remedy: ""
      )
    }
    let counts = RiskCounts(of: findings)
    #expect(counts.worst == .lossy)
    #expect(counts.lossy == 1 && counts.conditional == 1)
  }
}
