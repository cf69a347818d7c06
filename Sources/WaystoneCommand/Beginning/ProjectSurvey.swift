private import Foundation
internal import MigrationReporting
internal import ModelImport
internal import SwiftDataImport
internal import Waystone

/// A survey of a folder: the models, stores and mappings that a configuration can name.
struct ProjectSurvey {
  /// The absolute path of the folder.
  let folder: String
  /// The models, without those of packages in the folder.
  let models: [VersionedModel]
  /// The orders to propose for models whose names contradict theirs, by the models' names.
  let drafts: [String: OrderDraft]
  /// The path of the models, from the folder, with the tags at which they are read.
  let modelsPath: String
  /// The target that makes the container of the app's store, or the several that do; nil where all files count.
  let targetGuess: TargetGuess?
  /// The model of Core Data whose place the sources' models took, with the entities that both have; nil where
  /// there is none, or several may be.
  let predecessor: Predecessor?
  /// The mappings outside of the places that are searched for them, from the folder.
  let mappings: [String]
  /// The mechanism by which the app may open older stores, with a sentence on the evidence.
  let runtimeEvidence: (runtime: AppRuntime, sentence: String)
  /// The models in folders of tests, with their paths from the folder.
  let trialModels: [(name: String, path: String)]
  /// The path of all other models, from the folder; nil where it would hold those of tests too.
  let appModelsPath: String?
  /// The tags of releases in the folder's repository, the oldest first; none where no model is declared in
  /// Swift.
  let releaseTags: [String]
  /// The tags of releases before those.
  let olderTags: [String]
  /// The tags of releases on other branches, which do not lead to the commit that is checked out.
  let otherTags: [String]
  /// Whether the models are read at tags of releases, since the sources declare one version alone.
  let isOfTags: Bool
  /// The tags that are left out, since there are no models at them.
  let emptyTags: [String]
  /// Stores by the name of the version that they are of, from the folder.
  let samples: [(version: String, path: String)]

  /// The most stores that are opened.
  private static let storeLimit = 40
  /// The greatest number of files and folders that are searched for stores.
  private static let entryLimit = 50_000
  /// Folders in which package managers and builds keep what is not the project's own.
  private static let foreignFolders: Set<String> = [
    "Pods", "Carthage", "DerivedData", "node_modules", "build", "Build", "SourcePackages",
  ]

