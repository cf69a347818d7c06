package import ObjectModel

/// A report on the versions that claim to be the next.
package struct HeadsReport: Report {
  package static let verb = "heads"

  /// A version that claims to be next.
  package struct Head: Sendable {
    let version: String
    let base: String
    let isCurrent: Bool
    let changes: [ModelChange]
    let losses: [String]

    /// Makes a head: a version with its changes to the one that it is based on.
    ///
    /// - Parameter losses: The places of the head before that this one does not have.
    package init(
      version: String,
      base: String,
      isCurrent: Bool,
      changes: [ModelChange],
      losses: [String]
    ) {
      self.version = version
      self.base = base
      self.isCurrent = isCurrent
      self.changes = changes
      self.losses = losses
    }
  }

  /// A model with its heads.
  package struct Model: Sendable {
    let name: String
    let heads: [Head]
    let overlaps: [String]
    let isUnknown: Bool
    let claims: [String]
    let order: [String]
    let isBranched: Bool
    let newVersions: [String]

    /// A model.
    ///
    /// - Parameters:
    ///   - overlaps: The places that several heads change.
    ///   - isUnknown: Whether it is not known which versions are new.
    ///   - claims: The versions that both sides of a merge name as current.
    ///   - order: The names of all versions.
    ///   - isBranched: Whether `order:` declares branches.
    ///   - newVersions: The names of the versions that are not locked.
    package init(
      name: String,
      heads: [Head],
      overlaps: [String],
      isUnknown: Bool,
      claims: [String],
      order: [String],
      isBranched: Bool,
      newVersions: [String]
    ) {
      self.name = name
      self.heads = heads
      self.overlaps = overlaps
      self.isUnknown = isUnknown
      self.claims = claims
      self.order = order
      self.isBranched = isBranched
      self.newVersions = newVersions
    }

    /// Whether fewer than two versions claim to be the next, and the current version is not disputed.
    var isSettled: Bool { heads.count < 2 && claims.isEmpty }
  }

  let models: [Model]

  /// A report on some models.
  package init(models: [Model]) { self.models = models }

  /// Whether that is settled for each model.
  package var isSettled: Bool { models.allSatisfy(\.isSettled) }

  package var members: [String: JSONValue] {
    [
      "settled": .boolean(isSettled),
      "models": .array(
        models.map { model in
          [
            "model": .string(model.name),
            "settled": .boolean(model.isSettled),
            "known": .boolean(!model.isUnknown),
            "newVersions": JSONValue(model.newVersions),
            "heads": .array(
              model.heads.map { head in
                [
                  "version": .string(head.version),
                  "base": .string(head.base),
                  "current": .boolean(head.isCurrent),
                  "changes": .array(head.changes.map(\.json)),
                  "losses": JSONValue(head.losses),
                ]
              }
            ),
            "overlaps": JSONValue(model.overlaps),
            "currentClaims": JSONValue(model.claims),
          ]
        }
      ),
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for model in models {
      if !lines.isEmpty, !model.isSettled || lines.count > 1 { lines.append("") }
      lines += self.lines(of: model, isVerbose)
    }
    return lines
  }

  private func lines(of model: Model, _ isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    switch model.heads.count {
    case 0 where model.isUnknown:
      lines.append("\(model.name, .strong)  nothing says which versions are new")
      lines.append(
        StyledText(
          "  Lock those that users have, by name: `waystone lock VERSION`; or name them below `shipped:`.",
          .faint
        )
      )
    case 0 where model.newVersions.isEmpty:
      lines.append("\(model.name, .strong)  no version is new")
    case 0:
      let names = model.newVersions.joined(separator: ", ")
      let isOne = model.newVersions.count == 1
      lines.append(
        "\(model.name, .strong)  \(names) \(isOne ? "is" : "are") new, and no two claim to be the next"
      )
    case 1:
      let head = model.heads[0]
      lines.append("\(model.name, .strong)  \(head.version, .strong) is next after \(head.base)")
    default: lines += fork(model, isVerbose)
    }
    if !model.claims.isEmpty {
      let names = model.claims.joined(separator: " and ")
      lines.append("  \(".xccurrentversion", .bad) names \(names), as a merge left it.")
      lines.append(StyledText("  Keep one of the names, and remove the lines with marks.", .faint))
    }
    return lines
  }

  private func fork(_ model: Model, _ isVerbose: Bool) -> [StyledText] {
    let count = model.heads.count
    var lines: [StyledText] = [
      "\(model.name, .strong)  " + StyledText("\(count) versions claim to be the next", .bad)
    ]
    for head in model.heads {
      let current: StyledText = head.isCurrent ? "  \("current", .faint)" : ""
      lines += ["", "  \(head.version, .strong)  after \(head.base)" + current]
      let shown = isVerbose ? head.changes[...] : head.changes.prefix(12)
      for change in shown {
        let entity = change.entityName.map { "\($0): " } ?? ""
        lines.append("    \(change.action.word, change.action.style)  \(entity)\(change.sentence)")
      }
      if shown.count < head.changes.count {
        let more = "and \(head.changes.count - shown.count) more; --verbose shows them."
        lines.append(StyledText("    \(more)", .faint))
      }
    }
    let first = model.heads[0].version
    let last = model.heads[count - 1].version
    lines += [
      "",
      model.overlaps.isEmpty
        ? "  \("They touch different things", .good), so that one can be made again on top of the other."
        : "  \("Both touch", .caution) " + StyledText(model.overlaps.joined(separator: ", ")) + ".",
    ]
    return lines + advice(on: model, first, last)
  }

  /// Returns the advice on several heads; it contains an order to paste where that loses nothing.
  private func advice(on model: Model, _ first: String, _ last: String) -> [StyledText] {
    func faint(_ text: String) -> [StyledText] {
      TerminalText.wrapped(text, indentation: 2).map { StyledText("  " + $0, .faint) }
    }
    if model.isBranched {
      let names = model.heads.map { Self.quoted($0.version) }.joined(separator: ", ")
      return faint(
        "Make one version with the changes of all of them. Write below `order:` in waystone.yml that it "
          + "follows them: `NAME: [\(names)]`."
      )
    }
    let rename =
      "Make \(last), which comes last, again on top of \(first): base it on that, and repeat there what it "
      + "changes."
    let losses = model.heads.flatMap { head in
      head.losses.map { "\(head.version) would drop \($0)" }
    }
    guard losses.isEmpty else {
      let more = losses.count > 3 ? " and \(losses.count - 3) more" : ""
      return faint(
        "\(rename) One after the other as they are, \(losses.prefix(3).joined(separator: ", "))\(more)."
      )
    }
    let list = "[\(model.order.map(Self.quoted).joined(separator: ", "))]"
    let order =
      models.count == 1 ? "order: \(list)" : "order: {\(Self.quoted(model.name)): \(list)}"
    return faint(
      "\(rename) Or change neither, and set their order in waystone.yml:"
    ) + [StyledText("    \(order)", .faint)]
  }

  /// Returns a name as YAML reads it.
  private static func quoted(_ name: String) -> String {
    name.contains(where: { " ,:#[]{}'\"&*!|>%@`".contains($0) })
      ? "'\(name.replacing("'", with: "''"))'" : name
  }
}
