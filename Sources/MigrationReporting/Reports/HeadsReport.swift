import ObjectModel
package import Waystone

/// A report on the versions that claim to be the next.
package struct HeadsReport: Report, MemberEncodable {
  package static let verb = "heads"

  private let models: [VersionHeads]
  private let names: VersionNames

  /// A report on some models, with the names of their versions.
  package init(_ models: [VersionHeads], names: VersionNames) {
    self.models = models
    self.names = names
  }

  /// Whether that is settled for each model.
  package var isSettled: Bool { models.allSatisfy(\.isSettled) }

  package var members: JSONMembers {
    [
      "settled": isSettled,
      "models": models.map { model in
        [
          "model": model.model.name, "settled": model.isSettled, "known": !model.isUnknown,
          "newVersions": model.newVersions.map(names.name), "heads": model.heads.map(members),
          "overlaps": model.overlaps, "currentClaims": model.currentClaims,
        ] as JSONMembers
      },
    ]
  }

  private func members(_ head: VersionHeads.Head) -> JSONMembers {
    [
      "version": names.name(of: head.version), "base": names.name(of: head.base),
      "current": head.version.isCurrent, "changes": head.changes, "losses": head.losses,
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

  private func lines(of model: VersionHeads, _ isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    switch model.heads.count {
    case 0 where model.isUnknown:
      lines.append("\(model.model.name, .strong)  nothing says which versions are new")
      lines.append(
        StyledText(
          "  Lock those that users have, by name: `waystone lock VERSION`; or name them below `shipped:`.",
          .faint
        )
      )
    case 0 where model.newVersions.isEmpty:
      lines.append("\(model.model.name, .strong)  no version is new")
    case 0:
      let new = model.newVersions.map(names.name).joined(separator: ", ")
      let isOne = model.newVersions.count == 1
      lines.append(
        "\(model.model.name, .strong)  \(new) \(isOne ? "is" : "are") new, and no two claim to be the next"
      )
    case 1:
      let head = model.heads[0]
      let (version, base) = (names.name(of: head.version), names.name(of: head.base))
      lines.append("\(model.model.name, .strong)  \(version, .strong) is next after \(base)")
    default: lines += fork(model, isVerbose)
    }
    if !model.currentClaims.isEmpty {
      let claims = model.currentClaims.joined(separator: " and ")
      lines.append("  \(".xccurrentversion", .bad) names \(claims), as a merge left it.")
      lines.append(StyledText("  Keep one of the names, and remove the lines with marks.", .faint))
    }
    return lines
  }

  private func fork(_ model: VersionHeads, _ isVerbose: Bool) -> [StyledText] {
    let count = model.heads.count
    var lines: [StyledText] = [
      "\(model.model.name, .strong)  " + StyledText("\(count) versions claim to be the next", .bad)
    ]
    for head in model.heads {
      let current: StyledText = head.version.isCurrent ? "  \("current", .faint)" : ""
      let (version, base) = (names.name(of: head.version), names.name(of: head.base))
      lines += ["", "  \(version, .strong)  after \(base)" + current]
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
    let first = names.name(of: model.heads[0].version)
    let last = names.name(of: model.heads[count - 1].version)
    lines += [
      "",
      model.overlaps.isEmpty
        ? "  \("They touch different things", .good), so that one can be made again on top of the other."
        : "  \("Both touch", .caution) " + StyledText(model.overlaps.joined(separator: ", ")) + ".",
    ]
    return lines + advice(on: model, first, last)
  }

  /// Returns the advice on several heads; it contains an order to paste where that loses nothing.
  private func advice(on model: VersionHeads, _ first: String, _ last: String) -> [StyledText] {
    func faint(_ text: String) -> [StyledText] {
      TerminalText.wrapped(text, indentation: 2).map { StyledText("  " + $0, .faint) }
    }
    if model.model.parents != nil {
      let heads = model.heads.map { Self.quoted(names.name(of: $0.version)) }
        .joined(separator: ", ")
      return faint(
        "Make one version with the changes of all of them. Write below `order:` in waystone.yml that it "
          + "follows them: `NAME: [\(heads)]`."
      )
    }
    let rename =
      "Make \(last), which comes last, again on top of \(first): base it on that, and repeat there what it "
      + "changes."
    let losses = model.heads.flatMap { head in
      head.losses.map { "\(names.name(of: head.version)) would drop \($0)" }
    }
    guard losses.isEmpty else {
      let more = losses.count > 3 ? " and \(losses.count - 3) more" : ""
      return faint(
        "\(rename) One after the other as they are, \(losses.prefix(3).joined(separator: ", "))\(more)."
      )
    }
    let list = "[\(model.model.versions.map { Self.quoted($0.name) }.joined(separator: ", "))]"
    let order =
      models.count == 1 ? "order: \(list)" : "order: {\(Self.quoted(model.model.name)): \(list)}"
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

extension VersionHeads {
  /// Whether fewer than two versions claim to be the next, and the current version is not disputed.
  fileprivate var isSettled: Bool { heads.count < 2 && currentClaims.isEmpty }
}
