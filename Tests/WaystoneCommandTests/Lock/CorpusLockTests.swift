import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusLockTests {
  // Each takes a debug build seconds for its hundred versions.
  @Test(
    arguments: Trials.some(of: [
      ("woocommerce+woocommerce-ios", "WooCommerce.xcdatamodeld"),
      ("wireapp+wire-ios-data-model", "zmessaging.xcdatamodeld"),
      ("danielebogo+WordPress-iOS", "WordPress.xcdatamodeld"),
      ("ptsochantaris+trailer", "Trailer.xcdatamodeld"),
    ])
  )
  func `a locked archive is as it was locked`(app: String, model: String) throws {
    let found = Corpus.files {
      $0.hasPrefix("\(app)/") && $0.hasSuffix("\(model)/.xccurrentversion")
    }
    let path = try #require(found.first).dropLast("/.xccurrentversion".count)
    try TemporaryFolder.with { folder in
      let lock = "\(folder)/waystone.lock"
      let first = CommandRun("lock", "--all", "--models", String(path), "--lock", lock)
      #expect(first.status == .success, "\(first.errors)")
      let bytes = try #require(TemporaryFolder.bytes(of: lock))
      // What was edited, moved or lost would keep the lock from being written.
      #expect(
        CommandRun("lock", "--all", "--models", String(path), "--lock", lock).status == .success
      )
      #expect(TemporaryFolder.bytes(of: lock) == bytes)
      print("\(model): a lock of \(bytes.count) bytes")
    }
  }

  @Test func `an archive with a lock has nothing new, and one head`() throws {
    let found = Corpus.files {
      $0.hasPrefix("ptsochantaris+trailer/")
        && $0.hasSuffix("Trailer.xcdatamodeld/.xccurrentversion")
    }
    let path = String(try #require(found.first).dropLast("/.xccurrentversion".count))
    try TemporaryFolder.with { folder in
      let lock = "\(folder)/waystone.lock"
      #expect(CommandRun("lock", "--all", "--models", path, "--lock", lock).status == .success)
      let run = CommandRun("check", "--models", path, "--lock", lock)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.words.contains("44 versions as locked"))
      #expect(CommandRun("heads", "--models", path, "--lock", lock).status == .success)
    }
  }
}

@Suite struct OwnLockTests {
  @Test func `the project's own models are as they were locked`() throws {
    let run = CommandRun("check", "--models", SampleArchive.root, "--format", "json")
    let report = try run.json()
    let lock = try #require(report["lock"] as? [String: Any])
    #expect(lock["versions"] as? Int == 15)
    #expect(report["newVersions"] as? [String] == [])
    let findings = try #require(report["findings"] as? [[String: Any]])
    let codes = findings.compactMap { $0["code"] as? String }
    #expect(!codes.contains { $0.hasPrefix("WS70") }, "\(codes)")
  }
}
