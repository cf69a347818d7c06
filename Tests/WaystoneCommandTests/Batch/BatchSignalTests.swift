import Foundation
import MigrationTestSupport
import StoreAccess
import Testing

/// Signals that reach the workers of a batch too, as a scheduler sends them to every process of a task.
@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat"), "needs /proc"))
struct BatchSignalTests {
  private let folder: BatchFolder
  private let process = Process()

  init() throws {
    folder = try BatchFolder()
    try folder.make("large.sqlite", rows: 5_000)
    process.executableURL = ProcessRun.executable("waystone")
    process.arguments = folder.arguments(["--jobs", "1"])
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
  }

  /// The workers of the batch that runs.
  private func workers() throws -> [Int32] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
      // A name in parentheses, a letter, and then the parent.
      guard let text = try? String(contentsOfFile: "/proc/\($0)/stat", encoding: .utf8),
        let end = text.lastIndex(of: ")")
      else { return false }
      let words = text[end...].split(separator: " ")
      return words.count > 2 && Int32(words[2]) == process.processIdentifier
    }
  }

  /// Starts the batch, and waits until a worker is in the middle of the store.
  private func begin() throws -> [Int32] {
    try process.run()
    let workspace = folder.output + "/old/large.sqlite.waystone"
    for _ in 0..<3_000 where !FileManager.default.fileExists(atPath: workspace) {
      Thread.sleep(forTimeInterval: 0.01)
    }
    try #require(FileManager.default.fileExists(atPath: workspace))
    let workers = try workers()
    try #require(workers.count == 1)
    return workers
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a worker that is asked to end does what its dispatcher says`(_ signal: Int32) throws {
    for worker in try begin() { kill(worker, signal) }
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(try folder.states() == ["old/large.sqlite": "migrated"])
    #expect(try folder.number("SELECT COUNT(*) FROM attempt") == 1)
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `a store whose worker ends with its batch waits for the next one`(_ signal: Int32) throws {
    let workers = try begin()
    #expect(process.suspend())
    kill(process.processIdentifier, SIGTERM)
    for worker in workers { kill(worker, signal) }
    #expect(process.resume())
    process.waitUntilExit()
    #expect(process.terminationStatus == 7)
    #expect(try folder.states() == ["old/large.sqlite": "waiting"])
    #expect(try folder.number("SELECT attempts FROM store") == 0)
    let run = try folder.run()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.states() == ["old/large.sqlite": "migrated"])
    #expect(folder.leftovers(stores: ["old/large.sqlite"]) == [])
  }

  @Test func `a store in use waits for the next batch, where this one is asked to end`() throws {
    let name = "old/large.sqlite"
    var app: AppDatabase? = try AppDatabase("\(folder.path)/\(name)")
    try app?.execute("BEGIN EXCLUSIVE")
    try process.run()
    var workers: [Int32] = []
    for _ in 0..<3_000 where workers.isEmpty {
      Thread.sleep(forTimeInterval: 0.002)
      workers = try self.workers()
    }
    // It meets the store when the batch has been asked to end.
    for worker in workers { kill(worker, SIGSTOP) }
    kill(process.processIdentifier, SIGTERM)
    Thread.sleep(forTimeInterval: 0.5)
    for worker in workers { kill(worker, SIGCONT) }
    process.waitUntilExit()
    #expect(process.terminationStatus == 7)
    #expect(try folder.states() == [name: "waiting"])
    try app?.execute("COMMIT")
    app = nil
    #expect(try folder.run().status == 0)
    #expect(try folder.states() == [name: "migrated"])
  }
}
