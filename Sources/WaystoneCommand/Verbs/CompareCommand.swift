internal import ArgumentParser
internal import MigrationReporting
internal import StoreAccess
internal import Waystone

/// The command `waystone compare`.
struct CompareCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say whether two stores hold the same, entity by entity.",
    discussion: """
      Compared are the stores' digests, see `waystone help digest`: names of entities and counts of \
      objects are printed, values never. Stores of different versions can be compared too; an \
      entity whose properties are others then differs. Neither store is changed. Status 1 where \
      they differ.
      """
  )

  @Argument(help: "A store.")
  var first: String

  @Argument(help: "The store to compare it with.")
  var second: String

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.projectIfAny()
    let one = try StoreDigest(of: first, in: project)
    let other = try StoreDigest(of: second, in: project)
    let rehashed = Set(one.hashes.keys).union(other.hashes.keys).filter {
      one.hashes[$0] != other.hashes[$0]
    }
    let differing = one.digest.differences(from: other.digest)
    let report = ComparisonReport(
      first: one.side(first),
      second: other.side(second),
      differing: Set(differing),
      rehashed: rehashed
    )
    try session.print(report, as: format.format)
    guard !differing.isEmpty else { return .success }
    let more = differing.count > 5 ? " and \(differing.count - 5) more entities" : ""
    session.explain(
      .answerIsNo,
      "storesDiffer",
      "\(first) and \(second) differ in \(differing.prefix(5).joined(separator: ", "))\(more).",
      rehashed.isEmpty
        ? "Where they should not, look at the objects of these entities."
        : "They are of different versions: bring both to one with `waystone migrate` first."
    )
    return .answerIsNo
  }
}
