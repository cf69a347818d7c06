internal import ModelImport
internal import ObjectModel
internal import StoreAccess
internal import SwiftDataImport

extension Project {
  /// Returns the project with the facts that stores show about its Swift types, beside the stores that
  /// `samples:` names.
  ///
  /// - Parameter stores: Their paths, as the user wrote them.
  /// - Throws: ``WaystoneError`` where a store cannot be read, or no sources declare a model.
  package func learning(from stores: [String]) throws -> Project {
    guard sources != nil else {
      throw WaystoneError(
        .badArgument,
        "\(folder.shortened(mapped.modelsPath)) declares no model in Swift, so that a store settles nothing.",
        recovery: "Leave --learn out: the hashes of Xcode's models rest on no rule for Swift types."
      )
    }
    var project = try Self.load(
      models: archive.path,
      configuration: configuration,
      in: folder,
      learningFrom: stores
    )
    project.registry = registry
    project.lockPath = lockPath
    return project
  }

  /// Returns the facts that stores show about the types of sources.
  ///
  /// - Parameters:
  ///   - stores: Paths of stores that are named for this.
  ///   - models: The models as they are with the types that `waystone.yml` states.
  ///   - read: Reads the models with other types.
  /// - Throws: ``WaystoneError`` where a store that is named cannot be read. A sample that cannot is
  ///   left out, and a check reports it.
  static func lessons(
    from stores: [String],
    _ models: ReadModels,
    _ options: SwiftDataOptions,
    _ configuration: Configuration?,
    in folder: WorkingFolder,
    _ read: (SwiftDataOptions) throws -> ReadModels
  ) throws -> StoreLessons {
    let samples = configuration?.samples ?? [:]
    guard var sources = models.sources,
      !options.types.isEmpty || !stores.isEmpty || !samples.isEmpty
    else { return StoreLessons() }
    var rules = options
    rules.types = [:]
    if !options.types.isEmpty, let plain = try read(rules).sources { sources = plain }
    var found = try stores.map { path in
      StoreLessons.Source(isAsked: true, facts: try facts(of: path, at: folder.resolved(path)))
    }
    let doubtful = sources.versions.filter(\.schema.hasDoubtfulTypes).map(\.qualifiedName)
    for (name, entry) in samples.sorted(by: { $0.value.line < $1.value.line }) {
      guard let configuration, let version = sources.version(called: name)?.qualifiedName,
        doubtful.contains(version),
        let facts = try? facts(of: entry.text, at: configuration.resolved(entry))
      else { continue }
      found.append(.init(version: version, isAsked: false, facts: facts))
    }
    var lessons = StoreLessons(sources, found, configuration)
    if !lessons.types.isEmpty {
      lessons.assumed = Dictionary(
        sources.models.flatMap(\.versions).map { ($0.qualifiedName, $0.model.entityOutlines) },
        uniquingKeysWith: { first, _ in first }
      )
    }
    return lessons
  }

  /// The findings on stores that disagree or settle nothing, with paths from the folder.
  var lessonFindings: [Finding] {
    lessons.findings.map { finding in
      var finding = finding
      finding.place.file = finding.place.file.map(folder.shortened)
      return finding
    }
  }

  private static func facts(of path: String, at resolved: String) throws -> StoreFacts {
    let store = try StoreInspection(of: path, at: resolved, versions: [], rows: .never)
    return StoreFacts(name: path, hashes: store.versionHashes, model: store.recoveredModel)
  }
}
