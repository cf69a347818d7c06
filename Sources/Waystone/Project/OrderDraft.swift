internal import ModelImport
package import ObjectModel

/// An order of a model's versions to propose where their names contradict it.
package struct OrderDraft: Sendable {
  /// The names of the versions, oldest first.
  package let versions: [String]
  /// Whether the commits that added the versions give the order.
  let isDated: Bool

  /// Drafts an order by the commits that added the versions; without such commits, it puts the versions after
  /// the current one before all others.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the model's folder.
  ///   - environment: Its `PATH` leads to git.
  package init(of model: VersionedModel, at path: String, environment: [String: String]) {
    let names = model.versions.map(\.name)
    let place = model.versions.firstIndex(where: \.isCurrent) ?? names.count - 1
    let guess = Array(names.dropFirst(place + 1) + names.prefix(place + 1))
    let commits = Self.commits(addingVersionsAt: path, environment)
    isDated = Set(names.compactMap { commits[$0] }).count > 1
    // A version that is in no commit is the newest.
    versions =
      isDated
      ? guess.enumerated().sorted {
        (commits[$0.element] ?? .max, $0.offset) < (commits[$1.element] ?? .max, $1.offset)
      }.map(\.element) : guess
  }

  /// Returns the place among all commits of the first that added each version, wherever the model's folder
  /// was then; nothing where git has no such history.
  private static func commits(
    addingVersionsAt path: String,
    _ environment: [String: String]
  ) -> [String: Int] {
    let folder = path.split(separator: "/").last.map(String.init) ?? ""
    guard folder.hasSuffix(".xcdatamodeld"), !folder.contains(where: { "*?[]\\".contains($0) }),
      let git = try? GitRepository(around: path, environment: environment)
    else { return [:] }
    return (try? git.places(ofFirstCommitsAdding: ".xcdatamodel", below: folder)) ?? [:]
  }

  /// The advice where no order was drafted.
  static let generalAdvice = "\(request); `waystone check` drafts it."

  private static let request = "Write the order in waystone.yml, the oldest version first"

  /// Returns the advice to write the order into `waystone.yml`, with its evidence.
  ///
  /// - Parameter modelName: The model's name, where the file has to name it.
  func advice(modelName: String?) -> String {
    let list = "[\(versions.map(\.yamlScalar).joined(separator: ", "))]"
    let entry = modelName.map { "{\($0.yamlScalar): \(list)}" } ?? list
    return Self.request + ". "
      + (isDated
        ? "By the commits that added them it is" : "If the current version is the newest, it is")
      + ": `order: \(entry)`."
  }
}

extension ModelArchive {
  /// Adds the findings on the order of each model's versions, and keeps a doubt with its model.
  ///
  /// - Parameters:
  ///   - isOrdered: Whether the project gives the order of a model's versions.
  ///   - knowsCurrent: Whether the project names the current version.
  package mutating func reviewOrder(
    isOrdered: (VersionedModel) -> Bool = { _ in false },
    knowsCurrent: Bool = false
  ) {
    let names = VersionNames(self)
    for index in models.indices where !isOrdered(models[index]) {
      let model = models[index]
      let early = model.earlyCurrent
      for var finding in model.orderFindings where !knowsCurrent || finding != early {
        if finding.severity == .error {
          finding.remedy = OrderDraft.generalAdvice
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
  /// Adds a draft of the order to each finding on a model whose order is unknown.
  ///
  /// - Parameters:
  ///   - environment: Its `PATH` leads to git.
  ///   - resolved: The absolute path that a model's path means.
  /// - Returns: The drafts, by the names of the models.
  /// - Complexity: Git reads all commits, for each such model.
  @discardableResult
  package mutating func draftOrders(
    environment: [String: String],
    resolved: (String) -> String = { $0 }
  ) -> [String: OrderDraft] {
    var drafts: [String: OrderDraft] = [:]
    for model in models where model.hasUnknownOrder {
      let path = resolved(model.path)
      let draft = OrderDraft(of: model, at: path, environment: environment)
      drafts[model.name] = draft
      let advice = draft.advice(modelName: models.count > 1 ? model.name : nil)
      for index in findings.indices where findings[index] == model.orderDoubt {
        findings[index].remedy = advice
      }
      for index in models.indices where models[index].name == model.name {
        models[index].questions.orderDoubt?.remedy = advice
      }
    }
    return drafts
  }
}
