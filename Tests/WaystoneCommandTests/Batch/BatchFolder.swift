import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// A folder with old stores of the sample archive, and a batch that brings them to their current versions.
final class BatchFolder {
  let scratch: ScratchFolder
  var path: String { scratch.path }
  var output: String { path + "/out" }
  var ledger: String { output + "/batch.waystone.sqlite" }

  init() throws {
    scratch = try ScratchFolder()
    let old = URL(filePath: path + "/old")
    try FileManager.default.createDirectory(at: old, withIntermediateDirectories: false)
  }

  /// Makes a store below the folder of old stores.
  @discardableResult
  func make(_ name: String, _ version: String = "Letters/v1", rows: Int = 20) throws -> String {
    let store = "\(path)/old/\(name)"
    let folder = URL(filePath: store).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let made = CommandRun(
      "generate",
      version,
      "--models",
      SampleArchive.root,
      "--rows",
      "\(rows)",
      "--seed",
      "\(name.utf8.count)",
      "-o",
      store
    )
    try #require(made.status == .success, "\(made.errors)")
    return store
  }

  /// The arguments of the batch.
  func arguments(_ more: [String] = [], places: [String] = ["--output", "out"]) -> [String] {
    ["batch", "old", "--models", SampleArchive.root, "--format", "json", "--jobs", "2"]
      + places + more
  }

  /// Runs the batch in a process of its own.
  func run(_ more: String..., places: [String] = ["--output", "out"]) throws -> ProcessRun {
    try ProcessRun(arguments(more, places: places), in: path)
  }

  /// The ledger, which a batch at work may have locked for a moment.
  private func opened(_ ledger: String?) throws -> AppDatabase {
    try AppDatabase(ledger ?? self.ledger, patience: 20_000)
  }

  /// The state of each store that the ledger has, by name.
  func states(ledger: String? = nil) throws -> [String: String] {
    let rows = try opened(ledger).rows("SELECT name, state FROM store")
    return Dictionary(uniqueKeysWithValues: rows.map { ($0[0].text ?? "", $0[1].text ?? "") })
  }

  /// One number that the ledger is asked for.
  func number(_ sql: String, ledger: String? = nil) throws -> Int64? {
    try opened(ledger).rows(sql).first?[0].integer
  }

  /// The bytes of all files of the folder of old stores, by path.
  func originals() -> [String: [UInt8]] { Self.files(below: path + "/old") }

  /// The paths below the output tree of what is no store and no ledger.
  func leftovers(stores: [String]) -> [String] {
    Self.files(below: output).keys.filter { name in
      !stores.contains(name) && !name.hasPrefix("batch.waystone.sqlite")
    }.sorted() + Self.files(below: ledger + ".holders").keys.sorted()
  }

  private static func files(below folder: String) -> [String: [UInt8]] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        TemporaryFolder.bytes(of: "\(folder)/\(name)").map { (name, $0) }
      }
    )
  }
}
