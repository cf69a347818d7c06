internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone inspect`.
struct InspectCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Say what a store is: its version, metadata and entities; or what a mapping does.",
    discussion: """
      The version is found by the entities' version hashes in the store's metadata alone, never by \
      a name or identifier. Where no version has them, the nearest versions are shown with what \
      differs, and the exit status is 3; so it is where the store carries its own model, by which \
      `plan` and `migrate` go. The store is not changed, nor are its -wal and -shm. Stores of Core Data's \
      XML kind (NSXMLStoreType) are read, too; those of its binary kind are not.

      Of a mapping (.xcmappingmodel, .cdm, .hop.yml) it shows the entity mappings in order, each with its \
      filter, policy and expressions, and the versions whose hashes it was made for; of stages \
      (.staged.yml) the same of each custom stage.
      """
  )

  @Argument(help: "The store, or a mapping.")
  var store: String

  @Flag(
    name: .customLong("counts"),
    help: "Count the rows of a store above 32 MB, too, which reads all of it."
  )
  var countsRows = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.projectIfAny()
    if MappingInspection.isMapping(store) {
      let found = try MappingInspection.read(store, in: project)
        .map { $0.report(names: project.names) }
      if !MappingInspection.isOfStages(store), let only = found.first, found.count == 1 {
        try session.print(only, as: format.format)
      } else {
        try session.print(StagesReport(path: store, stages: found), as: format.format)
      }
      return .success
    }
    let inspection = try project.inspection(
      of: store,
      rows: countsRows ? .always : .ofSmallStores
    )
    let report = inspection.report(names: project.names)
    try session.print(report, as: format.format)
    guard [.recovered, .nearest, .none].contains(report.match) else {
      let isDamaged = report.findings.contains {
        $0.code == .schemaDiffers && $0.severity == .error
      }
      return isDamaged ? .damagedInput : .success
    }
    session.explain(
      .noPath,
      "unknownStoreVersion",
      "No archived version has the hashes of \(store).",
      project.archive.models.isEmpty
        ? "Name the app's models: --models PATH."
        : report.match == .recovered
          ? "Add the version that the store was made with to the archive. The store carries it: "
            + "`waystone export \(store.shellWord) -o VERSION.xcdatamodel`."
          : report.structure.first { $0.agrees }.map {
            "Add the version that the store was made with to the archive; or, as all tables and "
              + "columns are those of \($0.version), plan with --assume \($0.version)."
          } ?? "Add the version that the store was made with to the archive."
    )
    return .noPath
  }
}
