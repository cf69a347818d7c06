package import ObjectModel

/// Which versions claim to be the next.
package struct HeadsReport: Report {
  package static let verb = "heads"

  /// A version that claims to be next.
  package struct Head: Sendable {
    let version: String
    let base: String
    let isCurrent: Bool
    let changes: [ModelChange]

    /// A version with what it changes in the one that it is based on.
    package init(version: String, base: String, isCurrent: Bool, changes: [ModelChange]) {
      self.version = version
      self.base = base
      self.isCurrent = isCurrent
      self.changes = changes
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

    /// A model.
    ///
    /// - Parameters:
    ///   - overlaps: The places that several heads change.
    ///   - isUnknown: Whether nothing says which versions are new.
    ///   - claims: The versions that both sides of a merge name as current.
    ///   - order: The names of all versions.
    package init(
      name: String,
      heads: [Head],
      overlaps: [String],
      isUnknown: Bool,
      claims: [String],
      order: [String]
    ) {
      self.name = name
      self.heads = heads
      self.overlaps = overlaps
      self.isUnknown = isUnknown
      self.claims = claims
      self.order = order
    }

    /// Whether no two versions claim the same place.
    var isSettled: Bool { heads.count < 2 && claims.isEmpty }
  }

  let models: [Model]

  /// A report on some models.
  package init(models: [Model]) { self.models = models }

  /// Whether no two versions of any model claim the same place.
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
            "heads": .array(
              model.heads.map { head in
                [
                  "version": .string(head.version),
                  "base": .string(head.base),
                  "current": .boolean(head.isCurrent),
                  "changes": .array(head.changes.map(\.json)),
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
          "  Run `waystone lock`, or name those that were shipped in waystone.yml.",
          .faint
        )
      )
    case 0: lines.append("\(model.name, .strong)  no version is new")
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
    let order = model.order.map {
      $0.contains(where: { " ,:#[]{}'\"".contains($0) }) ? "'\($0)'" : $0
    }
    let advice =
      "Rename one so that it comes last, say \(last), base it on \(first), and repeat there what it "
      + "changes; or keep both as they are, and say which comes first: "
      + "`order: [\(order.suffix(4).joined(separator: ", "))]` in waystone.yml"
      + (order.count > 4 ? ", with all versions before." : ".")
    return lines
      + TerminalText.wrapped(advice, indentation: 2).map { StyledText("  " + $0, .faint) }
  }
}
