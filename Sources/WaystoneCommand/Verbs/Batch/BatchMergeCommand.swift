internal import ArgumentParser
internal import BatchMigration
internal import Files
internal import MigrationReporting
internal import Waystone

/// The command `waystone batch merge`.
struct BatchMergeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Bring the ledgers of several machines together in one.",
    discussion: """
      Takes stores that the one ledger does not have, and outcomes of stores that wait there. Merging \
      the same ledgers again changes nothing. Ledgers mean the same store where they found it at the \
      same place with the same contents; stores of one name at two places stay two. Where two ledgers say different things of a store, the \
      store stays as it is, the conflict is named, and the exit status is 1.

        waystone batch merge a.sqlite b.sqlite --into all.sqlite
      """
  )

  @Argument(
    help: ArgumentHelp("The ledgers to take from; they stay as they are.", valueName: "ledger")
  )
  var ledgers: [String]

  @Option(
    help: ArgumentHelp(
      "The ledger to merge into; made where there is none.",
      valueName: "ledger"
    )
  )
  var into: String

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let target = session.console.resolved(into)
    let sources = ledgers.map { (shown: $0, path: session.console.resolved($0)) }
    var descriptions: [BatchDescription] = []
    for source in sources {
      descriptions.append(try BatchLedger(opening: source.path).description)
    }
    let isNew = try !FileSystem.exists(target)
    if isNew { try Self.checkOneVersion(descriptions, session) }
    let made = isNew ? try NewLedger(at: target, tree: nil) : nil
    if isNew { _ = try BatchLedger(creating: target, Self.description(of: descriptions)) }
    let merges: [(String, MergeReport)]
    do {
      merges = try Self.merge(sources, into: target)
    } catch {
      made?.remove()
      throw error
    }
    let hasConflicts = merges.contains { !$0.1.conflicts.isEmpty }
    try session.print(
      BatchMergeReport(into: into, merges),
      as: format.format,
      afterDoing: "\(into) is written."
    )
    return hasConflicts ? .answerIsNo : .success
  }

  /// Merges ledgers into one, which is closed when this returns or throws.
  private static func merge(
    _ sources: [(shown: String, path: String)],
    into target: String
  ) throws -> [(String, MergeReport)] {
    let ledger = try BatchLedger(opening: target)
    let hold = try ledger.hold(joining: false)
    var merges: [(String, MergeReport)] = []
    for source in sources {
      merges.append((source.shown, try ledger.merge(ledgerAt: source.path)))
    }
    try ledger.end(hold)
    return merges
  }

  /// Throws if the ledgers are of different versions, before any file is made: a half-merged ledger is
  /// of no use.
  private static func checkOneVersion(
    _ descriptions: [BatchDescription],
    _ session: Session
  ) throws {
    let targets = try descriptions.map(BatchTarget.init(of:))
    let versions = Set(targets.map(\.fullName)).sorted()
    guard targets.allSatisfy({ $0.isSame(as: targets[0]) }) else {
      throw WaystoneError(
        .badArgument,
        "The ledgers are of batches to several versions: \(versions.joined(separator: "; ")).",
        recovery: "Merge ledgers of batches to the same version."
      )
    }
  }

  /// Returns the description of a ledger of all: of one part where all are.
  private static func description(of all: [BatchDescription]) -> BatchDescription {
    var description = all[0]
    if Set(all.map(\.shard)).count > 1 { description.shard = nil }
    return description
  }
}
