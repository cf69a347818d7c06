internal import ArgumentParser
internal import Files
internal import MigrationReporting
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

      Where `policies: App/Migrations` in waystone.yml names the sources, no argument does; plan, explain, \
      migrate, resume, finish, batch and coverage then run the program that was built by you, until \
      the sources change.

      It needs Swift, and the source of Waystone: a checkout, or a repository's URL. Exit status 1 \
      where a policy is missing or was not built.
      """
  )

  @Argument(
    help: ArgumentHelp(
      "Swift files, or folders of them. (default: as waystone.yml says)",
      valueName: "sources"
    )
  )
  var sources: [String] = []

  @Option(
    help: ArgumentHelp(
      "Waystone's source: a checkout, or a repository's URL. (default: that of the last build)",
      valueName: "place"
    )
  )
  var package: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The folder of the package, which is written anew. (default: .waystone/policies)",
      valueName: "folder"
    )
  )
  var output: String?

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
    let configured = sources.isEmpty ? try session.policyProject() : nil
    guard configured != nil || !sources.isEmpty else {
      throw WaystoneError(
        .badArgument,
        "Neither an argument nor `policies:` in waystone.yml names the app's sources.",
        recovery: "Name a folder: waystone policies App/Migrations."
      )
    }
    let texts =
      try configured.map(PolicySources.init)
      ?? PolicySources(sources.map { (session.console.resolved($0), $0) })
    let place = try place(of: configured, session)
    let project = try session.projectIfAny()
    let wanted = project.policyClassNames
    let selection = try PolicySelection.reading(
      texts,
      wanted: all || wanted.isEmpty ? nil : wanted
    )
    let names = Set(selection.policies.flatMap { [$0.className, $0.objectiveCName ?? ""] })
    let missing = wanted.subtracting(names).sorted()
    guard !selection.policies.isEmpty else {
      let places = configured?.policies.map(\.text) ?? sources
      throw WaystoneError(
        .badArgument,
        "No subclass of NSEntityMigrationPolicy is in \(places.joined(separator: ", "))"
          + (missing.isEmpty ? "." : ", and the mappings name \(missing.joined(separator: ", "))."),
        recovery: "Name the folder or the files that declare the policies."
      )
    }
    let shown = output ?? Self.folder
    let folder =
      if let configured, output == nil {
        "\(configured.folder)/\(Self.folder)"
      } else {
        session.console.resolved(shown)
      }
    let written = PolicyPackage(
      selection,
      models: project.archive.models,
      dependency: place.contains("://")
        ? .repository(place, version: WaystoneProgram.version) : .folder(place)
    )
    var result: PolicyBuild?
    var isKept = false
    if build {
      let built = try PolicyBuild(
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
      if let configured, let program = built.program {
        let record = try BuiltPolicies(
          program,
          of: texts,
          package: place,
          version: WaystoneProgram.version
        )
        isKept = try record.write(for: configured, session.console.environment)
      }
      result = built
    } else {
      try written.write(to: folder, without: [])
    }
    let report = PolicyReport(
      selection,
      build: result,
      missing: missing,
      folder: shown,
      isOfProject: isKept
    )
    try session.print(report, as: format.format)
    return report.isWhole ? .success : .answerIsNo
  }

  /// The folder of the package, below the project's.
  private static let folder = ".waystone/policies"

  /// Returns the place of Waystone's source: an absolute path, or a URL.
  private func place(of project: Configuration?, _ session: Session) throws -> String {
    if let package { return package.contains("://") ? package : session.console.resolved(package) }
    if let project, let last = try BuiltPolicies.read(for: project, session.console.environment) {
      return last.package
    }
    throw WaystoneError(
      .badArgument,
      "The policies need Waystone's source, and no build before this one says where it is.",
      recovery: "Name a checkout or a repository's URL: --package PLACE."
    )
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
