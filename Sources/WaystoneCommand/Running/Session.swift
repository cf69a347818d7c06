internal import Files
internal import MigrationReporting
internal import StoreAccess
internal import Waystone

/// The surroundings of a verb: the console, and the options that shape its output.
struct Session {
  let console: Console
  let isQuiet: Bool
  let isVerbose: Bool
  let allowsColor: Bool
  /// The policies and handlers that the program brings along.
  let registry: MigrationRegistry
  private let modelPaths: [String]
  private let configuration: String?

  /// - Throws: ``WaystoneError``, `missingFile` where the folder to work in is not there.
  init(console: Console, options: CommonOptions, registry: MigrationRegistry) throws {
    var console = console
    if let folder = options.folder {
      let path = console.resolved(folder)
      guard try FileSystem.status(path)?.kind == .folder else {
        throw WaystoneError(
          .missingFile,
          "There is no folder \(folder).",
          recovery: "Name a folder that is there after -C."
        )
      }
      console.workingDirectory = path
    }
    self.console = console
    configuration = options.configuration
    self.registry = registry
    isQuiet = options.quiet
    isVerbose = options.verbose
    allowsColor = console.allowsColor && !options.withoutColor
    modelPaths = options.modelPaths
  }

  /// Reads the models that the command line or the configuration names, in the configured order, with
  /// their authored mappings where these are wanted.
  func project(_ mappings: MappingOptions? = nil, lock: LockOptions? = nil) throws -> Project {
    var project =
      try configuration.map { try Project.load(configuration: $0, in: console.folder) }
      ?? Project.load(models: models, in: console.folder)
    take(&project, lock)
    // A verb that neither plans nor checks needs no answers, which cost more than to read the models.
    if mappings != nil || lock != nil { project = project.answering(console.environment) }
    return try mappings.map { try project.withMappings($0.paths) } ?? project
  }

  /// Returns the program that has the app's own policies, as `waystone policies` built it for the project.
  ///
  /// A program that was built from other sources is not run, and a warning reports that.
  /// - Returns: nil where `waystone.yml` names no policies, none were built, or this program has some.
  /// - Throws: ``WaystoneError`` where `waystone.yml` or the sources cannot be read.
  func policyProgram() throws -> String? {
    guard registry.isEmpty, !console.program.isEmpty, let project = try policyProject() else {
      return nil
    }
    guard let built = try BuiltPolicies.read(for: project, console.environment) else { return nil }
    let flaw = try built.flaw(PolicySources(of: project), version: WaystoneProgram.version)
    guard let flaw else { return built.program }
    console.writeError(
      "warning: The app's own policies are not run: \(flaw). Run `waystone policies`.\n"
    )
    return nil
  }

  /// Returns the project's configuration where it names the sources of policies.
  func policyProject() throws -> Configuration? {
    guard models == nil else { return nil }
    let found =
      try configuration.map { try Configuration.read(console.resolved($0)) }
      ?? Configuration.find(from: console.workingDirectory)
    return found.flatMap { $0.policies.isEmpty ? nil : $0 }
  }

  /// The paths of models that the command line names, one a line, if it names any.
  private var models: String? {
    modelPaths.isEmpty ? nil : ModelsPath.text(modelPaths)
  }

  private func take(_ project: inout Project, _ lock: LockOptions?) {
    project.registry = registry
    if let path = lock?.path { project.lockPath = console.resolved(path) }
  }

  /// Returns the project of a run that is resumed, unless the command line names other models.
  func project(of run: RunDescription, _ mappings: [String]) throws -> Project {
    let project =
      try models == nil && configuration == nil
      ? Project.load(
        models: run.models,
        configuration: run.settings.planning.configuration.map(Configuration.read),
        in: console.folder
      ) : project()
    return try project.answering(console.environment).withMappings(mappings)
  }

  /// Returns the models, or none where nothing names any and there is no default folder.
  ///
  /// - Throws: As ``project(_:lock:)`` where models that are named, or there, cannot be read.
  func projectIfAny() throws -> Project {
    if configuration != nil { return try project() }
    guard var project = try Project.loadIfAny(models: models, in: console.folder) else {
      let none = MappedArchive(ModelArchive(models: []))
      return Project(none, configuration: nil, folder: console.folder)
    }
    take(&project, nil)
    return project
  }

