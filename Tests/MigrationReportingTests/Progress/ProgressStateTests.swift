import MigrationReporting
import Testing

@Suite struct ProgressStateTests {
  private let state = ProgressState(
    title: "v2 → v3",
    hop: (2, 3),
    rows: 500_000,
    totalRows: 2_000_000,
    elapsed: 2
  )

  @Test func `the line has title, bar, rows, rate and remaining time`() {
    #expect(
      state.line(columns: 120).string(isColored: false)
        == "hop 2/3  v2 → v3  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━  25%  "
        + "500,000 of 2,000,000 rows  250,000/s  6.0 s left"
    )
  }

  @Test(arguments: [20, 60, 78, 80, 100, 132])
  func `the line fits the terminal or goes without the bar`(columns: Int) {
    let line = state.line(columns: columns)
    let hasBar = line.string(isColored: false).contains("━")
    #expect(!hasBar || line.width <= columns)
  }

  @Test func `what is not known is not said`() {
    let state = ProgressState(title: "copying", rows: 0, totalRows: nil, elapsed: 0)
    #expect(state.line(columns: 80).string(isColored: false) == "copying  ")
    #expect(state.rate == nil)
    #expect(state.remaining == nil)
    #expect(state.fraction == nil)
  }

  @Test func `more rows than were announced are no more than all`() {
    let state = ProgressState(title: "x", rows: 12, totalRows: 10, elapsed: 1)
    #expect(state.fraction == 1)
    #expect(state.remaining == nil)
  }

  @Test func `programs get one line of JSON`() {
    #expect(
      state.json.compact == #"{"elapsed":2.0,"hop":2,"hops":3,"rows":500000,"#
        + #""schema":"waystone.progress/1","title":"v2 → v3","totalRows":2000000,"unit":"row"}"#
    )
  }
}
