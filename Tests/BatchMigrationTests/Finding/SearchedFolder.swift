import BatchMigration
import Foundation
import MigrationTestSupport
import StoreAccess
import Waystone

/// A folder for a search, with what tests put there.
struct SearchedFolder {
  /// Without links.
  let path: String

  /// Lends the body an empty folder.
  static func with<Value>(_ body: (SearchedFolder) throws -> Value) throws -> Value {
    try TemporaryFolder.with { folder in
      try body(SearchedFolder(path: URL(filePath: folder).resolvingSymlinksInPath().path))
    }
  }

  /// Makes a folder, and returns its path.
  @discardableResult
  func folder(_ name: String) throws -> String {
    let folder = "\(path)/\(name)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Writes a file, and returns its path.
  @discardableResult
  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    try folder(Self.parent(of: name))
    try TemporaryFolder.write(bytes, to: file)
    return file
  }

  /// Makes a database that says something of its own.
  @discardableResult
  func store(_ name: String, saying text: String? = nil) throws -> String {
    let file = "\(path)/\(name)"
    try folder(Self.parent(of: name))
    try AppDatabase.run(file, "CREATE TABLE ZNOTE (ZTEXT); INSERT INTO ZNOTE VALUES (1)")
    if let text { try AppDatabase.run(file, "INSERT INTO ZNOTE VALUES ('\(text)')") }
    return file
  }

  /// Makes a database whose last words stand in its `-wal` alone, and an external file beside it.
  func wholeStore(_ name: String) throws {
    try store(name)
    let app = try AppDatabase("\(path)/\(name)")
    try app.execute("PRAGMA journal_mode = WAL")
    app.keepsLog()
    try app.execute("INSERT INTO ZNOTE VALUES ('in the log')")
    let stem = ((name as NSString).lastPathComponent as NSString).deletingPathExtension
    try file(
      "\(Self.parent(of: name))/.\(stem)_SUPPORT/_EXTERNAL_DATA/0B5E",
      Array("a large value".utf8)
    )
  }

  private static func parent(of name: String) -> String {
    name.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// Makes a symbolic link.
  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/\(name)",
      withDestinationPath: target
    )
  }

  func options(output: String? = nil, ledger: String? = nil) -> StoreSearch.Options {
    StoreSearch.Options(output: output, ledger: ledger, folder: WorkingFolder(path))
  }

  /// Returns the finds of a search of some roots, and what it meets beside.
  func search(
    _ roots: String...,
    output: String? = nil,
    ledger: String? = nil,
    limits: ArchiveLimits = ArchiveLimits()
  ) throws -> Found {
    var options = options(output: output, ledger: ledger)
    options.limits = limits
    var search = try StoreSearch(options)
    var found = Found()
    for root in roots {
      let tally = try search.search(root) { found.stores.append($0) }
      found.add(tally)
    }
    return found
  }

  struct Found {
    var stores: [FoundStore] = []
    var tally = SearchTally()

    var names: [String] { stores.map(\.name) }
    /// Name and reason of each oddity.
    var oddities: [String] { tally.oddities.map { "\($0.name): \($0.reason)" } }

    mutating func add(_ other: SearchTally) {
      tally.files += other.files
      tally.others += other.others
      tally.oddities += other.oddities
    }
  }

  // MARK: Programs

  /// Whether there is a program that makes and reads archives.
  static let hasArchiver = program("bsdtar") != nil

  private static func program(_ name: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return folders.split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  struct Failed: Error { var program: String }

  /// Runs a program in the folder.
  func run(_ words: String...) throws { try run(words) }

  /// Runs a program in the folder.
  func run(_ words: [String]) throws {
    let (name, arguments) = (words[0], Array(words.dropFirst()))
    guard let program = Self.program(name) else { throw Failed(program: name) }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: path)
    process.environment = ["LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin"]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(program: name) }
  }
}
