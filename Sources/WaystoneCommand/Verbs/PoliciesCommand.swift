internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import ObjectModel
internal import SwiftDataImport
internal import Waystone

/// The command `waystone policies`.
struct PoliciesCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "policies",
    abstract: "Build a waystone that runs the app's own migration policies.",
    discussion: """
      The policies that the mapping models name are found in the app's sources, with the classes, \
      functions and constants that they use, and copied into a package. There they are compiled on \
      Linux as they are, against Core Data's names over Waystone; a policy that does not compile is \
      left out and told with the line of the app's source. The app's code runs on your stores with \
      your permissions, as in the app. What it prints is dropped.

        waystone policies App/Migrations --package ../waystone
        .waystone/policies/.build/debug/waystone-policies migrate a.sqlite

      It needs Swift, and the source of Waystone: a checkout, or a repository's URL. Exit status 1 \
      where a policy is missing or was not built.
      """
  )

  @Argument(help: ArgumentHelp("Swift files, or folders of them.", valueName: "sources"))
  var sources: [String]

  @Option(
    help: ArgumentHelp("Waystone's source: a checkout, or a repository's URL.", valueName: "place")
  )
  var package: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The folder of the package, which is written anew.", valueName: "folder")
  )
  var output = ".waystone/policies"

  @Option(
    help: ArgumentHelp(
      "The folder of what is built; that of a checkout saves compiling Waystone again.",
      valueName: "folder"
    )
  )
  var scratchPath: String?

  @Flag(help: "Take all policies of the sources, whether a mapping names them or not.")
  var all = false

  @Flag(help: "Build for speed, which takes longer.")
  var release = false

  @Flag(inversion: .prefixedNo, help: "Build the package that was written.")
  var build = true

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.projectIfAny()
    let wanted = project.policyClassNames
    let selection = try PolicySelection.reading(
      sources.map { (session.console.resolved($0), $0) },
      wanted: all || wanted.isEmpty ? nil : wanted
    )
    let names = Set(selection.policies.flatMap { [$0.className, $0.objectiveCName ?? ""] })
    let missing = wanted.subtracting(names).sorted()
    guard !selection.policies.isEmpty else {
      throw WaystoneError(
        .badArgument,
        "No subclass of NSEntityMigrationPolicy is in \(sources.joined(separator: ", "))"
          + (missing.isEmpty ? "." : ", and the mappings name \(missing.joined(separator: ", "))."),
        recovery: "Name the folder or the files that declare the policies."
      )
    }
    let folder = session.console.resolved(output)
    let written = PolicyPackage(
      selection,
      models: project.archive.models,
      dependency: package.contains("://")
        ? .repository(package, version: WaystoneProgram.version)
        : .folder(session.console.resolved(package))
    )
    var result: PolicyBuild?
    if build {
      result = try PolicyBuild(
        written,
        in: folder,
        options: ["--configuration", release ? "release" : "debug"]
          + (scratchPath.map { ["--scratch-path", session.console.resolved($0)] } ?? []),
        swift: try swift(session),
        environment: session.console.environment
      ) { count in
        session.console.writeError(
          "Building \(count == 1 ? "1 policy" : "\(count) policies"); the first time takes minutes ...\n"
        )
      }
    } else {
      try written.write(to: folder, without: [])
    }
    let report = PolicyReport(selection, build: result, missing: missing, folder: output)
    try session.print(report, as: format.format)
    return report.isWhole ? .success : .answerIsNo
  }

  /// Returns the path of the `swift` command, as the shell would find it.
  private func swift(_ session: Session) throws -> String {
    for folder in session.console.environment["PATH", default: ""].split(separator: ":") {
      let path = "\(folder)/swift"
      if folder.hasPrefix("/"), try FileSystem.exists(path) { return path }
    }
    throw WaystoneError(
      .missingFile,
      "There is no swift on the PATH.",
      recovery: "Install Swift 6.2 or later, or write the package with --no-build."
    )
  }
}
