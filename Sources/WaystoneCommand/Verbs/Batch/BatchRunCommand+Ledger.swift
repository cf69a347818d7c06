internal import BatchMigration
internal import Files
private import Foundation
internal import Waystone

extension BatchRunCommand {
  /// The time that a process that joins a batch waits for its ledger, in seconds.
  private static let patience = 30.0

  /// Returns the ledger, made where it is not there yet; one that another process makes at this moment
  /// is waited for by a process that joins.
  ///
  /// - Parameter made: Gets the place of a ledger that is made.
  /// - Throws: ``WaystoneError``, `inUse` where another process makes it, and is not joined.
  func opened(
    _ settings: BatchSettings,
    _ target: BatchTarget,
    _ shard: BatchShard?,
    _ made: inout NewLedger?,
    _ session: Session
  ) throws -> BatchLedger {
    let path = ledger.path(in: output, shard: shard, session.console)
    let end = Date(timeIntervalSinceNow: Self.patience)
    while true {
      do {
        return try openedAtOnce(settings, target, shard, &made, session)
      } catch {
        switch WaystoneError(error).code {
        case .inUse where join && Date() < end && !session.cancellation.isRequested:
          Thread.sleep(forTimeInterval: 0.05)
        // Another process had made it before this one could.
        case .cannotCreate where try Date() < end && made == nil && FileSystem.exists(path): break
        default: throw error
        }
      }
    }
  }

  private func openedAtOnce(
    _ settings: BatchSettings,
    _ target: BatchTarget,
    _ shard: BatchShard?,
    _ made: inout NewLedger?,
    _ session: Session
  ) throws -> BatchLedger {
    let console = session.console
    let path = ledger.path(in: output, shard: shard, console)
    guard try !FileSystem.exists(path) else {
      let known = try BatchLedger(opening: path)
      try check(known.description, target, shard, shownAs: console.shortened(path), console)
      try checkReplacing(known, shownAs: console.shortened(path))
      return known
    }
    guard output != nil || inPlace else {
      throw WaystoneError(
        .badArgument,
        "There is no ledger \(console.shortened(path)) to go on with.",
        recovery:
          "Begin a batch: --output TREE leaves the stores as they are, --in-place replaces them."
      )
    }
    guard !paths.isEmpty || !manifest.isEmpty else {
      throw WaystoneError(
        .badArgument,
        "No path says where the stores are.",
        recovery: "Name folders, files or archives, or a --manifest."
      )
    }
    let tree = output.map(console.resolved)
    if let tree { try NewLedger.check(tree: tree, within: paths.map(console.resolved)) }
    let place = try NewLedger(at: path, tree: tree)
    let known: BatchLedger
    do { known = try created(settings, target, shard, tree, path, console) } catch {
      // The ledger, if there is one by now, is that of another batch.
      place.removeFolders()
      throw error
    }
    made = place
    return known
  }

  /// Throws if paths are added to a batch that replaces stores and the command does not state that it
  /// does.
  private func checkReplacing(_ known: borrowing BatchLedger, shownAs path: String) throws {
    guard try known.description.output == nil, !inPlace, !paths.isEmpty || !manifest.isEmpty else {
      return
    }
    throw WaystoneError(
      .badArgument,
      "The ledger \(path) belongs to a batch that replaces stores (--in-place). This command names paths "
        + "without --in-place.",
      recovery:
        "Add --in-place to replace the stores of these paths. To continue the batch, leave the paths "
        + "out. To keep the stores as they are, name an --output."
    )
  }

  private func created(
    _ settings: BatchSettings,
    _ target: BatchTarget,
    _ shard: BatchShard?,
    _ tree: String?,
    _ path: String,
    _ console: Console
  ) throws -> BatchLedger {
    if let tree {
      try FileSystem.ensureFolders(tree)
      if ledger.file == nil { try NewLedgerOptions.checkDivision(of: tree, shard: shard, console) }
    }
    var options = try target.options
    options["settings"] = try settings.json
    return try BatchLedger(
      creating: path,
      BatchDescription(
        tool: "waystone \(WaystoneProgram.version)",
        version: target.name,
        output: try tree.map { try FileSystem.canonical($0) },
        options: options,
        shard: shard
      )
    )
  }

  /// Refuses to go on with a batch that was begun otherwise.
  private func check(
    _ batch: BatchDescription,
    _ target: BatchTarget,
    _ shard: BatchShard?,
    shownAs path: String,
    _ console: Console
  ) throws {
    let begun = try BatchTarget(of: batch)
    let differences = begun.differences(from: target)
    if end == VersionName.current.text, !begun.current.isEmpty, !begun.isSame(as: target) {
      let moves = differences.map {
        "\($0.model) was at \($0.here ?? "no current version") and is at "
          + "\($0.there ?? "no current version")"
      }
      throw WaystoneError(
        .badArgument,
        "The ledger \(path) is of a batch to the versions that were current when it began: "
          + "\(moves.joined(separator: "; ")).",
        recovery: "Begin a batch with another ledger and another output"
          + (begun.version == begun.name
            ? ", or go on with this one: --to \(begun.name.shellWord)." : ".")
      )
    }
    let tree = try output.map { try FileSystem.canonical(console.resolved($0)) }
    guard begun.isSame(as: target), batch.shard == shard,
      output == nil && !inPlace || batch.output == tree
    else {
      throw WaystoneError(
        .badArgument,
        "The ledger \(path) is of another batch: to \(batch.version), "
          + "\(batch.output.map { "--output \(console.shortened($0))" } ?? "--in-place")"
          + "\(batch.shard.map { ", --shard \($0)" } ?? "").",
        recovery: "Repeat those options, or name another ledger."
      )
    }
  }
}
