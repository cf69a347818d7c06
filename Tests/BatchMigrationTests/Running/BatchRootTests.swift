import BatchMigration
import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing
import Waystone

/// The places of stores in a ledger that another program may have written.
@Suite struct BatchRootTests {
  private let scratch: ScratchFolder
  /// The folder, without links.
  private let folder: String
  private var ledger: String { folder + "/b.sqlite" }
  private var tree: String { folder + "/exported" }

  /// Makes a store in each of two folders, and a link from the first to the second.
  init() throws {
    scratch = try ScratchFolder()
    folder = URL(filePath: scratch.path).resolvingSymlinksInPath().path
    let manager = FileManager.default
    for name in ["given", "private"] {
      try manager.createDirectory(
        atPath: "\(folder)/\(name)",
        withIntermediateDirectories: false
      )
      try AppDatabase.run("\(folder)/\(name)/a.sqlite", "CREATE TABLE t (a)")
    }
    try manager.createSymbolicLink(
      atPath: folder + "/given/link",
      withDestinationPath: folder + "/private"
    )
    try manager.createSymbolicLink(
      atPath: folder + "/given/link.sqlite",
      withDestinationPath: folder + "/private/a.sqlite"
    )
    try manager.createSymbolicLink(
      atPath: folder + "/known",
      withDestinationPath: folder + "/given"
    )
  }

  /// Returns a run on a ledger with one store at a place, in which an attempt ended in a state; nil for a store
  /// that waits.
  private func makeRun(_ place: StorePlace, roots: [String], _ state: StoreState?) throws
    -> BatchRun
  {
    let known = try BatchLedger(
      creating: ledger,
      BatchDescription(tool: "test", version: "v4", output: nil)
    )
    for root in roots { try known.end(root: root, SearchTally(files: 1, others: 0)) }
    let file = folder + "/private/a.sqlite"
    try known.add([
      FoundStore(
        name: "a.sqlite",
        destination: "a.sqlite",
        place: place,
        bytes: Int64(try #require(TemporaryFolder.bytes(of: file)).count),
        modified: nil,
        head: FoundStore.head(ofFile: file)
      )
    ])
    if let state {
      let hold = try known.hold(joining: false)
      try SampleLedger.end(known, hold, state)
      try known.end(hold)
    }
    return try BatchRun(
      known,
      settings: BatchSettings(folder: folder),
      limits: BatchLimits(),
      selection: LedgerSelection(),
      program: "/bin/false",
      cancellation: Cancellation()
    ) { _ in }
  }

  private func check(_ error: WaystoneError?) {
    #expect(error?.code == .badFile)
    #expect(
      error?.message
        == "The ledger \(ledger) is damaged: the place of store 1 leads out of the roots of the batch."
    )
    #expect(error?.recovery.contains("from a backup") == true)
  }

  /// Places of files outside of the folder `given`.
  private func strangers() -> [StorePlace] {
    let file = folder + "/private/a.sqlite"
    return [
      .file(file), .file(folder + "/given/../private/a.sqlite"),
      .file(folder + "/given/link/a.sqlite"), .file(folder + "/given/link.sqlite"),
      .file("private/a.sqlite"), .member(archive: file, files: ["a.sqlite": "a.sqlite"]),
      .backup(folder: folder + "/private", files: ["a.sqlite": file]),
      .backup(folder: folder + "/given", files: ["a.sqlite": file]),
    ]
  }

  @Test(arguments: 0..<8)
  func `a store outside of the roots is neither migrated nor copied`(_ number: Int) throws {
    let place = strangers()[number]
    do {
      let run = try makeRun(place, roots: [folder + "/given"], .failed)
      check(#expect(throws: WaystoneError.self) { _ = try run.exportFailures(to: tree) })
      #expect(!FileManager.default.fileExists(atPath: tree))
    }
    try FileManager.default.removeItem(atPath: ledger)
    let run = try makeRun(place, roots: [folder + "/given"], nil)
    // Stores of archives are not migrated in place.
    guard case .file = place else { return }
    // A run claims the store, which waits no longer then.
    check(#expect(throws: WaystoneError.self) { _ = try run.forecast() })
    check(#expect(throws: WaystoneError.self) { _ = try run.run() })
  }

  @Test func `a store outside of the roots is not put back`() throws {
    let run = try makeRun(
      .file(folder + "/private/a.sqlite"),
      roots: [folder + "/given"],
      .migrated
    )
    check(#expect(throws: WaystoneError.self) { _ = try run.rollBack(LedgerSelection()) })
  }

  @Test(arguments: [
    ["given"], ["given/a.sqlite"], ["known"], ["known/../known/"], ["known/*.sqlite"],
    ["elsewhere", "given"], [], ["manifest:list"],
  ])
  func `a store is in a root by any name of it`(_ roots: [String]) throws {
    let roots = roots.map {
      $0.hasPrefix("manifest:") ? "manifest:\(folder)/list" : "\(folder)/\($0)"
    }
    let run = try makeRun(.file(folder + "/given/a.sqlite"), roots: roots, .failed)
    #expect(try run.exportFailures(to: tree).stores.map(\.path) == ["1/a.sqlite"])
  }

  @Test func `the target of a link that a pattern matches is in it`() throws {
    let run = try makeRun(
      .file(folder + "/private/a.sqlite"),
      roots: [folder + "/given/*.sqlite"],
      .failed
    )
    #expect(try run.exportFailures(to: tree).stores.map(\.path) == ["1/a.sqlite"])
  }

  @Test func `a root that another process adds counts`() throws {
    let run = try makeRun(.file(folder + "/private/a.sqlite"), roots: [folder + "/given"], .failed)
    check(#expect(throws: WaystoneError.self) { _ = try run.exportFailures(to: tree) })
    try run.ledger.begin(root: folder + "/private")
    #expect(try run.exportFailures(to: tree).stores.map(\.path) == ["1/a.sqlite"])
  }

  @Test func `a store that is gone is reported as such, wherever it was`() throws {
    let run = try makeRun(.file("/nowhere/a.sqlite"), roots: [folder + "/given"], .failed)
    let store = try #require(try run.exportFailures(to: tree).stores.first)
    #expect(store.path == nil)
    #expect(store.failure?.contains("/nowhere/a.sqlite") == true)
  }
}
