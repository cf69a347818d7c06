import MigrationReporting
import Testing

@Suite struct VersionRunsTests {
  private static let order = (1...9).map { "v\($0)" }

  private static func runs(_ numbers: [Int]) -> VersionRuns {
    VersionRuns(numbers.map { "v\($0)" }, in: order)
  }

  @Test(arguments: [
    ([1, 2, 3], "v1, v2, v3"),
    ([1, 2, 3, 4, 5], "v1 – v5 (5 versions)"),
    ([1, 2, 3, 5, 6, 7], "v1 – v3, v5 – v7 (6 versions)"),
    ([1, 2, 3, 4, 9], "v1 – v4, v9 (5 versions)"),
    ([1, 2, 4, 5, 7, 8, 9], "v1, v2, v4, v5, v7 – v9 (7 versions)"),
    ([1, 3, 5, 7, 9], "v1, v3, v5 and 2 more (5 versions)"),
  ])
  func `no range holds a version that is not meant`(numbers: [Int], text: String) {
    #expect(Self.runs(numbers).text() == text)
  }

  @Test func `a version counts once and stands where it was made`() {
    let runs = Self.runs([5, 1, 3, 2, 4, 1])
    #expect(runs.count == 5)
    #expect(runs.text() == "v1 – v5 (5 versions)")
    #expect(runs.text(isVerbose: true) == "v1, v2, v3, v4, v5")
    #expect(Self.runs([8, 7]).ranges() == "v7 – v8")
  }

  @Test func `versions of no known order are no range`() {
    let runs = VersionRuns(["a", "b", "c", "d", "e"], in: [])
    #expect(runs.text() == "a, b, c and 2 more (5 versions)")
  }
}
