internal import ArgumentParser
internal import Files
private import Foundation
internal import MigrationReporting
internal import ModelImport
internal import StoreAccess
internal import Waystone

/// The command `waystone init`.
struct InitCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write waystone.yml and a workflow for CI, or with --hop a hop file, to begin with.",
    discussion: """
      Without --hop it looks through the folder for models, mappings and stores, and writes \
      waystone.yml, which says what was found and in comments how to say more, and a workflow that \
      installs a release of Waystone, runs `waystone check` and `waystone coverage`, and keeps their \
      reports: .github/workflows/waystone.yml for GitHub, .gitlab/waystone.yml for GitLab.

      With --hop it writes a hop file. What both versions have in common is filled in. Whatever only \
      a person can say, such as the value of a new attribute or what becomes of a text that is now a \
      number, stands in a line with TODO.

      No file is ever written over another.

        waystone init
        waystone init --ci gitlab --release-url https://files.example.com/waystone
        waystone init --hop v2 v3
      """
  )

  @Option(
    name: .customLong("hop"),
    parsing: .upToNextOption,
    help: ArgumentHelp("From which version to which the hop file leads.", valueName: "from> <to")
  )
  var hop: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write. (default: FROM-to-TO.hop.yml with the models)")
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "For which CI the workflow is. (default: gitlab where .gitlab-ci.yml is there, else github)",
      valueName: "system"
    )
  )
  var ci: WorkflowDraft.System?

  @Option(
    help: ArgumentHelp(
      "The folder that CI downloads the release from. (default: left for you to fill in)",
      valueName: "url"
    )
  )
  var releaseURL: String?

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    guard hop.isEmpty || hop.count == 2 else {
      throw ValidationError("Name the two versions: waystone init --hop v2 v3.")
    }
    guard hop.isEmpty || (ci == nil && releaseURL == nil) else {
      throw ValidationError("--ci and --release-url are for a workflow: leave out --hop.")
    }
    guard releaseURL == nil || ci != WorkflowDraft.System.none else {
      throw ValidationError("--release-url is for a workflow, and --ci none writes none.")
    }
    if let releaseURL, releaseURL.wholeMatch(of: /(https?|file):\/\/[!-~]+/) == nil {
      throw ValidationError(
        "--release-url takes an address that begins with https://, http:// or file://."
      )
    }
    guard !hop.isEmpty || output == nil else {
      throw ValidationError("--output is for a hop file: waystone init --hop v2 v3 --output FILE.")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    try hop.isEmpty ? begin(in: session) : writeHop(in: session)
  }

  /// Writes the files that a new project needs.
  private func begin(in session: Session) throws -> CommandStatus {
    let folder = session.console.workingDirectory
    let hasGitLab = try FileSystem.exists("\(folder)/\(WorkflowDraft.gitLabRoot)")
    let drafts = WorkflowDraft.drafts(
      for: ci ?? (hasGitLab ? .gitlab : .github),
      release: releaseURL
    )
    let paths = [Configuration.fileName] + drafts.map(\.path)
    let isThere = try paths.map { try FileSystem.exists("\(folder)/\($0)") }
    guard isThere.contains(false) else {
      throw WaystoneError(
        .cannotCreate,
        "\(paths.joined(separator: " and ")) \(paths.count == 1 ? "exists" : "exist") already.",
        recovery: "Edit what is there, or remove what is to be written anew."
      )
    }
    let survey = try survey(of: folder, in: session)
    let configuration = ConfigurationDraft(survey: survey, site: BuildDescription.site)
    let texts = [configuration.text] + drafts.map(\.text)
    for (index, path) in paths.enumerated() where !isThere[index] {
      try write(texts[index], to: path, in: session)
    }
    let new = zip(paths, isThere).compactMap { $1 ? nil : $0 }
    try session.print(
      BeginningReport(
        files: zip(paths, isThere).map { ($0, !$1) },
        models: survey.models.map { ($0.name, $0.versions.count) },
        isLocked: try FileSystem.exists("\(folder)/\(LockFile.fileName)"),
        tags: survey.isOfTags
          ? BeginningReport.Tags(
            taken: survey.releaseTags.filter { !survey.emptyTags.contains($0) },
            withoutModels: survey.emptyTags,
            older: survey.olderTags
          ) : nil,
        older: Project.firstLockVersions(of: survey.models, in: WorkingFolder(folder)).count,
        doubts: survey.models.compactMap(\.orderDoubt).map { doubt in
          var doubt = doubt
          doubt.place.file = doubt.place.file.map(session.console.shortened)
          return doubt
        },
        advice: Self.advice(
          on: drafts,
          hasRelease: releaseURL != nil,
          keepsGitLab: hasGitLab
        )
      ),
      as: format.format,
      afterDoing: "\(new.joined(separator: " and ")) \(new.count == 1 ? "is" : "are") written."
    )
    return .success
  }

  /// Returns the steps that are left until workflows run.
  private static func advice(
    on drafts: [WorkflowDraft],
    hasRelease: Bool,
    keepsGitLab: Bool
  ) -> [String] {
    guard let first = drafts.first else { return [] }
    var advice: [String] = []
    if !hasRelease {
      advice.append(
        "Set WAYSTONE_URL in \(first.path) to the folder that has the release of Waystone: until then the "
          + "workflow fails, and says so."
      )
    }
    if keepsGitLab, drafts.contains(where: { $0.path == WorkflowDraft.gitLabRoot }) {
      advice.append(
        "Unless \(WorkflowDraft.gitLabRoot) does so already, let it include the job: "
          + "`include: [{local: /\(first.path)}]`."
      )
    }
    return advice
  }

  /// Surveys the folder, and reports on standard error which tag is read.
  private func survey(of folder: String, in session: Session) throws -> ProjectSurvey {
    let console = session.console
    let showsEach = console.isErrorTerminal && !session.isQuiet
    defer { if showsEach { console.writeError("\r\u{1b}[K") } }
    return try ProjectSurvey(of: folder, environment: console.environment) { tag, number, count in
      if showsEach {
        console.writeError("\rReading the models at tag \(number) of \(count): \(tag)\u{1b}[K")
      } else if number == 1, !session.isQuiet {
        console.writeError(
          "Reading the models at \(Quantity.count(count, "tag")). This can take minutes.\n"
        )
      }
    }
  }

  /// Writes a new file, and makes its folders.
  private func write(_ text: String, to path: String, in session: Session) throws(FileError) {
    try FileSystem.ensureFolders(FileSystem.folder(of: session.console.resolved(path)))
    try session.write(text, to: path, as: .newFile)
  }

  private func writeHop(in session: Session) throws -> CommandStatus {
    let project = try session.project()
    let source = try project.names.version(hop[0])
    let destination = try project.names.version(hop[1], preferring: source.modelName)
    guard source.modelName == destination.modelName,
      source.model.entityVersionHashes != destination.model.entityVersionHashes
    else {
      throw WaystoneError(
        .badArgument,
        source.modelName == destination.modelName
          ? "\(hop[0]) and \(hop[1]) have the same hashes: there is nothing to migrate."
          : "\(source.qualifiedName) and \(destination.qualifiedName) are versions of different models.",
        recovery: "Name two versions of one model that differ."
          + (source.modelName == destination.modelName
            ? "" : " " + ModelVersion.joiningAdvice(source, destination))
      )
    }
    let names = project.names
    let skeleton = HopSkeleton(
      from: source,
      to: destination,
      named: (names.name(of: source), names.name(of: destination))
    )
    let name = "\(source.name)-to-\(destination.name).hop.yml"
    let path = output ?? session.console.shortened("\(project.modelsFolder)/\(name)")
    try session.checkCanCreate(path)
    try session.write(skeleton.text, to: path, as: .newFile)
    try session.print(
      HopSkeletonReport(
        path: path,
        todoCount: skeleton.todoCount,
        obstacle: try obstacle(toHopAt: path, project, session)
      ),
      as: format.format,
      afterDoing: "\(path) is written."
    )
    return .success
  }

  /// Returns the reason why plans do not see a hop file, with the remedy; nil where they see it.
  private func obstacle(
    toHopAt path: String,
    _ project: Project,
    _ session: Session
  ) throws -> HopSkeletonReport.Obstacle? {
    func plain(_ path: String) -> String {
      URL(fileURLWithPath: session.console.resolved(path)).standardizedFileURL.path
    }
    let file = plain(path)
    guard MappingFinder.isMapping(file) else {
      let name = FileSystem.name(of: file).split(separator: ".").first.map(String.init) ?? ""
      return .init(
        advice:
          "Plans do not see it: the name of a hop file ends in .hop.yml. Name it \(name).hop.yml."
      )
    }
    guard let configuration = project.configuration, let listed = try configuration.mappingPaths()
    else {
      let found = try MappedArchive.mappings(besides: project.mapped.modelsPaths)
      if found.contains(where: { plain($0) == file }) { return nil }
      let folder = session.console.shortened(project.modelsFolder)
      return .init(advice: "Plans do not see it there. Move it to \(folder).")
    }
    if listed.joined().contains(where: { plain($0) == file }) { return nil }
    let name = session.console.shortened(configuration.path)
    let entry = WorkingFolder(plain(configuration.folder)).shortened(file)
    return .init(
      advice:
        "Plans do not see it yet: \(name) lists the mappings that count. Add below `mappings:`:",
      line: "- \(entry.yamlScalar)"
    )
  }
}
