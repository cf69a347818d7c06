internal import ObjectModel

/// A choice of the classes in an app's container, where no versioned schema lists them.
struct ContainerChoice {
  /// The classes.
  private(set) var roots: [TypeDeclaration] = []
  /// Whether the sources allow several answers, whose classes are all taken.
  private(set) var isUndecided = false
  /// Whether the project names a class that the sources lack.
  private(set) var isMissing = false
  /// The findings on the choice.
  private(set) var findings: [Finding] = []

  private let module: SourceModule
  private let models: [TypeDeclaration]

  /// The choice among the classes with `@Model`: those that the project names, else those of the calls that
  /// make a container of the app's store, else all.
  init(_ models: [TypeDeclaration], in module: SourceModule, _ options: SwiftDataOptions) {
    self.module = module
    self.models = models
    if options.models.isEmpty {
      readCalls()
    } else {
      for name in options.models { add(name) }
    }
  }

  private mutating func add(_ name: String) {
    let path = name.split(separator: ".").map(String.init)
    if case .type(let type) = module.meaning(of: path, in: [], file: ""), type.isModel {
      roots.append(type)
      return
    }
    isMissing = true
    findings.append(
      Finding(
        .undecidedContainer,
        .error,
        at: models[0].place.finding(),
        message:
          "No class with @Model, or more than one, is called \(name), which waystone.yml names.",
        remedy: "Name one that the sources declare."
      )
    )
  }

  private typealias Answer = (call: ContainerCall, list: ModelList)

  private mutating func readCalls() {
    var answers = answers()
    guard !answers.isEmpty else {
      roots = models
      noCalls()
      return
    }
    if let unclear = answers.first(where: { !$0.list.doubts.isEmpty }) {
      isUndecided = true
      roots = models
      undecided(
        "The \(unclear.call.callee) here \(unclear.list.doubts[0]), so that which models the app's "
          + "store has is not known. All \(models.count) classes with @Model count.",
        at: unclear.call.place
      )
      return
    }
    let first = answers.removeFirst()
    roots = first.list.models
    let known = SchemaBuilder.closure(of: roots, in: module)
    let other = answers.first { SchemaBuilder.closure(of: $0.list.models, in: module) != known }
    guard let other else { return }
    isUndecided = true
    roots += answers.flatMap(\.list.models)
    undecided(
      "Containers are made of different models here and at \(other.call.place), so that which ones "
        + "the app's store has is not known. All that one of them has count.",
      at: first.call.place
    )
  }

  /// Returns the classes of each container that may hold the app's store.
  ///
  /// Where a container's list is a variable that cannot be followed, or where no call makes a container,
  /// the calls of `Schema(_:)` count.
  private func answers() -> [Answer] {
    let calls = module.files.flatMap(\.containers)
    let schemas = calls.filter { $0.callee == "Schema" }
    let containers = calls.filter { $0.callee != "Schema" }
    guard !containers.isEmpty else { return counting(schemas) }
    let answers = counting(containers)
    let followed = answers.filter { $0.list.variable == nil }
    guard followed.count < answers.count, !schemas.isEmpty else { return answers }
    return followed + counting(schemas)
  }

  /// Returns the classes of calls that may make the app's container.
  ///
  /// A call whose parameter may put the store in memory counts only where its classes are known; where
  /// they are parameters, too, the container is a preview's.
  private func counting(_ calls: [ContainerCall]) -> [Answer] {
    calls.filter { $0.isTemporary != true }.map(answer).filter {
      $0.call.isTemporary == false || $0.list.doubts.isEmpty
    }
  }

  private func answer(_ call: ContainerCall) -> Answer {
    (call, ModelList(call.models, in: [], file: call.place.file, of: module))
  }

  private mutating func undecided(_ message: String, at place: SourcePlace) {
    let name = (roots.first ?? models[0]).name
    findings.append(
      Finding(
        .undecidedContainer,
        .warning,
        at: place.finding(),
        message: message,
        remedy: "Name them in waystone.yml: `swiftdata: {models: [\(name)]}`."
          + (hasTargets
            ? "" : " Where several targets make containers, name the app's: `target: App`.")
      )
    )
  }

  /// Whether the files are those of a target already.
  private var hasTargets: Bool { module.files.contains { !$0.module.isEmpty } }

  private mutating func noCalls() {
    guard models.count > 1 else { return }
    findings.append(
      Finding(
        .undecidedContainer,
        .note,
        at: models[0].place.finding(),
        message: "No ModelContainer(for:) in the sources names its models, so that all"
          + " \(models.count) classes with @Model count.",
        remedy: "If the app's container holds fewer, name them in waystone.yml: "
          + "`swiftdata: {models: [\(models[0].name)]}`."
      )
    )
  }
}
