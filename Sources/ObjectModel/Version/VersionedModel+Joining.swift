extension VersionedModel {
  /// A model whose versions are part of a joined history.
  package struct Part: Hashable, Sendable {
    /// The model's own name.
    package let name: String
    /// The folder or file that it was read from.
    package let path: String
    /// Whether the app's Swift sources declare it.
    package let isOfSwift: Bool
  }

  /// Returns the versions of several models as one history, in the order of the models.
  ///
  /// An app that moves from Core Data to SwiftData, or to a model file of another name, keeps its stores. Each
  /// version keeps its qualified name, so that locks and commands call it as before. The current version of the
  /// last model is that of the history.
  /// - Parameter models: At least one model.
  package static func joining(_ models: [VersionedModel]) -> VersionedModel {
    let name = models.map(\.name).joined(separator: "+")
    var history = VersionedModel(name: name, versions: [], path: models.last?.path ?? "")
    history.parts = models.map { Part(name: $0.name, path: $0.path, isOfSwift: $0.isOfSwift) }
    history.hasDeclaredOrder = true
    history.isOfSwift = models.last?.isOfSwift ?? false
    for (index, model) in models.enumerated() {
      let isLast = index == models.count - 1
      history.versions += model.versions.map { version in
        var version = version
        version.modelName = name
        version.declaringModelName = model.name
        version.isCurrent = version.isCurrent && isLast
        return version
      }
      history.unreadable += model.unreadable.map { version in
        var version = version
        version.modelName = model.name
        version.isCurrent = version.isCurrent && isLast
        return version
      }
      history.ignored += model.ignored
      history.ignoredNames.formUnion(model.ignoredNames)
    }
    return history
  }

  /// Whether it is a history of several models.
  package var isJoined: Bool { !parts.isEmpty }

  /// The folders or files that it was read from.
  package var paths: [String] { isJoined ? parts.map(\.path) : [path] }

  /// Returns whether a name is its own, or that of a model whose versions it joins.
  package func isCalled(_ name: String) -> Bool {
    self.name == name || parts.contains { $0.name == name }
  }

  /// Returns the own name of the version that a name means, which may be qualified; nil where none or
  /// several have it.
  package func versionName(of text: String) -> String? {
    let named = Set(versions.filter { $0.isCalled(text) }.map(\.name))
    if let name = named.first { return named.count == 1 ? name : nil }
    return unreadable.first { [$0.name, qualifiedName(of: $0.name)].contains(text) }?.name
  }

  /// Returns the qualified name of a version by its own name.
  package func qualifiedName(of versionName: String) -> String {
    if let version = versions.first(where: { $0.name == versionName }) {
      return version.qualifiedName
    }
    let model = unreadable.first { $0.name == versionName }?.modelName ?? name
    return "\(model)/\(versionName)"
  }
}

extension ModelVersion {
  /// Returns the advice to join two models whose versions an app had one after the other.
  package static func joiningAdvice(_ first: ModelVersion, _ second: ModelVersion) -> String {
    "If the app went from one model to the other, join both in waystone.yml, all versions of both, the oldest "
      + "first: `order: [\(first.qualifiedName), \(second.qualifiedName)]`."
  }
}
