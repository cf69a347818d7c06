import BatchMigration
import Foundation
import MigrationTestSupport
import StoreGeneration
import StoreMigration
import Testing
import Waystone

/// A worker's replies on one store, called as a worker calls it.
@Suite struct StoreRunTests {
  /// A generated store of Letters v1, in a folder of its own.
  private struct Sample {
    let folder: String
    var path: String { folder + "/app.sqlite" }

    static func with(_ body: (Sample) throws -> Void) throws {
      try TemporaryFolder.with { folder in
        let sample = Sample(folder: folder)
        let model = try SampleArchive.version("Letters", "v1").model
        try StoreGenerator(model: model, rows: 40, seed: 7).write(to: sample.path)
        try body(sample)
      }
    }
  }

  private func run(_ job: StoreJob) throws -> StoreOutcome {
    var settings = BatchSettings(folder: "/")
    // Several of these models have a version v1.
    settings.models = [SampleArchive.root]
    let projects = try settings.projects(MigrationRegistry())
    return StoreRun(settings, in: projects, cancellation: Cancellation()).reply(to: job).outcome
  }

  private func job(_ sample: Sample) throws -> StoreJob {
    let tree = URL(filePath: sample.folder + "/out")
    try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
    return StoreJob(
      id: 1,
      name: "Old/app.sqlite",
      store: sample.path,
      tree: sample.folder + "/out",
      destination: "Old/app.sqlite",
      certificate: sample.folder + "/1.json"
    )
  }

  @Test func `a result whose end nobody recorded is known by its certificate`() throws {
    try Sample.with { sample in
      let first = try run(try job(sample))
      try #require(first.state == .migrated, "\(first.message ?? "")")
      let second = try run(try job(sample))
      #expect(second.state == .migrated, "\(second.message ?? "")")
      #expect(second.sourceDigest == first.sourceDigest)
      #expect(second.resultDigest == first.resultDigest)
      #expect(second.model == first.model)
      #expect(second.version == "Letters/v1")
      #expect(second.path == first.path)
    }
  }

  @Test func `a log that SQLite does not read is told with the store`() throws {
    try Sample.with { sample in
      let header: [UInt8] = [0x37, 0x7F, 0x06, 0x82, 0, 0x2D, 0xE2, 0x18, 0, 0, 0x10, 0]
      let log = header + Array(repeating: 7, count: 20 + 24 + 4096)
      try TemporaryFolder.write(log, to: sample.path + "-wal")
      let outcome = try run(try job(sample))
      #expect(outcome.state == .migrated)
      #expect(outcome.code == StoreOutcome.unread)
      let words = "Old/app.sqlite-wal holds changes that SQLite does not read"
      #expect(outcome.message?.contains(words) == true, "\(outcome.message ?? "")")
    }
  }

  @Test func `a result of what the store no longer says is no result of it`() throws {
    try Sample.with { sample in
      let first = try run(try job(sample))
      try #require(first.state == .migrated, "\(first.message ?? "")")
      let result = try #require(first.result)
      let bytes = TemporaryFolder.bytes(of: result)
      try AppDatabase(sample.path).execute("UPDATE ZTOPIC SET ZNAME = 'another' WHERE Z_PK = 1")
      let second = try run(try job(sample))
      #expect(second.state == .failed, "\(second.message ?? "")")
      #expect(second.result == nil)
      #expect(TemporaryFolder.bytes(of: result) == bytes, "the earlier result stays")
    }
  }

  @Test func `a certificate of an attempt that was thrown away does not stop the next one`() throws
  {
    try Sample.with { sample in
      let job = try job(sample)
      try TemporaryFolder.write(Array("{}".utf8), to: job.certificate)
      let outcome = try run(job)
      #expect(outcome.state == .migrated, "\(outcome.message ?? "")")
    }
  }

  @Test func `the run of somebody else is neither gone on with nor thrown away`() throws {
    try Sample.with { sample in
      let options = MigrationOptions()
      options.cancellation.request()
      let models = try ModelArchive(contentsOf: URL(filePath: SampleArchive.root))
      let url = URL(filePath: sample.path)
      let plan = try models.plan(for: Store(reading: url), to: "Letters/v2", options)
      #expect(throws: WaystoneError.self) { try plan.migrate(Store(reading: url), options) }
      try #require(try Run(resuming: url).isUnfinished)
      var job = try job(sample)
      job.tree = nil
      let outcome = try run(job)
      #expect(outcome.state == .failed)
      #expect(outcome.code == "unfinishedRun", "\(outcome.message ?? "")")
      #expect(try Run(resuming: url).description?.to == "Letters/v2")
    }
  }

  @Test func `a link in the output tree leads no result out of it`() throws {
    try Sample.with { sample in
      let job = try job(sample)
      let outside = sample.folder + "/outside"
      let files = FileManager.default
      try files.createDirectory(atPath: outside, withIntermediateDirectories: false)
      try files.createSymbolicLink(
        atPath: sample.folder + "/out/Old",
        withDestinationPath: outside
      )
      let outcome = try run(job)
      #expect(outcome.state != .migrated)
      #expect(TemporaryFolder.names(in: outside) == [])
    }
  }
}
