private import Foundation
internal import ObjectModel
internal import Yams

extension Configuration {
  /// The order of versions that branched, with the line that gives it.
  package struct Branches: Hashable, Sendable {
    /// The names of the versions that each version follows.
    package var parents: [String: [String]] = [:]
    /// The line that names each version.
    package var lines: [String: Int] = [:]
    /// The line at which it begins.
    package var line: Int
  }

  /// Takes `order`: a list of versions, a regular expression with groups, a mapping of versions to those
  /// that they follow, or a list or mapping for each model by name.
  mutating func takeOrder(_ value: Node) throws(WaystoneError) {
    if case .scalar = value {
      let pattern = try entry(value, "order", "a list of versions, or a regular expression")
      guard (try? Regex(pattern.text)) != nil, pattern.text.contains("(") else {
        throw error(
          line: pattern.line,
          "`order` is no regular expression with a group.",
          recovery: "Put what orders the versions into a group: `order: 'Model ([0-9]+)'`; or list "
            + "the versions, oldest first: `order: [v1, v2]`."
        )
      }
      orderPattern = pattern
      return
    }
    guard case .mapping(let mapping) = value else {
      order[""] = try list(value, "order")
      return
    }
    if mapping.contains(where: { $0.value.mapping != nil || $0.value.sequence == nil }),
      !mapping.contains(where: { $0.value.mapping != nil })
    {
      branches[""] = try readBranches(mapping, value)
      return
    }
    for (key, value) in mapping {
      let name = try entry(key, "order", "a model's or version's name").text
      if case .mapping(let own) = value {
        branches[name] = try readBranches(own, value)
      } else {
        order[name] = try list(value, "order")
      }
    }
  }

  private func readBranches(
    _ mapping: Node.Mapping,
    _ node: Node
  ) throws(WaystoneError) -> Branches {
    var branches = Branches(line: node.mark?.line ?? 1)
    for (key, value) in mapping {
      let version = try entry(key, "order", "a version's name")
      branches.lines[version.text] = version.line
      if value.sequence != nil {
        branches.parents[version.text] = try list(value, "order").versions
      } else if value.null != nil {
        branches.parents[version.text] = []
      } else {
        let parent = try entry(
          value,
          "order",
          "the version, or a list of versions, that it follows"
        )
        branches.parents[version.text] = [parent.text]
      }
    }
    return branches
  }

  /// Returns the orders that are lists and those that branch, by the models' names.
  ///
  /// A mapping of names to lists is of models where any of the names is a model's, else of the
  /// versions of the only model.
  func orders(
    in archive: ModelArchive
  ) -> (lists: [String: Order], branches: [String: Branches]) {
    let names = Set(order.keys)
    guard !names.isEmpty, !names.contains(""), archive.models.count == 1,
      let model = archive.models.first, !names.contains(model.name),
      names.isSubset(of: Set(model.versions.map(\.name)))
    else { return (order, branches) }
    return (
      [:],
      [
        "": Branches(
          parents: order.mapValues(\.versions),
          lines: order.mapValues(\.line),
          line: order.values.map(\.line).min() ?? 1
        )
      ]
    )
  }

  /// Returns whether the file gives the order of a model's versions.
  func orders(_ model: VersionedModel, in archive: ModelArchive) -> Bool {
    if orderPattern != nil { return true }
    let orders = orders(in: archive)
    if !model.isJoined, archive.models.contains(where: \.isJoined) {
      return orders.lists[model.name] != nil || orders.branches[model.name] != nil
    }
    return ["", model.name].contains { orders.lists[$0] != nil || orders.branches[$0] != nil }
  }

  /// Returns the model with its versions in an order that branches.
  func arrange(
    _ model: VersionedModel,
    as written: Branches
  ) throws(WaystoneError) -> VersionedModel {
    let wanted = written.inOwnNames(of: model)
    let names = Set(model.versions.map(\.name) + model.unreadable.map(\.name))
    for (version, parents) in wanted.parents.sorted(by: { $0.key < $1.key }) {
      let line = wanted.lines[version] ?? wanted.line
      for name in [version] + parents where !names.contains(name) {
        throw error(
          line: line,
          "The order names \(name), which is no version.",
          recovery: "Correct the name, or remove it."
        )
      }
    }
    let named = Set(wanted.parents.keys).union(wanted.parents.values.joined())
    let missing = model.versions.map(\.name).filter { !named.contains($0) }
    if let first = missing.first {
      throw unplaced(missing, line: wanted.line, "say which version each follows (`\(first): …`)")
    }
    let (readable, parents) = model.bridged(wanted.parents)
    guard let ordered = readable.ordered(byParents: parents) else {
      throw error(
        line: wanted.line,
        "The order leads in a circle: some versions follow from themselves.",
        recovery: "Let each version follow older ones only."
      )
    }
    return ordered
  }
}

extension Configuration.Branches {
  /// Returns the same branches with the versions' own names in place of qualified ones.
  fileprivate func inOwnNames(of model: VersionedModel) -> Self {
    func own(_ name: String) -> String { model.versionName(of: name) ?? name }
    var branches = self
    branches.parents = Dictionary(
      parents.map { (own($0.key), $0.value.map(own)) },
      uniquingKeysWith: { first, _ in first }
    )
    branches.lines = Dictionary(
      lines.map { (own($0.key), $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    return branches
  }
}
