internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone digest`.
struct DigestCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "digest",
    abstract: "Print a digest of a store's contents, entity by entity and in all.",
    discussion: """
      Stores of one version have equal digests when they hold the same objects under the same keys \
      with the same values and links, lists in the same order. Names and order of tables and \
      columns, entity numbers, indexes, free pages, counts of saves, metadata and history play no \
      part; values that are kept in files of their own count as if they stood in the store, or by \
      the files' names where those are missing.

      The model is the archived version that the store's hashes name; where there is none, the one \
      that the store carries. The store is not changed.
      """
  )

  @Argument(help: "The store.")
  var store: String

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.projectIfAny()
    let digest = try StoreDigest(of: store, in: project)
    try session.print(digest.side(store), as: format.format)
    return .success
  }
}
