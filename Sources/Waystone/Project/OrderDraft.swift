internal import ModelImport
package import ObjectModel

/// An order of a model's versions to propose where their names leave it open.
///
/// The commits that added the versions prove which is older, and so do numbers in alike names. Where neither
/// shows it, or one contradicts the other, no order is proposed: a wrong one loses data.
package struct OrderDraft: Sendable {
  /// The names of the versions, oldest first; nil where nothing shows their order.
  package let versions: [String]?
  /// A clause on the evidence, or on the lack of it.
  package let grounds: String

  /// Drafts an order.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the model's folder.
  ///   - environment: Its `PATH` leads to git.
  package init(of model: VersionedModel, at path: String, environment: [String: String]) {
    self.init(
      of: model.versions.map(\.name),
      current: model.versions.first(where: \.isCurrent)?.name,
      inCommits: Self.commits(addingVersionsAt: path, environment)
    )
  }

  /// Drafts an order of versions.
  ///
  /// - Parameters:
  ///   - current: The name of the current version, where it is known.
  ///   - commits: The sets of versions that the commits up to one have or had.
  package init(of names: [String], current: String?, inCommits commits: Set<Set<String>>) {
    let evidence = OrderEvidence(names, current: current, inCommits: commits)
    if let pair = evidence.contradiction {
      versions = nil
      grounds =
        "No order is drafted: commits added \(pair.older) before \(pair.newer), and their names have them "
        + "the other way round"
      return
    }
    switch evidence.order {
    case .success(let order):
      versions = order.map { names[$0] }
      var reasons: [String] = []
      if evidence.counts(order, as: .commits) { reasons.append("the commits that added them") }
      if evidence.counts(order, as: .numbers) { reasons.append("the numbers in their names") }
      let proof = reasons.isEmpty ? nil : "by \(reasons.joined(separator: " and "))"
      let isGuess = evidence.counts(order, as: .current)
      let guess = isGuess ? "if the versions named like the current one are the newest" : nil
      let clause = [proof, guess].compactMap(\.self).joined(separator: ", and ")
      grounds = clause.prefix(1).uppercased() + clause.dropFirst()
    case .failure(let gap):
      versions = nil
      grounds =
        "No order is drafted: neither the commits that added them nor numbers in their names show whether "
        + "\(names[gap.first]) or \(names[gap.second]) is older"
    }
  }

  /// Returns the sets of versions that the commits up to each have or had, wherever the model's folder was;
  /// nothing where git has no such history.
  private static func commits(
    addingVersionsAt path: String,
    _ environment: [String: String]
  ) -> Set<Set<String>> {
    let folder = path.split(separator: "/").last.map(String.init) ?? ""
    guard folder.hasSuffix(".xcdatamodeld"), !folder.contains(where: { "*?[]\\".contains($0) }),
      let git = try? GitRepository(around: path, environment: environment)
    else { return [] }
    return (try? git.folders(endingIn: ".xcdatamodel", below: folder)) ?? []
  }

  /// The advice where no order was drafted.
  static let generalAdvice = "\(request); `waystone check` drafts it."

  private static let request = "Write the order in waystone.yml, the oldest version first"

  /// Returns the advice to write the order into `waystone.yml`, with its evidence.
  ///
  /// - Parameters:
  ///   - modelName: The model's name, where the file has to name it.
  ///   - current: Returns the name of a version by which the file names it as current; nil where the current
  ///     version is known.
  func advice(modelName: String?, current: ((String) -> String)?) -> String {
    let request = current == nil ? Self.request : "\(Self.request), and which is current"
    guard let versions else { return "\(request). \(grounds)." }
    let list = "[\(versions.map(\.yamlScalar).joined(separator: ", "))]"
    let entry = modelName.map { "{\($0.yamlScalar): \(list)}" } ?? list
    let order = "\(request). \(grounds), it is: `order: \(entry)`"
    guard let current, let newest = versions.last else { return "\(order)." }
    return "\(order). If the newest is current: `current: \(current(newest).yamlScalar)`."
  }
}

