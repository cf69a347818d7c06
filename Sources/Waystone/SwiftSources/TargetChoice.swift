internal import ModelImport
internal import ObjectModel
internal import SwiftDataImport

/// The target whose files count among those of a folder: the one that the project names, or one that makes a
/// container of the app's store.
struct TargetChoice {
  private let name: String?
  private let project: String?
  private let conditions: CompilationConditions

  /// A choice.
  ///
  /// - Parameters:
  ///   - name: The name of the target; nil where one is to be found.
  ///   - project: The name of the Xcode project in the folder whose targets count; nil for all projects
  ///     there.
  init(_ name: String?, in project: String?, _ conditions: CompilationConditions) {
    self.name = name
    self.project = project
    self.conditions = conditions
  }

  /// Whether targets decide at all.
  var isNeeded: Bool { name != nil || project != nil }

  /// Returns the files that count, with the findings on files that their target lacks.
  ///
  /// - Parameter reference: The commit at which they were read; nil for the files as they are. At a commit that
  ///   has no such target all files count.
  /// - Throws: ``WaystoneError`` where the files as they are have no such target.
  func files(_ files: SourceFiles, at reference: String?) throws -> (
    texts: [SourceText], findings: [Finding]
  ) {
    guard isNeeded else {
      // Classes of one name differ by the target of a package that declares them.
      let targets = try ProjectTargets(projects: [], texts: files.texts)
      return named(targets.assigned(files.texts), [], reference)
    }
    let targets = try ProjectTargets(projects: files.projects, texts: files.texts, of: project)
    let chosen: [BuildTarget]
    var doubts: [Finding] = []
    do {
      (chosen, doubts) = try choose(among: targets, files)
    } catch let error as WaystoneError {
      guard let reference else { throw error }
      let plain = files.texts.filter {
        SourceFolder.holds($0.name.split(separator: "/").map(String.init))
      }
      let finding = Finding(
        .unreadableSource,
        .warning,
        at: Finding.Place(version: reference),
        message: "At \(reference) all files of the folder count. \(error.message)",
        remedy: "If they declare more than the app had, let `models:` leave \(reference) out."
      )
      return named(plain, [finding], reference)
    }
    let selection = targets.selection(of: chosen, from: files.texts)
    return named(selection.texts, targets.findings + doubts + selection.findings, reference)
  }

  /// Returns the files and findings under the names that git has for those of a commit.
  private func named(_ texts: [SourceText], _ findings: [Finding], _ reference: String?) -> (
    texts: [SourceText], findings: [Finding]
  ) {
    guard let reference else { return (texts, findings) }
    return (
      texts.map { text in
        var text = text
        text.name = "\(reference):\(text.name)"
        return text
      },
      findings.map { finding in
        var finding = finding
        finding.place.file = finding.place.file.map { "\(reference):\($0)" }
        return finding
      }
    )
  }

  private func choose(
    among targets: ProjectTargets,
    _ files: SourceFiles
  ) throws -> (targets: [BuildTarget], doubts: [Finding]) {
    guard let name else { return try makers(among: targets, files) }
    let found = targets.targets(called: name)
    let depth = found.first?.project.count { $0 == "/" }
    let nearest = found.filter { target in target.project.count { $0 == "/" } == depth }
    if let only = nearest.first, nearest.count == 1 { return ([only], []) }
    guard found.isEmpty else {
      throw WaystoneError(
        .badArgument,
        "Several projects have a target \(name): \(Self.list(nearest.map(\.project))).",
        recovery: "Let `models:` name the project, or the folder of one of them."
      )
    }
    let names = targets.targets.filter { $0.kind != .tests }.map(\.name)
    let unread = targets.findings.first { $0.severity > .note }
    throw WaystoneError(
      .badArgument,
      "No project or package here has a target \(name)."
        + (unread.map { " \($0.place.file ?? ""): \($0.message)" } ?? ""),
      recovery: names.isEmpty
        ? unread?.remedy
          ?? "Let `models:` name an .xcodeproj, or a folder that holds one or a Package.swift."
        : "Let `target:` name one of \(Self.list(names))."
    )
  }

  /// Returns the targets that make a container, where no target is named.
  private func makers(
    among targets: ProjectTargets,
    _ files: SourceFiles
  ) throws -> (targets: [BuildTarget], doubts: [Finding]) {
    let own = targets.targets.filter { $0.project.hasSuffix(XcodeProject.suffix) }
    if own.isEmpty {
      let unread = targets.findings.first { $0.severity > .note }
      throw WaystoneError(
        .badFile,
        unread?.message ?? "\(project ?? "The project") has no target.",
        recovery: unread?.remedy ?? "Let `models:` name the folder of the app's sources."
      )
    }
    let makers = try targets.makingContainers(among: files.texts, conditions: conditions).filter {
      $0.project.hasSuffix(XcodeProject.suffix)
    }
    let programs = own.filter(\.isProgram)
    let others = programs.isEmpty ? own.filter { $0.kind != .tests } : programs
    let chosen = makers.isEmpty ? others : makers
    // Targets of several platforms often compile the same models.
    let texts = files.texts.filter(\.mentionsSwiftData)
    let paths = Set(chosen.map { targets.paths(of: [$0], among: texts) })
    guard let first = chosen.first, paths.count > 1 else { return (Array(chosen.prefix(1)), []) }
    let names = Self.list(chosen.map(\.name))
    return (
      chosen,
      [
        Finding(
          .undecidedContainer,
          .warning,
          at: Finding.Place(file: "\(first.project)/\(XcodeProject.fileName)"),
          message: "Several targets may make the app's store: \(names). The files of all count.",
          remedy: "Name one in waystone.yml: `target: \(first.name.yamlScalar)`."
        )
      ]
    )
  }

  /// Returns the first names of a list.
  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(12).map { String($0.prefix(100)) }
    return shown.joined(separator: ", ") + (names.count > shown.count ? ", …" : "")
  }
}

/// The target that a first `waystone.yml` may name, since it alone makes a container of the app's store.
package struct TargetGuess: Sendable {
  /// The name; nil where several targets make a container.
  package let name: String?
  /// The names of all targets that do.
  package let candidates: [String]

  /// Returns the guess for a folder; nil where no target has fewer models or containers than all files.
  ///
  /// - Throws: An error where files cannot be read.
  /// - Complexity: O(*n*) in the bytes of the files.
  package static func guess(below folder: String) throws -> TargetGuess? {
    let files = try SourceFolder.files(below: folder, withTargets: true)
    let texts = files.texts.filter(\.mentionsSwiftData)
    let models = Set(texts.filter(\.mentionsModels).map(\.name))
    let all = Set(
      texts.map(\.name).filter {
        SourceFolder.holds($0.split(separator: "/").map(String.init))
      }
    )
    guard !models.isEmpty else { return nil }
    let targets = try ProjectTargets(projects: files.projects, texts: files.texts)
    let makers = try targets.makingContainers(among: texts).filter { maker in
      targets.targets(called: maker.name).count == 1
    }
    let paths = makers.map { targets.paths(of: [$0], among: texts) }
    guard !paths.isEmpty,
      paths.allSatisfy({ $0 != all && !$0.isDisjoint(with: models) })
    else { return nil }
    let isOne = Set(paths).count == 1
    return TargetGuess(name: isOne ? makers[0].name : nil, candidates: makers.map(\.name))
  }
}
