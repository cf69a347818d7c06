package import MigrationPlanning
internal import ModelImport

/// A project's configuration, from its `waystone.yml`.
///
/// Paths in the file are meant from the file's own folder.
package struct Configuration: Hashable, Sendable {
  /// The name of the file.
  package static let fileName = OtherProject.fileName

  /// The folder of models where neither the file nor the command line names one.
  package static let defaultModels = "ModelArchive"

  /// An order of versions, with the line that gives it.
  package struct Order: Hashable, Sendable {
    /// The versions' names, oldest first.
    package var versions: [String]
    /// The line in the file, from 1.
    package var line: Int
  }

  /// A name or path, with the line that gives it.
  package struct Entry: Hashable, Sendable {
    /// The name or path.
    package var text: String
    /// The line in the file, from 1.
    package var line: Int
  }

  /// The file's path.
  package var path: String
  /// The folders of models, or models; empty where the file names none.
  package var models: [Entry] = []
  /// The target whose Swift files declare the models; nil where all of the folder count.
  package var target: Entry?
  /// The files and folders of mappings; nil where those beside the models count.
  package var mappings: [Entry]?
  /// The versions that count as current, one of each model, before those of `.xccurrentversion`.
  package var current: [Entry] = []
  /// The order of the versions of each model; the empty name means the only model.
  package var order: [String: Order] = [:]
  /// The regular expression by whose groups versions are put into order; nil where a list or their
  /// names give it.
  package var orderPattern: Entry?
  /// The versions that are left out.
  package var ignored: Order?
  /// The order of the versions of each model whose versions branched, likewise.
  package var branches: [String: Branches] = [:]
  /// Stores that Core Data itself made, by the version that they are of.
  package var samples: [String: Entry] = [:]

  /// Whether the app opens stores by configuration; unknown where the file does not state it.
  package var configurationUse = ConfigurationUse.unknown

  /// Whether CloudKit mirrors the app's stores; nil where the file does not state it.
  package var usesCloudKit: Bool?

  /// The answers on SwiftData models that sources alone do not give.
  package var swiftData = SwiftDataKeys()

  /// The versions that were shipped, for each model; the empty name means all models.
  ///
  /// Where it is empty, the file does not state which were.
  package var shipped: [String: Order] = [:]
  /// The mechanism by which the app opens stores of older versions; nil where the file does not state
  /// it.
  package var runtime: AppRuntime?
  /// The migrator of users' stores that a release depends on.
  package var reliance = Reliance.app
  /// The project's limits.
  package var policy = Policy()
  /// The files whose SQL may run, as patterns of paths below the file's folder.
  package var allowedSQL: [String] = []
  /// The Swift files and folders that declare the app's own migration policies.
  package var policies: [Entry] = []
  /// The findings that the project accepts, each with its reason.
  package var acceptances: [Acceptance] = []

  /// Makes the configuration of an empty file.
  package init(path: String) { self.path = path }

  /// The folder that holds the file.
  package var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns a path that the file gives, from the file's folder.
  package func resolved(_ entry: Entry) -> String {
    entry.text.hasPrefix("/") ? entry.text : "\(folder)/\(entry.text)"
  }

  /// Returns an error at a line of the file.
  package func error(line: Int?, _ message: String, recovery: String) -> WaystoneError {
    let place = line.map { "\(path):\($0)" } ?? path
    return WaystoneError(.badConfiguration, "\(place): \(message)", recovery: recovery)
  }
}
