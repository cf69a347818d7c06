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
}
