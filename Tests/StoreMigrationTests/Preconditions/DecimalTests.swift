import MigrationPlanning
import ObjectModel
import StoreAccess
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

  private static let notNumbers = [
    "UPDATE ZN SET ZU = 1", "UPDATE ZN SET ZU = 'NaN' WHERE Z_PK < 3",
  ]

  @Test(arguments: ["Double", "Float", "Int32", "Int64", "Boolean"])
  func `a decimal that is not a number fits no other type`(type: String) throws {
    let hop = try HopRun(
      ["N { u: Decimal? }", "N { u: \(type)? }"],
      "entities:\n  - {source: N, attributes: {u: $source.u}}"
    )
    let (findings, error) = try hop.run(Self.notNumbers)
    #expect(findings.contains { $0.evidence?.rows == 2 }, "\(findings)")
    #expect(error?.code == .failed, "\(String(describing: error))")
  }

  @Test func `a decimal that is not a number is copied, and no expression computes with it`() throws
  {
    func hop(_ value: String, _ more: String = "") throws -> HopRun {
      try HopRun(
        ["N { u: Decimal? }", "N { w: Decimal?; note: String? }"],
        "entities:\n  - {source: N, attributes: {w: \(value)}\(more)}"
      )
    }
    var kept: Int64?
    let check: (borrowing SQLiteConnection) throws -> Void = { result in
      kept = try result.count("SELECT COUNT(*) FROM ZN WHERE ZW = 'NaN'")
    }
    let copy = try hop("$source.u").run(Self.notNumbers, inspect: check)
    #expect(copy.error == nil && kept == 2, "\(String(describing: copy.error))")
    let computed = try hop("$source.u + 1").run(Self.notNumbers)
    #expect(computed.findings.contains { $0.evidence?.rows == 2 }, "\(computed.findings)")
    #expect(computed.error?.code == .failed, "\(String(describing: computed.error))")
    // Code is given it as it is.
    let byCode = try hop("$source.u", ", policy: Keeper").run(Self.notNumbers).findings
    #expect(!byCode.contains { $0.code == .unreadableValue }, "\(byCode)")
  }
}
