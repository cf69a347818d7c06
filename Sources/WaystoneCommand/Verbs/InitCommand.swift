internal import ArgumentParser
private import Foundation
internal import MigrationReporting
internal import ModelImport
internal import ObjectModel
internal import StoreAccess

/// `waystone init`.
struct InitCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a hop file to begin with, in which each line that needs you says TODO.",
    discussion: """
      What both versions have in common is filled in. Whatever only a person can say, such as the \
      value of a new attribute or what becomes of a text that is now a number, stands in a line with \
      TODO. The file is never written over another.

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
    guard hop.count == 2 else {
      throw ValidationError("Name the two versions: waystone init --hop v2 v3.")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let loaded = try session.archive()
    let source = try loaded.names.version(hop[0])
    let destination = try loaded.names.version(hop[1], preferring: source.modelName)
    guard source.modelName == destination.modelName,
      source.model.entityVersionHashes != destination.model.entityVersionHashes
    else {
      throw CommandError(
        .badArgument,
        source.modelName == destination.modelName
          ? "\(hop[0]) and \(hop[1]) hash alike, so that nothing leads from one to the other."
          : "\(source.qualifiedName) and \(destination.qualifiedName) are versions of different models.",
        recovery: "Name two versions of one model that differ."
      )
    }
    let names = loaded.names
    let skeleton = HopSkeleton(
      from: source,
      to: destination,
      named: (names.name(of: source), names.name(of: destination))
    )
    let name = "\(source.name)-to-\(destination.name).hop.yml"
    let path = output ?? session.console.shortened("\(folder(of: loaded))/\(name)")
    try session.checkCanCreate(path)
    do {
      try Data(skeleton.text.utf8).write(
        to: URL(fileURLWithPath: session.console.resolved(path)),
        options: .withoutOverwriting
      )
    } catch {
      throw CommandError(
        .cannotCreate,
        "\(path) cannot be written.",
        recovery: "Check the permissions of its folder, or name another: --output FILE."
      )
    }
    try session.print(
      HopSkeletonReport(path: path, todoCount: skeleton.todoCount),
      as: format.format
    )
    return .success
  }

  /// The folder where mappings that belong to the models are looked for.
  private func folder(of loaded: LoadedArchive) -> String {
    let path = loaded.modelsPath
    return [".xcdatamodeld", ".xcdatamodel", ".momd"].contains { path.hasSuffix($0) }
      ? FileSystem.folder(of: path) : path
  }
}
