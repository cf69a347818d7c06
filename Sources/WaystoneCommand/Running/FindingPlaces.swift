internal import Files
private import Foundation
internal import MigrationReporting
internal import ModelImport
internal import Waystone

/// The places of findings in a project's files, for programs that show them beside the source.
///
/// Paths are relative to the folder of the repository, as GitHub, GitLab and viewers of SARIF expect,
/// from any working folder.
struct FindingPlaces {
  /// The absolute path of the repository's folder.
  let root: String
  private let console: Console
  private let versions: [String: [ModelVersion]]
  private let fallback: String
  private let declarations: [String: [String: Finding.Place]]
  private var linesOfFiles: [String: SourceLines?] = [:]

  /// The places of a project's findings.
  init(_ project: Project, console: Console) {
    self.console = console
    root = Self.root(console)
    let names = project.names
    var versions: [String: [ModelVersion]] = [:]
    for version in project.archive.versions {
      for name in Set([version.name, version.qualifiedName, names.name(of: version)]) {
        versions[name, default: []].append(version)
      }
    }
    self.versions = versions
    declarations = project.archive.declarations
    fallback = project.configuration?.path ?? project.mapped.modelsPath
  }

  /// Returns the finding with its file and, where the file is a model's source, its line.
  ///
  /// One without a file gets its version's, or the project's: GitHub takes no log with a result that
  /// is nowhere.
  ///
  /// - Parameter model: The name of the model that it is about, where versions share a name.
  mutating func placed(_ finding: Finding, of model: String? = nil) -> Finding {
    var finding = finding
    let version = version(of: finding.place, model)
    if let place = declaration(of: finding, version) {
      finding.place.file = place.file
      finding.place.line = place.line
    }
    let file = console.resolved(finding.place.file ?? version?.contentsPath ?? fallback)
    if finding.place.line == nil, let entity = finding.place.entity {
      finding.place.line = lines(of: file)?.line(entity: entity, property: finding.place.property)
    }
    finding.place.file = shown(file)
    return finding
  }

  /// Returns a path relative to the repository's folder, where it is below it.
  func shown(_ path: String) -> String {
    let path = URL(fileURLWithPath: console.resolved(path)).standardizedFileURL.path
    return path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
  }

  /// Returns the findings of a check with their places.
  mutating func findings(of report: CheckReport) -> FindingsReport {
    var places = self
    defer { self = places }
    return report.findingsReport { places.placed($0) }
  }

  private func version(of place: Finding.Place, _ model: String?) -> ModelVersion? {
    var found = place.version.flatMap { versions[$0] } ?? []
    if let model, found.contains(where: { $0.modelName == model }) {
      found.removeAll { $0.modelName != model }
    }
    guard found.count > 1, let entity = place.entity else { return found.first }
    return found.first { version in version.model.entities.contains { $0.name == entity } }
      ?? found.first
  }

  /// Returns the place where the sources declare the subject of a finding; nil where the finding has a
  /// better one.
  private func declaration(of finding: Finding, _ version: ModelVersion?) -> Finding.Place? {
    guard let version, finding.place.line == nil,
      let places = declarations[version.qualifiedName],
      finding.place.file == nil || finding.place.file == version.contentsPath
    else { return nil }
    return finding.place.subject.flatMap { places[$0] }
      ?? finding.place.entity.flatMap { places[$0] } ?? places[""]
  }

  /// Returns the lines of a model's source; nil for all that is none.
  private mutating func lines(of file: String) -> SourceLines? {
    guard file.hasSuffix(".xcdatamodel/contents") else { return nil }
    if let known = linesOfFiles[file] { return known }
    // Unreadable files were reported when the models were read.
    let lines = try? SourceLines(contentsOf: file)
    linesOfFiles[file] = .some(lines)
    return lines
  }

  /// Returns the folder that GitHub checked out, else the nearest one with a repository, else the
  /// current.
  private static func root(_ console: Console) -> String {
    func standard(_ path: String) -> String {
      URL(fileURLWithPath: path).standardizedFileURL.path
    }
    let here = standard(console.workingDirectory)
    if let workspace = console.environment["GITHUB_WORKSPACE"], workspace.hasPrefix("/") {
      let path = standard(workspace)
      if here == path || here.hasPrefix(path + "/") { return path }
    }
    var folder = here
    while folder != "/", !folder.isEmpty {
      if (try? FileSystem.exists(folder + "/.git")) == true { return folder }
      folder = URL(fileURLWithPath: folder).deletingLastPathComponent().standardizedFileURL.path
    }
    return here
  }
}

extension CoverageReport {
  /// Returns the report with each finding at its place in the project's files.
  func placed(by places: inout FindingPlaces) -> CoverageReport {
    var own = places
    defer { places = own }
    let shown = places.shown
    return placed({ own.placed($0, of: $1) }) { path in
      shown(path.hasSuffix(".xcdatamodel") ? path + "/contents" : path)
    }
  }
}
