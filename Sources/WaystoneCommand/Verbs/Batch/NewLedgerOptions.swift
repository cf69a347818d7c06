internal import ArgumentParser
internal import BatchMigration
internal import Files
internal import Waystone

/// The option for the ledger that a batch makes or continues.
struct NewLedgerOptions: ParsableArguments {
  @Option(
    name: .customLong("ledger"),
    help: ArgumentHelp(
      "The ledger. (default: \(LedgerOptions.defaultName) in the output tree, else here)",
      valueName: "file"
    )
  )
  var file: String?

  /// Returns the absolute path of the ledger.
  ///
  /// - Parameters:
  ///   - tree: The output tree, as the user wrote it, where there is one.
  ///   - shard: The part of the stores that the ledger is for, if it is not for all.
  func path(in tree: String?, shard: BatchShard? = nil, _ console: Console) -> String {
    if let file { return console.resolved(file) }
    let name = Self.name(for: shard)
    return tree.map { "\(console.resolved($0))/\(name)" } ?? console.resolved(name)
  }

  /// Returns the default name of the ledger.
  static func name(for shard: BatchShard?) -> String {
    shard.map { "batch-\($0.index)-of-\($0.count).waystone.sqlite" } ?? LedgerOptions.defaultName
  }

  /// Refuses to begin a batch in a tree that has the ledger of another division: a part of two, and a part
  /// of four, have stores in common.
  ///
  /// - Throws: ``WaystoneError``, `badArgument`; `FileError` where the tree cannot be read.
  static func checkDivision(of tree: String, shard: BatchShard?, _ console: Console) throws {
    let ledgers = try FileSystem.names(inFolder: tree).map {
      (name: $0, parts: LedgerName.partCount($0))
    }.filter { $0.parts != nil || $0.name == LedgerName.ordinary }
    // Beside ledgers of its own division, one for all stores is the ledger that they were merged into.
    let isBegun = ledgers.contains { $0.parts == shard?.count }
    let other = ledgers.first { $0.parts != shard?.count && !(isBegun && $0.parts == nil) }
    guard let other else { return }
    let division = other.parts.map { "in \($0) parts" } ?? "as a whole"
    throw WaystoneError(
      .badArgument,
      "\(console.shortened("\(tree)/\(other.name)")) is the ledger of a batch that runs \(division).",
      recovery: other.parts.map {
        "Run its parts (--shard 1/\($0)), and merge their ledgers. Or name another tree."
      } ?? "Run it without --shard. Or name another tree."
    )
  }
}
