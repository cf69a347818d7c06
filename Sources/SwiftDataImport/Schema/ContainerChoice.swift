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

  /// The choice among the classes with `@Model`: those that the project names, else those of the containers of
  /// one model, else all.
  init(
    _ models: [TypeDeclaration],
    in module: SourceModule,
    of containers: [AppContainers.Container],
    _ options: SwiftDataOptions
  ) {
    self.module = module
    self.models = models
    if options.models.isEmpty {
      read(containers)
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

  private mutating func read(_ containers: [AppContainers.Container]) {
    guard let first = containers.first else {
      roots = models
      noCalls()
      return
    }
    if let unclear = containers.first(where: { !$0.list.doubts.isEmpty }) {
      isUndecided = true
      roots = models
      undecided(
        "The \(unclear.call.callee) here \(unclear.list.doubts[0]), so that which models the app's "
          + "store has is not known. All \(models.count) classes with @Model count.",
        at: unclear.call.place,
        "Name them in waystone.yml: \(Self.setting(models))."
      )
      return
    }
    roots = first.list.models
    guard let other = containers.first(where: { $0.paths != first.paths }) else { return }
    isUndecided = true
    roots += containers.dropFirst().flatMap(\.list.models)
    // A smaller one may be that of a widget, of a task in the background or of a test.
    let whole = containers.max { $0.paths.count < $1.paths.count } ?? first
    undecided(
      "Containers are made of different models here and at \(other.call.place), so that which ones "
        + "the app's store has is not known. All that one of them has count.",
      at: first.call.place,
      "If the app's store is that of \(whole.call.place), set in waystone.yml: "
        + "\(Self.setting(whole.list.models))."
    )
  }

  /// The most classes that a remedy names; the largest container of a public app has some 40.
  private static let greatestNames = 60

  /// Returns the setting that names some classes.
  private static func setting(_ models: [TypeDeclaration]) -> String {
    var seen: Set<String> = []
    let names = models.map(\.qualifiedName).filter { seen.insert($0).inserted }
    let shown = names.prefix(greatestNames) + (names.count > greatestNames ? ["..."] : [])
    return "`swiftdata: {models: [\(shown.joined(separator: ", "))]}`"
  }

  private mutating func undecided(_ message: String, at place: SourcePlace, _ remedy: String) {
    findings.append(
      Finding(
        .undecidedContainer,
        .warning,
        at: place.finding(),
        message: message,
        remedy: remedy
          + (hasTargets
            ? "" : " Where several targets make containers, name the app's: `target: App`.")
      )
    )
  }

  /// Whether the files are those of a target already.
  private var hasTargets: Bool { module.files.allSatisfy { !$0.module.isEmpty } }

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
