import Foundation
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Changes that the user lets a run make: the certificate lists them, line by line.
@Suite struct AcceptedChangeTests {
  /// The certificate of a run over a generated store that statements change.
  private func certificate(
    _ sketches: [String],
    _ statements: [String]
  ) throws -> MigrationCertificate {
    try certified(sketches, statements).certificate
  }

  private func certified(
    _ sketches: [String],
    _ statements: [String]
  ) throws -> (certificate: MigrationCertificate, source: LogicalDigest) {
    try TemporaryFolder.with { folder in
      let walk = try DeferredCleanupTests.Walk(folder, sketches)
      try SketchedStore.damage(walk.store, statements.joined(separator: ";"))
      let outcome = try walk.migrator(from: "v1", to: "v\(sketches.count)") {
        $0.output = folder + "/after.sqlite"
        $0.settings.acceptsChangedValues = true
        // Each hop has an account of its own.
        $0.settings.fusesHops = false
        $0.settings.acceptsUnexplainedLoss = true
        $0.settings.certificate = folder + "/certificate.json"
      }.migrate(walk.store)
      return (try #require(outcome.certificate), try walk.digest(walk.store, "v1"))
    }
  }

  private static let great = "UPDATE ZA SET ZN = 70000 WHERE Z_PK <= 2"

  @Test func `values that became others are a line of their own`() throws {
    let made = try certificate(
      ["A { n: Int32; s: String? }", "A { n: Int16; s: String? }"],
      ["UPDATE ZA SET ZN = 1", Self.great]
    )
    let lines = made.total.departures.filter { $0.property == "n" }
    #expect(lines.map(\.fate) == [.carried, .changed], "\(lines)")
    #expect(lines.last?.count == 2)
    #expect(made.hops[0].changes?.map(\.code) == ["WS310"])
    #expect(made.hops[0].changes?.first?.rows == 2)
  }

  @Test func `what a later hop changes is changed in the total too`() throws {
    let made = try certificate(
      ["A { m: Int32 }", "A { n: Int32 was m }", "A { n: Int16 was m }"],
      ["UPDATE ZA SET ZM = 1", "UPDATE ZA SET ZM = 70000 WHERE Z_PK <= 3"]
    )
    #expect(made.hops[0].departures.filter { $0.property == "m" }.map(\.fate) == [.carried])
    let lines = made.total.departures.filter { $0.property == "m" }
    #expect(lines.map(\.fate) == [.carried, .changed], "\(lines)")
    #expect(lines.last?.count == 3)
  }

  @Test func `what the model does not explain is named where its loss is accepted`() throws {
    let made = try certificate(
      ["A { s: String? }", "A { s: String?; t: String? }"],
      ["ALTER TABLE ZA ADD COLUMN ZOWN TEXT", "UPDATE ZA SET ZOWN = 'mine' WHERE Z_PK <= 3"]
    )
    #expect(made.unexplained?.map(\.place) == ["ZA.ZOWN"])
    #expect(made.unexplained?.map(\.count) == [3])
  }

  @Test func `a certificate that calls more carried than arrives is refused`() throws {
    var (made, digest) = try certified(["A { s: String? }", "A { s: String?; t: String? }"], [])
    func failures(_ certificate: MigrationCertificate) throws -> Int64 {
      let report = try CertificateAudit(certificate).report(
        digest: digest,
        hashes: [:],
        identity: certificate.result.identity,
        counts: StoreCounts(),
        model: ModelSketch.model("A { s: String? }")
      )
      return report.checks.first { $0.name == "certificate-accounts" }?.failures ?? 0
    }
    #expect(try failures(made) == 0)
    let index = try #require(made.hops[0].arrivals.firstIndex { $0.property == "s" })
    var arrivals = made.hops[0].arrivals
    arrivals[index].count -= 1
    arrivals[index].least -= 1
    made.hops[0] = try edited(made.hops[0], arrivals: arrivals)
    #expect(try failures(made) > 0)
  }

  /// An account with other arrivals, by way of its form in a file.
  private func edited(
    _ account: HopReconciliation,
    arrivals: [HopReconciliation.Arrival]
  ) throws -> HopReconciliation {
    var object = try #require(
      try JSONSerialization.jsonObject(with: JSONEncoder().encode(account)) as? [String: Any]
    )
    object["arrivals"] = try JSONSerialization.jsonObject(with: JSONEncoder().encode(arrivals))
    return try JSONDecoder().decode(
      HopReconciliation.self,
      from: JSONSerialization.data(withJSONObject: object)
    )
  }
}