  /// The request to stop a run: by the signals of the process, where the console listens to them.
  var cancellation: Cancellation {
    guard console.listensToSignals else { return Cancellation() }
    Interruption.listen()
    return Interruption.cancellation
  }

  /// Throws if the folder of a report's path is missing, or if another file is there; a report of
  /// Waystone is overwritten.
  func checkCanReport(
    to path: String,
    insteadOf isOurs: (String) -> Bool = ReportFile.isOurs
  ) throws {
    let resolved = console.resolved(path)
    guard try FileSystem.exists(resolved) else { return try checkCanCreate(path) }
    guard isOurs(resolved) else {
      throw WaystoneError(
        .cannotCreate,
        "\(path) exists already, and Waystone did not write it as the same kind of file.",
        recovery: "Choose another name, or remove it."
      )
    }
  }

  /// Refuses a path for a new file whose folder is not there.
  func checkCanCreate(_ path: String) throws {
    let resolved = console.resolved(path)
    let folder = FileSystem.folder(of: resolved)
    guard try !FileSystem.exists(resolved) else {
      throw WaystoneError(
        .cannotCreate,
        "\(path) exists already.",
        recovery: "Choose another name, or remove it."
      )
    }
    guard try FileSystem.exists(folder) else {
      throw WaystoneError(
        .cannotCreate,
        "\(path) cannot be created: there is no folder \(folder).",
        recovery: "Create the folder, or choose another name."
      )
    }
  }

  /// Prints a result in the requested form.
  ///
  /// - Parameter deed: A sentence on the completed work, which is reported even where the result cannot
  ///   be printed.
  func print(
    _ report: some Report,
    as format: OutputFormat,
    afterDoing deed: String? = nil
  ) throws {
    switch format {
    case .json: try print(report.json.prettyPrinted + "\n", evenIfQuiet: true, afterDoing: deed)
    case .text:
      let isColored = allowsColor && console.isOutputTerminal
      let text = TerminalText.fitting(console.reportColumns) {
        report.text(isVerbose: isVerbose, isColored: isColored)
      }
      try print(text, afterDoing: deed)
    }
  }

  /// Writes text to a file of the user, whole or not at all.
  ///
  /// - Parameter path: The path as the user wrote it, or from the working directory.
  /// - Throws: `FileError`, which names the path.
  func write(
    _ text: String,
    to path: String,
    as purpose: AtomicFile.Purpose = .replacement
  ) throws(FileError) {
    try AtomicFile.write(text, to: console.resolved(path), as: purpose)
  }

  /// Writes a report's text to a file of the user, and prints that; prints the text where there is no path.
  ///
  /// - Parameter words: The words after that, with a space before them.
  func deliver(
    _ text: String,
    to path: String?,
    as purpose: AtomicFile.Purpose = .replacement,
    saying words: String = ""
  ) throws {
    guard let path else { return try print(text, evenIfQuiet: true) }
    try write(text, to: path, as: purpose)
    try print("\(path) is written.\(words)\n")
  }

  /// Prints text as it is.
  func print(
    _ text: String,
    evenIfQuiet: Bool = false,
    afterDoing deed: String? = nil
  ) throws(WaystoneError) {
    guard !isQuiet || evenIfQuiet else { return }
    try print(Array(text.utf8), afterDoing: deed)
  }

  /// Prints bytes as they are, also where the session is quiet.
  func print(_ bytes: [UInt8], afterDoing deed: String? = nil) throws(WaystoneError) {
    guard console.writeBytes(bytes) else {
      guard let deed else {
        throw WaystoneError(
          .cannotWrite,
          "Standard output takes no more.",
          recovery: "Free some space where it goes, then try again."
        )
      }
      throw WaystoneError(
        .cannotWrite,
        "Standard output takes no more, but the work is done: \(deed)",
        recovery: "Do not run the command again for it; free some space where its output goes."
      )
    }
  }

  /// Prints on standard error why the answer is no, beside a printed result.
  func explain(_ status: CommandStatus, _ code: String, _ message: String, _ recovery: String) {
    explain(Failure.make(status, code, message, recovery))
  }

  /// Prints on standard error why the answer is no, beside a printed result.
  func explain(_ failure: FailureReport) {
    console.writeError(failure.text(isColored: allowsColor && console.isErrorTerminal))
  }
}
