import Files
import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing

/// The file of a certificate, which is there when the result is.
@Suite struct CertifiedRunTests {
  private func migrator(_ certificate: String, output: String?, blocks: Bool) throws
    -> StoreMigrator
  {
    var options = MigrationOptions()
    options.output = output
    options.settings.certificate = certificate
    options.settings.fusesHops = false
    options.onEvent = { event in
      guard blocks, case .began(.verifying) = event else { return }
      try? TemporaryFolder.write(Array("of another".utf8), to: certificate)
    }
    return StoreMigrator(plan: try Journey.plan(), options: options)
  }

  @Test(arguments: [true, false])
  func `the result takes its place once its certificate is written, and not before`(
    isInPlace: Bool
  ) throws {
    try TemporaryFolder.with { folder in
      let (store, certificate) = (folder + "/S.sqlite", folder + "/C.json")
      let output = isInPlace ? nil : folder + "/R.sqlite"
      try Journey.makeStore(store)
      let before = TemporaryFolder.bytes(of: store)
      do {
        _ = try migrator(certificate, output: output, blocks: true).migrate(store)
        Issue.record("it ended although its certificate was not written")
      } catch let error as MigrationError {
        #expect(error.code == .cannotCreate && error.isResumable, "\(error)")
        #expect(error.message.contains(certificate))
      }
      #expect(TemporaryFolder.bytes(of: certificate) == Array("of another".utf8))
      if let output {
        #expect(try !FileSystem.exists(output))
        #expect(TemporaryFolder.bytes(of: store) == before)
      } else {
        #expect(try Journey.content(store).version == "v1")
      }
      try FileSystem.remove(certificate)
      let outcome = try migrator(certificate, output: output, blocks: false)
        .resume(output ?? store)
      #expect(try Journey.content(output ?? store).version == "v5")
      let written = try #require(TemporaryFolder.bytes(of: certificate))
      let read = try JSONDecoder().decode(MigrationCertificate.self, from: Data(written))
      #expect(read == outcome.certificate && read.hops.count == Journey.hops)
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `a run that is killed anywhere and resumed has the certificate of one that is not`(
    isInPlace: Bool,
    isFused: Bool
  ) async throws {
    let folder = try ScratchFolder()
    func options(_ store: String, _ output: String?) -> MigrationOptions {
      var options = MigrationOptions()
      options.output = output
      options.settings.certificate = store + ".json"
      options.settings.fusesHops = isFused
      return options
    }
    let whole = folder.path + "/whole.sqlite"
    try Journey.makeStore(whole)
    var first: MigrationCertificate?
    let events = try KillPoint.record { onEvent in
      var options = options(whole, isInPlace ? nil : folder.path + "/result.sqlite")
      options.onEvent = onEvent
      first = try StoreMigrator(plan: Journey.plan(), options: options).migrate(whole).certificate
    }
    let certificate = try #require(first)
    let passes = isFused ? 1 : Journey.hops
    #expect(certificate.hops.count == passes)
    var resumed = 0
    for (index, event) in events.enumerated() {
      guard case .passed = event else { continue }
      let store = "\(folder.path)/store-\(index).sqlite"
      let output = isInPlace ? store : "\(folder.path)/result-\(index).sqlite"
      try Journey.makeStore(store)
      await #expect(processExitsWith: .signal(SIGKILL), "at \(event)") {
        [
          store = store as String, output = output as String, index = index as Int,
          isFused = isFused as Bool,
        ] in
        var options = MigrationOptions()
        options.output = output == store ? nil : output
        options.settings.certificate = store + ".json"
        options.settings.fusesHops = isFused
        options.onEvent = KillPoint.killer(at: index)
        _ = try StoreMigrator(plan: Journey.plan(), options: options).migrate(store)
      }
      let journal = output + ".waystone/journal.ndjson"
      guard try FileSystem.exists(journal), try CheckpointJournal(path: journal).run != nil else {
        continue
      }
      let outcome = try? StoreMigrator(plan: Journey.plan(), options: options(store, nil))
        .resume(output)
      guard let outcome, outcome.certificate != nil else { continue }
      resumed += 1
      #expect(outcome.certificate?.hops == certificate.hops, "at \(event)")
      #expect(outcome.certificate?.total == certificate.total, "at \(event)")
    }
    #expect(resumed > passes)
  }

  @Test func `an identity of a build that wrote no tables down accuses nobody`() throws {
    func identity(_ tables: String) throws -> StoreIdentity {
      let text = #"{"identifier": "A"\#(tables)}"#
      return try JSONDecoder().decode(StoreIdentity.self, from: Data(text.utf8))
    }
    let own = try identity(#", "tables": {"OWN": {"rows": 1, "digest": "0"}}"#)
    #expect(try identity("").differences(from: own).isEmpty)
    #expect(try identity("").hasTables(of: own))
    let none = try identity(#", "tables": {}"#)
    #expect(own.differences(from: none) == ["the table OWN is gone since it was certified"])
    #expect(none.differences(from: own) == ["the table OWN was added since it was certified"])
    #expect(!own.hasTables(of: none))
  }
}
