internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone lock`.
struct LockCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract:
      "Write down the versions that users have, so that `check` notices when one is edited.",
    discussion: """
      Name the versions that users have; what is not locked counts as new, and `check` fails for \
      what it loses. Without names the versions are locked that `shipped:` in waystone.yml names. \
      Where it names none, a first lock gets those before the current version, which users may not \
      have yet, and leaves models in folders of tests out; where no model has more than one version, it \
      gets that. A lock that is there gets nothing more.

      A version that is locked already is never written over: where it was edited, or stands \
      elsewhere in the order, nothing is written and the exit status is 1. Undo the edit, or accept \
      it, one version at a time, with the reason, which the lock keeps. An accepted version is \
      written, and the exit status stays 1 while others are not as they were locked. A locked \
      version that is gone is given up in the same way.

        waystone lock v9
        waystone lock --accept v3 --reason "v3 was never released"

      The lock is text, a line for each version and each shape of an entity, in an order that does \
      not depend on the machine. Commit it. To merge two, keep the lines of both, which git does by \
      itself given `waystone.lock merge=union` in .gitattributes.
      """
  )

  @Argument(help: ArgumentHelp("The versions that users have.", valueName: "version"))
  var versions: [String] = []

  @Flag(help: "Lock every version, the current one too.")
  var all = false

  @Flag(help: "Say what would be locked, and write nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("A locked version to lock anew, as it is now.", valueName: "version"))
  var accept: String?

  @Option(help: ArgumentHelp("Why it is accepted; the lock keeps it.", valueName: "text"))
  var reason: String?

  @OptionGroup var lock: LockOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    guard !all || versions.isEmpty else {
      throw ValidationError("--all locks every version: leave the names out, or --all.")
    }
    guard (accept == nil) == (reason == nil) else {
      throw ValidationError("--accept and --reason belong together.")
    }
    if let reason {
      // A reason of dots alone is copied from an example.
      guard reason.contains(where: { $0.isLetter || $0.isNumber }), reason.utf8.count <= 1000 else {
        throw ValidationError("--reason must be a sentence, of at most 1000 bytes.")
      }
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(lock: lock)
    let choice: LockChoice =
      all ? .all : versions.isEmpty ? .shipped : .named(versions.map { VersionName($0) })
    let accepted = accept.map { VersionName($0) }
    let update =
      if dryRun {
        try project.lockUpdate(choice, accepting: accepted, because: reason)
      } else {
        try project.lock(choice, accepting: accepted, because: reason)
      }
    try session.print(
      LockReport(update, isDryRun: dryRun),
      as: format.format,
      afterDoing: update.writes && !dryRun ? "\(update.path) is written." : nil
    )
    return update.isWritable ? .success : .answerIsNo
  }
}
