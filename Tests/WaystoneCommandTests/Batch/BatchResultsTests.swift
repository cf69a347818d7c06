import BatchMigration
import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone
import WaystoneCommand

/// The results of a batch after it ran: they are moved, changed, lost or put back.
@Suite struct BatchResultsTests {
  private func json(_ run: ProcessRun) throws -> [String: Any] {
    let value =
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any] ?? [:]
    #expect(JSONSchema.mistakes(inOutput: value) == [])
    return value
  }

  private func verify(
    _ tree: String,
    in folder: BatchFolder
  ) throws -> (status: Int32, tree: String, failures: [String: String]) {
    let run = try ProcessRun(["batch", "verify", tree, "--format", "json"], in: folder.path)
    let found = try json(run)
    let failures = found["failures"] as? [[String: String]] ?? []
    return (
      run.status, found["tree"] as? String ?? "",
      Dictionary(uniqueKeysWithValues: failures.map { ($0["store"] ?? "", $0["code"] ?? "") })
    )
  }

  @Test func `a tree that was copied is verified where it lies now`() throws {
    let folder = try BatchFolder()
    for name in ["one", "two", "three"] { try folder.make("\(name).sqlite") }
    #expect(try folder.run().status == 0)
    try FileManager.default.copyItem(atPath: folder.output, toPath: folder.path + "/copy")
    try FileManager.default.removeItem(atPath: folder.path + "/copy/old/one.sqlite")
    try AppDatabase.run(folder.path + "/copy/old/two.sqlite", "DELETE FROM ZLETTER")

    let copy = try verify("copy", in: folder)
    #expect(copy.status == 1)
    #expect(copy.tree.hasSuffix("/copy"))
    #expect(
      copy.failures == ["old/one.sqlite": "missingFile", "old/two.sqlite": "verificationFailed"]
    )
    #expect(try verify("out", in: folder).failures == [:])

    // A run goes on in the copy, and writes nothing into the tree from which it was copied.
    try FileManager.default.removeItem(atPath: folder.output)
    let retried = try ProcessRun(["batch", "retry", "copy", "--missing"], in: folder.path)
    #expect(retried.output.hasPrefix("1 store whose result is missing waits again."))
    #expect(try folder.run(places: ["--output", "copy"]).status == 0)
    #expect(try verify("copy", in: folder).failures == ["old/two.sqlite": "verificationFailed"])
    #expect(!FileManager.default.fileExists(atPath: folder.output))
    let status = try ProcessRun(["batch", "status", "copy", "--format", "json"], in: folder.path)
    let batch = try json(status)["batch"] as? [String: Any]
    #expect((batch?["output"] as? String)?.hasSuffix("/copy") == true)
  }

  @Test func `a result is made again where it is gone, and never over one that is there`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    #expect(try folder.run().status == 0)
    let result = folder.output + "/old/one.sqlite"
    try AppDatabase.run(result, "DELETE FROM ZLETTER")
    let changed = try #require(TemporaryFolder.bytes(of: result))
    let said = try ProcessRun(["batch", "verify", "out"], in: folder.path).output
    #expect(
      said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        .contains("move it away; then `waystone batch retry out --missing`")
    )
    let none = try ProcessRun(["batch", "retry", "out", "--missing"], in: folder.path)
    #expect(none.output == "No result of out/batch.waystone.sqlite is missing.\n")
    #expect(try folder.run().status == 0)
    #expect(TemporaryFolder.bytes(of: result) == changed)

    try FileManager.default.moveItem(atPath: result, toPath: folder.path + "/wrong.sqlite")
    let one = try ProcessRun(
      ["batch", "retry", "out", "--missing", "--format", "json"],
      in: folder.path
    )
    #expect(try json(one)["stores"] as? Int == 1)
    #expect(try folder.run().status == 0)
    #expect(try verify("out", in: folder).status == 0)
    // A tree that is gone as a whole may be a disk that is not mounted.
    let ledger = folder.path + "/elsewhere.sqlite"
    try FileManager.default.moveItem(atPath: folder.ledger, toPath: ledger)
    try FileManager.default.removeItem(atPath: folder.output)
    let gone = try ProcessRun(
      ["batch", "retry", "--ledger", ledger, "--missing"],
      in: folder.path
    )
    #expect(gone.status == 66, "\(gone.output)")
  }

  @Test func `verify names a store in its place that a rollback would leave`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("one.sqlite")
    #expect(try folder.run(places: ["--in-place"]).status == 0)
    let good = try json(ProcessRun(["batch", "verify", "--format", "json"], in: folder.path))
    #expect(good["written"] as? [String] == [])
    // Written to twice, so that it says in the end what it said before.
    try AppDatabase.run(store, "UPDATE ZLETTER SET Z_OPT = Z_OPT + 1")
    try AppDatabase.run(store, "UPDATE ZLETTER SET Z_OPT = Z_OPT - 1")
    let verified = try ProcessRun(["batch", "verify", "--format", "json"], in: folder.path)
    #expect(verified.status == 0)
    #expect(try json(verified)["written"] as? [String] == ["old/one.sqlite"])

    let refused = try ProcessRun(["batch", "rollback", "--format", "json"], in: folder.path)
    #expect(refused.status == 1)
    let failures = try json(refused)["failures"] as? [[String: String]]
    let advice = try #require(failures?.first?["recovery"])
    let command = try #require(advice.firstMatch(of: /`waystone (rollback [^`]* --force)`/)?.1)
    let words = command.split(separator: " ").map { String($0) }
    #expect(try ProcessRun(words, in: folder.path).status == 0)
    // The ledger takes note of what was put back by hand.
    let again = try ProcessRun(["batch", "rollback"], in: folder.path)
    #expect(again.status == 0, "\(again.output)")
    #expect(
      try folder.states(ledger: folder.path + "/batch.waystone.sqlite").values.sorted() == [
        "skipped"
      ]
    )
  }

  @Test func `a rollback of several roots needs to be told which`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/more",
      withIntermediateDirectories: false
    )
    try FileManager.default.moveItem(
      atPath: try folder.make("two.sqlite"),
      toPath: folder.path + "/more/two.sqlite"
    )
    #expect(try folder.run("more", places: ["--in-place"]).status == 0)
    let ledger = folder.path + "/batch.waystone.sqlite"
    let refused = try ProcessRun(["batch", "rollback"], in: folder.path)
    #expect(refused.status == 2)
    #expect(refused.errors.contains("2 roots: more (1), old (1)"), "\(refused.errors)")
    #expect(Set(try folder.states(ledger: ledger).values) == ["migrated"])
    let some = try ProcessRun(["batch", "rollback", "--select", "name=more/*"], in: folder.path)
    #expect(some.status == 0)
    #expect(some.errors.contains("Putting the originals of 1 store back: more (1)."))
    #expect(
      try folder.states(ledger: ledger)
        == ["old/one.sqlite": "migrated", "more/two.sqlite": "skipped"]
    )
    #expect(try ProcessRun(["batch", "rollback", "--all"], in: folder.path).status == 0)
    #expect(Set(try folder.states(ledger: ledger).values) == ["skipped"])
  }

  @Test func `batches in place are undone one after the other, the last one first`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("one.sqlite")
    func version() throws -> String {
      let inspected = CommandRun("inspect", store, "--models", SampleArchive.root)
      return try #require(inspected.output.firstMatch(of: /Letters\/v[0-9]/)).output.description
    }
    for (ledger, version) in [("one.led", "v2"), ("two.led", "v3")] {
      let run = try folder.run(
        "--to",
        "Letters/\(version)",
        places: ["--in-place", "--ledger", ledger]
      )
      #expect(run.status == 0, "\(run.errors)")
    }
    let early = try ProcessRun(["batch", "rollback", "--ledger", "one.led"], in: folder.path)
    #expect(early.status == 1)
    #expect(early.output.contains("is not one of this batch"), "\(early.output)")
    #expect(try version() == "Letters/v3")
    for (ledger, before) in [("two.led", "Letters/v2"), ("one.led", "Letters/v1")] {
      let undone = try ProcessRun(["batch", "rollback", "--ledger", ledger], in: folder.path)
      #expect(undone.output.hasSuffix("1 original put back.\n"), "\(undone.output)")
      #expect(undone.status == 0)
      #expect(try version() == before)
    }
  }

  @Test func `a merged ledger puts back what its parts replaced`() throws {
    let folder = try BatchFolder()
    for number in 1...4 { try folder.make("s\(number).sqlite") }
    for part in 1...2 {
      let places = ["--in-place", "--shard", "\(part)/2", "--ledger", "\(part).led"]
      #expect(try folder.run(places: places).status == 0)
    }
    let merge = ["batch", "merge", "1.led", "2.led", "--into", "all.led"]
    #expect(try ProcessRun(merge, in: folder.path).status == 0)
    let undone = try ProcessRun(["batch", "rollback", "--ledger", "all.led"], in: folder.path)
    #expect(undone.status == 0, "\(undone.output)")
    #expect(undone.output.hasSuffix("4 originals put back.\n"))
    let all = folder.path + "/all.led"
    #expect(Set(try folder.states(ledger: all).values) == ["skipped"])
    // The parts do not know of it: what they say is older.
    #expect(try ProcessRun(merge, in: folder.path).status == 0)
    #expect(Set(try folder.states(ledger: all).values) == ["skipped"])
  }

  @Test func `limits hold for results that are verified and stores that are put back`() throws {
    let folder = try BatchFolder()
    for number in 1...3 { try folder.make("s\(number).sqlite") }
    #expect(try folder.run().status == 0)
    func verify(_ more: String...) throws -> [String: Any] {
      let all = ["batch", "verify", "out", "--jobs", "1", "--format", "json"] + more
      return try json(ProcessRun(all, in: folder.path))
    }
    let one = try verify("--limit", "1")
    #expect(one["stores"] as? Int == 1)
    #expect(one["left"] as? Int == 2)
    try FileManager.default.removeItem(atPath: folder.output + "/old")
    let bad = try verify("--max-failures", "2")
    #expect((bad["failures"] as? [Any])?.count == 2)
    #expect(bad["left"] as? Int == 1)

    #expect(try folder.run(places: ["--in-place"]).status == 0)
    for (left, status) in [(1, 1), (0, 0)] {
      let arguments = ["batch", "rollback", "--limit", "2", "--format", "json"]
      let undone = try ProcessRun(arguments, in: folder.path)
      #expect(undone.status == status)
      #expect(try json(undone)["left"] as? Int == left)
    }
  }

  @Test func `what migrations lost is counted by property over all stores`() throws {
    let folder = try BatchFolder()
    try folder.make("one.sqlite", "Aircraft/v1")
    try folder.make("three.sqlite", "Aircraft/v1", rows: 40)
    try folder.make("letters.sqlite")
    let run = try folder.run("--allow-sql")
    #expect(run.status == 0, "\(run.output)")
    let report = try json(
      ProcessRun(["batch", "report", "out", "--format", "json"], in: folder.path)
    )
    let losses = try #require(report["losses"] as? [String: Any])
    #expect(losses["stores"] as? Int == 2)
    #expect(losses["unreadCertificates"] as? Int == 0)
    let places = try #require(losses["places"] as? [[String: Any]])
    let place = try #require(places.first { $0["place"] as? String == "Aircraft.flightData" })
    #expect(place["stores"] as? Int == 2)
    #expect(place["fate"] as? String == "code")
    let stores = try #require(report["stores"] as? [[String: Any]])
    func count(_ store: [String: Any]) -> Int {
      let losses = store["losses"] as? [[String: Any]] ?? []
      return losses.filter { $0["place"] as? String == "Aircraft.flightData" }
        .reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    }
    #expect(place["count"] as? Int == stores.reduce(0) { $0 + count($1) })
    #expect(stores.allSatisfy { count($0) > 0 || $0["name"] as? String == "old/letters.sqlite" })

    let status = try json(
      ProcessRun(["batch", "status", "out", "--format", "json"], in: folder.path)
    )
    #expect(status["losses"] is NSNull)
    let certificate = try ProcessRun(
      ["batch", "report", "out", "--certificate", "old/one.sqlite", "-o", "one.json"],
      in: folder.path
    )
    #expect(certificate.status == 0, "\(certificate.errors)")
    let verified = try ProcessRun(
      [
        "verify", "out/old/one.sqlite", "--certificate", "one.json", "--models",
        SampleArchive.root,
      ],
      in: folder.path
    )
    #expect(verified.status == 0, "\(verified.output)")
    let unknown = try ProcessRun(
      ["batch", "report", "out", "--certificate", "old/none.sqlite"],
      in: folder.path
    )
    #expect(unknown.status == 2)
  }

  @Test func `a loss that is not accepted is named with its step`() throws {
    let folder = try BatchFolder()
    try folder.make("aircraft.sqlite", "Aircraft/v1")
    #expect(try folder.run("--allow-sql", "--accept-loss", "none").status == 1)
    let rows = try AppDatabase(folder.ledger).rows("SELECT code, message, recovery FROM store")
    let row = try #require(rows.first)
    #expect(row[0].text == "WS302")
    let message = try #require(row[1].text)
    #expect(message.contains("WS302 (step to v3): Aircraft.flightData is dropped."), "\(message)")
    #expect(row[2].text?.contains("`--accept-loss declared`") == true)
    #expect(WaystoneProgram.accepts(["batch", "run", "old", "--accept-loss", "any"]))
  }

  @Test func `the version of a store that is refused is kept`() throws {
    let folder = try BatchFolder()
    try folder.make("aircraft.sqlite", "Aircraft/v1")
    #expect(try folder.run().status == 1)
    #expect(try folder.states() == ["old/aircraft.sqlite": "refused"])
    #expect(
      try folder.number(
        "SELECT COUNT(*) FROM store WHERE model = 'Aircraft' AND version LIKE '%v1'"
      )
        == 1
    )
  }

  @Test func `a store that was mended has the size that it has now`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("cut.sqlite")
    let bytes = try #require(TemporaryFolder.bytes(of: store))
    try TemporaryFolder.write(Array(bytes.prefix(6_000)), to: store)
    #expect(try folder.run().status == 1)
    #expect(try folder.number("SELECT bytes FROM store") == 6_000)
    try TemporaryFolder.write(bytes, to: store)
    #expect(
      try ProcessRun(["batch", "retry", "out", "--state", "damaged"], in: folder.path).status == 0
    )
    #expect(try folder.run().status == 0)
    #expect(try folder.number("SELECT bytes FROM store") == Int64(bytes.count))
  }

  @Test func `advice that names options of one store says that a batch does not have them`() throws
  {
    let folder = try BatchFolder()
    try folder.make("one.sqlite", "Letters/v3")
    #expect(try folder.run("--to", "Letters/v1").status == 1)
    let rows = try AppDatabase(folder.ledger).rows("SELECT recovery FROM store")
    let advice = try #require(rows.first?[0].text)
    #expect(advice.contains("`waystone migrate STORE --to V --output FILE --downgrade`"))
    for option in WaystoneError.optionsOfOneStore {
      #expect(!WaystoneProgram.accepts(["batch", "run", "old", "--output", "x", option, "v1"]))
      #expect(!WaystoneProgram.accepts(["batch", "run", "old", "--output", "x", option]))
    }
  }

  @Test func `a result without certificate is not verified`() throws {
    let folder = try BatchFolder()
    for name in ["one", "two"] { try folder.make("\(name).sqlite") }
    #expect(try folder.run().status == 0)
    try AppDatabase.run(
      folder.ledger,
      "DELETE FROM certificate WHERE store = (SELECT id FROM store WHERE name = 'old/one.sqlite');"
        + "UPDATE store SET certificate = NULL WHERE name = 'old/one.sqlite'"
    )
    let found = try verify("out", in: folder)
    #expect(found.status != 0 && found.failures == ["old/one.sqlite": "uncertified"])
  }

  @Test func `a rollback replaces nothing but what the batch migrated`() throws {
    let folder = try BatchFolder()
    let places = ["--in-place", "--ledger", "ledger.sqlite"]
    let ledger = folder.path + "/ledger.sqlite"
    let rollback = ["batch", "rollback", "--ledger", ledger]
    let store = try folder.make("one.sqlite")
    let other = folder.path + "/other.sqlite"
    try FileManager.default.copyItem(atPath: store, toPath: other)
    let alone = ["migrate", other, "--to", "Letters/v4", "--models", SampleArchive.root]
    #expect(try ProcessRun(alone, in: folder.path).status == 0)
    #expect(try folder.run(places: places).status == 0)
    let migrated = TemporaryFolder.bytes(of: other)

    // A ledger that names somebody else's store, as the result and then as the store.
    try AppDatabase.run(ledger, "UPDATE store SET result = '\(other)'")
    #expect(try ProcessRun(rollback, in: folder.path).status == 0)
    #expect(TemporaryFolder.bytes(of: other) == migrated)
    let path = try AppDatabase(ledger).rows("SELECT place FROM store").first?[0].text ?? ""
    #expect(path.contains(store))
    try AppDatabase.run(
      ledger,
      "UPDATE store SET state = 'migrated', place = replace(place, '\(store)', '\(other)')"
    )
    _ = try ProcessRun(rollback, in: folder.path)
    #expect(TemporaryFolder.bytes(of: other) == migrated)
  }

  @Test func `a store with two names is not replaced under one`() throws {
    let folder = try BatchFolder()
    let store = try folder.make("one.sqlite")
    try FileManager.default.linkItem(atPath: store, toPath: folder.path + "/old/two.sqlite")
    let before = TemporaryFolder.bytes(of: store)
    let run = try folder.run(places: ["--in-place", "--ledger", "ledger.sqlite"])
    #expect(run.status == 1)
    let states = try folder.states(ledger: folder.path + "/ledger.sqlite")
    #expect(states == ["old/one.sqlite": "refused", "old/two.sqlite": "refused"], "\(run.errors)")
    #expect(TemporaryFolder.bytes(of: store) == before)
  }
}
