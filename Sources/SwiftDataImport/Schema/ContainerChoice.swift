internal import ObjectModel

/// Which classes an app's container is given, where no versioned schema says so.
struct ContainerChoice {
  /// The classes.
  private(set) var roots: [TypeDeclaration] = []
  /// Whether the sources allow several answers.
  private(set) var isUndecided = false
  /// What is to be said of the choice.
  private(set) var findings: [Finding] = []

  private let module: SourceModule
  private let models: [TypeDeclaration]

  /// The choice among the classes with `@Model`: those that the project names, else those of a call that
  /// makes a container, else all.
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
    isUndecided = true
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

  private mutating func readCalls() {
    let calls = module.files.flatMap(\.containers).compactMap {
      call -> (ContainerCall, [TypeDeclaration])? in
      let named = call.types.compactMap { path -> TypeDeclaration? in
        guard case .type(let type) = module.meaning(of: path, in: [], file: call.place.file),
          type.isModel
        else { return nil }
        return type
      }
      return named.isEmpty ? nil : (call, named)
    }
    let closures = calls.map { SchemaBuilder.closure(of: $0.1, in: module) }
    guard let largest = closures.indices.max(by: { closures[$0].count < closures[$1].count }) else {
      roots = models
      noCalls()
      return
    }
    roots = calls[largest].1
    let other = closures.indices.first { !closures[$0].isSubset(of: closures[largest]) }
    guard let other else { return }
    isUndecided = true
    findings.append(
      Finding(
        .undecidedContainer,
        .warning,
        at: calls[largest].0.place.finding(),
        message:
          "Containers are made of different models here and at \(calls[other].0.place), so that "
          + "which ones the app's store has is not known.",
        remedy: "Name them in waystone.yml: `swiftdata: {models: [\(roots[0].name)]}`."
      )
    )
  }

  private mutating func noCalls() {
    guard models.count > 1 else { return }
    findings.append(
      Finding(
        .undecidedContainer,
        .note,
        at: models[0].place.finding(),
        message: "No ModelContainer(for:) in the sources names its models, so that all"
          + " \(models.count) classes with @Model count.",
        remedy: "If that is wrong, name those of the app's container in waystone.yml: "
          + "`swiftdata: {models: [\(models[0].name)]}`."
      )
    )
  }
}
