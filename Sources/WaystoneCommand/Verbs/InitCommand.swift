internal import ArgumentParser
internal import Files
private import Foundation
internal import MigrationReporting
internal import ModelImport
internal import ObjectModel
internal import StoreAccess
internal import Waystone

/// `waystone init`.
struct InitCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write waystone.yml and a workflow for CI, or with --hop a hop file, to begin with.",
    discussion: """
      Without --hop it looks through the folder for models, mappings and stores, and writes \
      waystone.yml, which says what was found and in comments how to say more, and \
      .github/workflows/waystone.yml, which runs `waystone check` and `waystone coverage`.

      With --hop it writes a hop file. What both versions have in common is filled in. Whatever only \
      a person can say, such as the value of a new attribute or what becomes of a text that is now a \
      number, stands in a line with TODO.

      No file is ever written over another.

        waystone init
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

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    guard hop.isEmpty || hop.count == 2 else {
      throw ValidationError("Name the two versions: waystone init --hop v2 v3.")
    }
    guard !hop.isEmpty || output == nil else {
      throw ValidationError("--output is for a hop file: waystone init --hop v2 v3 --output FILE.")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    try hop.isEmpty ? begin(in: session) : writeHop(in: session)
  }

  /// Writes what a project needs to begin with.
  private func begin(in session: Session) throws -> CommandStatus {
    let folder = session.console.workingDirectory
    let paths = [Configuration.fileName, WorkflowDraft.path]
    let isThere = try paths.map { try FileSystem.exists("\(folder)/\($0)") }
    guard isThere.contains(false) else {
      throw WaystoneError(
        .cannotCreate,
        "\(paths.joined(separator: " and ")) exist already.",
        recovery: "Edit them, or remove the one that is to be written anew."
      )
    }
    let survey = try survey(of: folder, in: session)
    let texts = [ConfigurationDraft(survey: survey).text, WorkflowDraft.text]
    for (index, path) in paths.enumerated() where !isThere[index] {
      try write(texts[index], to: path, in: session)
    }
    let new = zip(paths, isThere).compactMap { $1 ? nil : $0 }
    try session.print(
      BeginningReport(
        files: zip(paths, isThere).map { .init(path: $0, isNew: !$1) },
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
        }
      ),
      as: format.format,
      afterDoing: "\(new.joined(separator: " and ")) \(new.count == 1 ? "is" : "are") written."
    )
    return .success
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