  /// Surveys a folder.
  ///
  /// - Parameter onTag: Called before the models are read at a tag, with its number and the number of all.
  /// - Throws: ``WaystoneError`` where it holds no model, else the error of the file that cannot be
  ///   read.
  init(
    of folder: String,
    environment: [String: String],
    onTag: (_ tag: String, _ number: Int, _ count: Int) -> Void
  ) throws {
    self.folder = folder
    // Errors of a project are no reason to write nothing.
    var guess = (try? TargetGuess.guess(below: folder)) ?? nil
    let ofTarget = guess?.name.flatMap { name in
      try? ReadModels(folder, options: SwiftDataOptions(target: name))
    }
    let read = try ofTarget ?? ReadModels(folder)
    if ofTarget == nil, guess?.name != nil { guess = nil }
    let options = SwiftDataOptions(target: guess?.name)
    let all = read.archive.models
    let own = all.filter { model in
      Self.parts(model.path, below: folder).allSatisfy { !Self.foreignFolders.contains($0) }
    }
    guard let first = own.first else {
      throw WaystoneError(
        .missingFile,
        "There is no model of the project's own here.",
        recovery: "Run `waystone init` in the folder of the app's project."
      )
    }
    let path = Self.path(of: own, below: folder) ?? first.path
    let trial = own.filter { Project.isOfTests(Self.parts($0.path, below: folder)) }
    trialModels = trial.map {
      ($0.name, Self.parts($0.path, below: folder).joined(separator: "/"))
    }
    let app = own.filter { !Project.isOfTests(Self.parts($0.path, below: folder)) }
    let appPath = Self.path(of: app, below: folder)
    appModelsPath = appPath == path || appPath == "." ? nil : appPath
    let near = try MappingFinder.mappings(forModels: "\(folder)/\(path)")
    let found = try MappingFinder.mappings(below: folder).filter { path in
      Self.parts(path, below: folder).allSatisfy { !Self.foreignFolders.contains($0) }
    }
    func shortened(_ path: String) -> String {
      Self.parts(path, below: folder).joined(separator: "/")
    }
    let missed = Set(found.map(shortened)).subtracting(near.map(shortened))
    let isMissed = missed.contains { !Project.isOfTests($0.split(separator: "/").map(String.init)) }
    mappings = isMissed ? Set(found.map(shortened)).sorted(by: ByteOrder.precedes) : []
    let swift = own.filter(\.isOfSwift)
    let isSwift = !swift.isEmpty
    predecessor = Predecessor(among: own, below: folder)
    runtimeEvidence =
      isSwift && (own.count == swift.count || predecessor?.isAlone == true)
      ? Self.runtime(
        by: read.archive.stages.map(\.name),
        isUsed: read.sources?.usesPlan == true
      ) : Self.runtime(of: own, found, below: folder)
    let allTags = isSwift ? Self.tags(in: folder, environment) : []
    let tags = Array(allTags.suffix(Self.tagLimit))
    releaseTags = tags
    olderTags = allTags.dropLast(tags.count)
    otherTags = isSwift ? Self.tags(in: folder, environment, thatLeadHere: false) : []
    let isAlone = own.count == swift.count || predecessor != nil
    let sources = swift.first.flatMap { Self.path(of: [$0], below: folder) } ?? path
    let history =
      isSwift && isAlone
        && swift.allSatisfy { $0.versions.map(\.name) == [SourceVersions.currentName] }
      ? Self.history(of: "\(folder)/\(sources)", at: tags, options, onTag) : nil
    isOfTags = history != nil
    let taken = history?.references
    emptyTags = taken.map { taken in tags.filter { !taken.contains($0) } } ?? []
    var reviewed = ModelArchive(
      models: history.map { own.filter { !$0.isOfSwift } + $0.models } ?? own,
      findings: read.archive.findings.filter { $0.code == .currentVersionUnknown }
    )
    reviewed.reviewOrder()
    drafts = reviewed.draftOrders(ofOthers: true, environment: environment)
    models = reviewed.models
    let place = predecessor == nil ? path : sources
    targetGuess = isSwift && place == "." ? guess : nil
    modelsPath = history.map { "\(sources)@\($0.references.joined(separator: ","))" } ?? place
    samples = Self.samples(in: folder, of: own)
  }

  /// Returns whether a version of a model is known to be current.
  func isCurrentKnown(_ model: VersionedModel) -> Bool {
    model.versions.contains(where: \.isCurrent)
  }

  /// Returns the path of one model, or of the folder that holds several, from the project's folder.
  private static func path(of models: [VersionedModel], below folder: String) -> String? {
    guard let first = models.first else { return nil }
    let parents = models.map { Array(parts($0.path, below: folder).dropLast()) }
    let common = parents.dropFirst().reduce(parents[0]) { common, other in
      zip(common, other).prefix { $0 == $1 }.map(\.0)
    }
    let shared = models.count == 1 ? parts(first.path, below: folder) : common
    return shared.isEmpty ? "." : shared.joined(separator: "/")
  }

  /// Returns the mechanism by which the app may open older stores, with the evidence.
  ///
  /// Stages prove it; a mapping model for each step suggests that the app migrates step by step.
  private static func runtime(
    of models: [VersionedModel],
    _ mappings: [String],
    below folder: String
  ) -> (runtime: AppRuntime, sentence: String) {
    if let stages = mappings.first(where: StagedImporter.isStaged) {
      let path = parts(stages, below: folder).joined(separator: "/")
      return (.staged, "\(path) describes the stages of an NSStagedMigrationManager.")
    }
    // `check` reports errors of a mapping; here it is no evidence.
    let bound = try? MappedArchive(ModelArchive(models: models))
      .binding(mappings: mappings, listed: nil, shown: { $0 })
    let pairs = Set(
      (bound?.binding.bound ?? []).filter { $0.mapping.form.isCoreData }.map {
        [$0.source.model.versionChecksum, $0.destination.model.versionChecksum]
      }
    )
    let steps = models.flatMap { model in
      zip(model.versions, model.versions.dropFirst()).map {
        [$0.model.versionChecksum, $1.model.versionChecksum]
      }
    }
    .filter { $0[0] != $0[1] }
    let written = steps.count(where: pairs.contains)
    let words = "\(Quantity.count(steps.count, "step")) between versions"
    if written > 0, written == steps.count {
      return (.progressive, "Each of the \(words) has a mapping model, which suggests progressive.")
    }
    let have =
      steps.count == 1
      ? "The step between versions has no"
      : "\(written) of the \(words) \(written == 1 ? "has" : "have") a"
    return (.direct, "\(have) mapping model; there are no stages.")
  }

