import MigrationPlanning
import ObjectModel
import StoreMigration
import Testing

/// Decimals, which Core Data writes as doubles and SQLite keeps as whole numbers where they have no fraction.
@Suite struct DecimalTests {
  @Test func `a whole number that no double is does not become a decimal unasked`() throws {
    let hop = try HopRun(
      ["N { u: Int64? }", "N { u: Decimal? }"],
      "entities:\n  - {source: N, attributes: {u: $source.u}}"
    )
    let last: Int64 = 9_007_199_254_740_992
    let (findings, error) = try hop.run([
      "UPDATE ZN SET ZU = \(last)", "UPDATE ZN SET ZU = \(last + 1) WHERE Z_PK < 3",
    ])
    let narrowed = findings.first { $0.code == .typeNarrowed }
    #expect(narrowed?.evidence?.rows == 2, "\(findings)")
    #expect(narrowed?.message.contains("beyond ±9,007,199,254,740,992") == true, "\(findings)")
    #expect(error?.code == .failed, "\(String(describing: error))")
    let fitting = try hop.run(["UPDATE ZN SET ZU = \(last)"])
    #expect(fitting.error == nil, "\(String(describing: fitting.error))")
  }

  @Test(arguments: [("Double", 9_007_199_254_740_992), ("Float", 16_777_216)])
  func `a whole number that the new type rounds is counted and refused`(
    type: String,
    last: Int64
  ) throws {
    let hop = try HopRun(
      ["N { u: Decimal? }", "N { u: \(type)? }"],
      "entities:\n  - {source: N, attributes: {u: $source.u}}"
    )
    let (findings, error) = try hop.run([
      "UPDATE ZN SET ZU = 1", "UPDATE ZN SET ZU = \(last + 1) WHERE Z_PK < 3",
    ])
    let narrowed = findings.first { $0.code == .typeNarrowed }
    #expect(narrowed?.evidence?.rows == 2, "\(findings)")
    #expect(error?.code == .failed, "\(String(describing: error))")
    let fitting = try hop.run(["UPDATE ZN SET ZU = \(last)"])
    #expect(fitting.error == nil, "\(String(describing: fitting.error))")
  }
}
