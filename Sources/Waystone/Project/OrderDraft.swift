internal import ModelImport
package import ObjectModel

/// An order of a model's versions to propose where their names contradict it.
package struct OrderDraft: Sendable {
  /// The names of the versions, oldest first.
  package let versions: [String]
  /// Whether the commits that added the versions give the order.
  let isDated: Bool

  /// Drafts an order by the commits that added the versions; without such commits, it puts the versions that
  /// stand after the current one before all others.
  ///
  /// - Parameter path: The absolute path of the model's folder.
  package init(of model: VersionedModel, at path: String) {
    let names = model.versions.map(\.name)
    let place = model.versions.firstIndex(where: \.isCurrent) ?? names.count - 1
    let guess = Array(names.dropFirst(place + 1) + names.prefix(place + 1))
    let commits = Self.commits(addingVersionsAt: path)
    isDated = Set(names.compactMap { commits[$0] }).count > 1
    // What no commit has is the newest.
    versions =
      isDated
      ? guess.enumerated().sorted {
        (commits[$0.element] ?? .max, $0.offset) < (commits[$1.element] ?? .max, $1.offset)
      }.map(\.element) : guess
  }

  /// Returns the place among all commits of the first that added each version, wherever the model's folder
  /// was then; nothing where git has no such history.
  private static func commits(addingVersionsAt path: String) -> [String: Int] {
    let folder = path.split(separator: "/").last.map(String.init) ?? ""
    guard folder.hasSuffix(".xcdatamodeld"), !folder.contains(where: { "*?[]\\".contains($0) }),
      let git = try? GitRepository(around: path)
    else { return [:] }
    return (try? git.places(ofFirstCommitsAdding: ".xcdatamodel", below: folder)) ?? [:]
  }

  /// What to write into `waystone.yml`, with what it is drawn from.
  ///
  /// - Parameter modelName: The model's name, where the file has to name it.
  func advice(modelName: String?) -> String {
    let list = "[\(versions.map(\.yamlScalar).joined(separator: ", "))]"
    let entry = modelName.map { "{\($0.yamlScalar): \(list)}" } ?? list
    return "Write the order in waystone.yml, the oldest version first. "
      + (isDated
        ? "By the dates of git history it is" : "If the current version is the newest, it is")
      + ": `order: \(entry)`."
  }
}

extension ModelArchive {
  /// Adds the findings on the order of each model's versions, and keeps a doubt with its model.
  ///
  /// - Parameters:
  ///   - isOrdered: Whether the project gives the order of a model's versions.
  ///   - knowsCurrent: Whether the project names the current version.
  ///   - resolved: The absolute path that a model's path means.
  package mutating func reviewOrder(
    isOrdered: (VersionedModel) -> Bool = { _ in false },
    knowsCurrent: Bool = false,
    resolved: (String) -> String = { $0 }
  ) {
    let names = VersionNames(self)
    for index in models.indices where !isOrdered(models[index]) {
      let model = models[index]
      let early = model.earlyCurrent
      for var finding in model.orderFindings where !knowsCurrent || finding != early {
        if finding.severity == .error {
          finding.remedy = OrderDraft(of: model, at: resolved(model.path))
            .advice(modelName: models.count > 1 ? model.name : nil)
        } else if finding == early, let last = model.versions.last {
          let current = model.current.map { names.name(of: $0) } ?? ""
          finding.remedy =
            "Write in waystone.yml which is current: `current: \(names.name(of: last).yamlScalar)` if they are "
            + "newer, `current: \(current.yamlScalar)` if they are not released. If they are older, write "
            + "`order:` there, the oldest version first."
        } else {
          findings.append(finding)
          continue
        }
        models[index].questions.orderDoubt = finding
        findings.append(finding)
      }
    }
  }
}
