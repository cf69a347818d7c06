internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// `waystone lock`.
struct LockCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract:
      "Write down the versions that users have, so that `check` notices when one is edited.",
    discussion: """
      The versions that `shipped:` in waystone.yml names are locked, and where it names none, every \
      version, the current one included. A version that is locked already is never written over: \
      where it was edited, or stands elsewhere in the order, nothing is written and the exit status \
      is 1. Undo the edit, or accept it, one version at a time, with the reason, which the lock \
      keeps. A locked version that is gone is given up in the same way.

        waystone lock
        waystone lock --accept v3 --reason "v3 was never released"

      The lock is text, a line for each version and each shape of an entity, in an order that does \
      not depend on the machine. Commit it. To merge two, keep the lines of both, which git does by \
      itself given `waystone.lock merge=union` in .gitattributes.
      """
  )

  @Option(help: ArgumentHelp("A locked version to lock anew, as it is now.", valueName: "version"))
  var accept: String?

  @Option(help: ArgumentHelp("Why it is accepted; the lock keeps it.", valueName: "text"))
  var reason: String?

  @OptionGroup var lock: LockOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    guard (accept == nil) == (reason == nil) else {
      throw ValidationError("--accept and --reason belong together.")
    }
    if let reason {
      guard reason.contains(where: { !$0.isWhitespace }), reason.utf8.count <= 1000 else {
        throw ValidationError("--reason must be a sentence, of at most 1000 bytes.")
      }
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(lock: lock)
    let update = try project.lock(accepting: accept.map { VersionName($0) }, because: reason)
    try session.print(
      update,
      as: format.format,
      afterDoing: update.writes ? "\(update.path) is written." : nil
    )
    return update.isWritable ? .success : .answerIsNo
  }
}