extension ModelArchive {
  /// Adds the findings on the order of each model's versions, and keeps a doubt with its model.
  ///
  /// - Parameters:
  ///   - isOrdered: Whether the project gives the order of a model's versions.
  ///   - knowsCurrent: Whether the project names the current version of a model.
  package mutating func reviewOrder(
    isOrdered: (VersionedModel) -> Bool = { _ in false },
    knowsCurrent: (VersionedModel) -> Bool = { _ in false }
  ) {
    let names = VersionNames(self)
    let ofSeveral = models.count > 1 ? " (of several models a list, `current: [A1, B1]`)" : ""
    for index in models.indices {
      let model = models[index]
      let isOrdered = isOrdered(model)
      if let guess = currentGuess(of: model) {
        reviewCurrent(of: index, guess, names, isOrdered: isOrdered)
        continue
      }
      if isOrdered { continue }
      let early = model.earlyCurrent
      for var finding in model.orderFindings where finding != early || !knowsCurrent(model) {
        if finding.severity == .error {
          finding.remedy = OrderDraft.generalAdvice
        } else if finding == early, let last = model.versions.last {
          let current = model.current.map { names.name(of: $0) } ?? ""
          finding.remedy =
            "Write in waystone.yml which is current: `current: \(names.name(of: last).yamlScalar)` if they are "
            + "newer, `current: \(current.yamlScalar)` if they are not released\(ofSeveral). If they are older, write "
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

  /// Returns the index of the finding that a model with several versions has no current one.
  private func currentGuess(of model: VersionedModel) -> Int? {
    guard model.versions.count > 1, !model.versions.contains(where: \.isCurrent) else { return nil }
    return findings.firstIndex { finding in
      finding.code == .currentVersionUnknown && finding.place.file.map(model.paths.contains) == true
    }
  }

  /// Completes the finding that a model has no current version, and keeps it as the model's doubt: an error
  /// where the alphabet alone would choose the version.
  private mutating func reviewCurrent(
    of index: Int,
    _ guess: Int,
    _ names: VersionNames,
    isOrdered: Bool
  ) {
    let model = models[index]
    let doubts = isOrdered ? [] : model.orderFindings
    if doubts.contains(where: { $0.severity > .note }) {
      findings[guess].severity = .error
      findings[guess].statement += " The names do not show which is the newest."
      findings[guess].remedy = OrderDraft.generalAdvice
    } else if let last = model.versions.last {
      let name = names.name(of: last)
      findings[guess].statement += " Waystone takes \(name), the last in their order."
      findings[guess].remedy =
        "Set it in Xcode's File inspector under Model Version. Or write `current: \(name.yamlScalar)` in "
        + "waystone.yml, if \(name) is current."
    }
    models[index].questions.orderDoubt = findings[guess]
    findings += doubts.filter { $0.severity == .note }
  }

  /// Adds a draft of the order to each finding on a model whose order is unknown.
  ///
  /// - Parameters:
  ///   - others: Whether models are drafted too whose names leave the order open beside a current version.
  ///   - environment: Its `PATH` leads to git.
  ///   - resolved: The absolute path that a model's path means.
  /// - Returns: The drafts, by the names of the models.
  /// - Complexity: Git reads all commits, for each such model.
  @discardableResult
  package mutating func draftOrders(
    ofOthers others: Bool = false,
    environment: [String: String],
    resolved: (String) -> String = { $0 }
  ) -> [String: OrderDraft] {
    var drafts: [String: OrderDraft] = [:]
    let names = VersionNames(self)
    for model in models
    where model.hasUnknownOrder
      || others && model.orderFindings.contains(where: { $0.severity > .note })
    {
      let path = resolved(model.path)
      let draft = OrderDraft(of: model, at: path, environment: environment)
      drafts[model.name] = draft
      guard model.hasUnknownOrder else { continue }
      func current(_ name: String) -> String {
        model.versions.first { $0.name == name }.map(names.name) ?? name
      }
      let advice = draft.advice(
        modelName: models.count > 1 ? model.name : nil,
        current: model.orderDoubt?.code == .currentVersionUnknown ? current : nil
      )
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