  /// Returns the mechanism by which an app with models in Swift may open older stores, with the
  /// evidence.
  private static func runtime(
    by plans: [String],
    isUsed: Bool
  ) -> (runtime: AppRuntime, sentence: String) {
    guard let first = plans.first else {
      return (.swiftData, "The sources declare SwiftData models, and no migration plan.")
    }
    let names = plans.count == 1 ? "plan \(first)" : "plans \(plans.capped)"
    guard isUsed else {
      return (
        .swiftData,
        "The sources declare the migration \(names), but no container that Waystone finds is "
          + "given \(plans.count == 1 ? "it" : "one of them")."
      )
    }
    return (.swiftDataPlan, "The sources declare the migration \(names).")
  }

  /// The most tags that are proposed; older releases have fewer users.
  private static let tagLimit = 30

  /// Returns the tags that are numbers, as those of releases are; empty where git cannot list them.
  private static func tags(
    in folder: String,
    _ environment: [String: String],
    thatLeadHere: Bool = true
  ) -> [String] {
    let repository = try? GitRepository(around: folder, environment: environment)
    let listed = (try? repository?.tags(thatLeadHere: thatLeadHere)) ?? []
    return listed.filter { tag in
      tag.wholeMatch(of: /v?[0-9]+(\.[0-9]+)*/) != nil
    }
  }

  /// Returns the versions of some sources at those tags that have any, and as they are; nil where no
  /// tag has.
  private static func history(
    of path: String,
    at tags: [String],
    _ options: SwiftDataOptions,
    _ onTag: (_ tag: String, _ number: Int, _ count: Int) -> Void
  ) -> (models: [VersionedModel], references: [String])? {
    guard !tags.isEmpty else { return nil }
    let references = tags + [ModelsPath.now]
    var number = 0
    let read = try? ReadModels("\(path)@\(references.joined(separator: ","))", options: options) {
      reference in
      number += 1
      if number <= tags.count { onTag(reference, number, tags.count) }
    }
    guard let read, let empty = read.sources?.emptyReferences else { return nil }
    let taken = references.filter { !empty.contains($0) }
    return taken.count > 1 ? (read.archive.models, taken) : nil
  }

  static func parts(_ path: String, below folder: String) -> [String] {
    let parts = path.split(separator: "/").filter { $0 != "." }.map(String.init)
    let prefix = folder.split(separator: "/").filter { $0 != "." }.map(String.init)
    return parts.starts(with: prefix) ? Array(parts.dropFirst(prefix.count)) : parts
  }

  /// Returns the first store of each version, among the files with the name of a store.
  private static func samples(
    in folder: String,
    of models: [VersionedModel]
  ) -> [(version: String, path: String)] {
    guard let walk = FileManager.default.enumerator(atPath: folder) else { return [] }
    var paths: [String] = []
    var count = 0
    while let path = walk.nextObject() as? String, count < entryLimit {
      count += 1
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let isOwn = (try? OwnCheckout.isAt("\(folder)/\(path)")) ?? false
      if name.hasPrefix(".") || foreignFolders.contains(name) || isOwn {
        walk.skipDescendants()
      } else if [".sqlite", ".sqlite3", ".db", ".store"].contains(where: name.hasSuffix) {
        paths.append(path)
      }
    }
    let versions = models.flatMap(\.versions)
    let names = VersionNames(ModelArchive(models: models))
    var found: [String: String] = [:]
    for path in paths.sorted(by: ByteOrder.precedes).prefix(storeLimit) {
      // A file that is no store of Core Data is none of the samples.
      let full = "\(folder)/\(path)"
      let store = try? StoreInspection(of: full, at: full, versions: versions, rows: .never)
      guard let version = store?.identification.versions.last else { continue }
      let name = names.name(of: version)
      if found[name] == nil { found[name] = path }
    }
    return found.sorted { NaturalOrder.precedes($0.key, $1.key) }
      .map { (version: $0.key, path: $0.value) }
  }
}
