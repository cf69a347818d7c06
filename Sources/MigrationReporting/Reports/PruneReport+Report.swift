import Waystone

extension PruneReport: Report, MemberEncodable {
  package static let verb = "prune"

  package var members: JSONMembers {
    ["harmless": isHarmless, "unknownStores": unknownStores, "models": models]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for model in models where !isTrial || !model.dropped.isEmpty {
      if !lines.isEmpty { lines.append("") }
      lines += isTrial ? trial(model) : survey(model)
    }
    for store in unknownStores {
      lines += ["", "\(store, .strong)  \("is of no version", .caution)"]
    }
    return lines
  }

  private func survey(_ model: Model) -> [StyledText] {
    let count = Quantity.count(model.count, "version")
    var lines: [StyledText] = []
    if model.removable.isEmpty {
      let none = model.count > 1 ? "none of \(count)" : "no version"
      lines.append("\(model.name, .strong)  \(none) can go")
    } else {
      lines.append("\(model.name, .strong)  \(model.removable.count) of \(count) can go")
      lines += model.removable.map { "  \($0.version, .strong)  \($0.reason)" }
    }
    if !model.needed.isEmpty {
      lines += ["", "  Must stay, although users have no store of them"]
      for needed in model.needed {
        lines.append("    \(needed.version, .strong)  without it, stores of")
        lines += needed.losses.flatMap { $0.lines(indentation: 6) }
      }
    }
    if !model.idleMappings.isEmpty {
      lines += ["", "  Mappings that no path takes"]
      lines += model.idleMappings.map { "    \($0)" }
    }
    return lines
  }

  private func trial(_ model: Model) -> [StyledText] {
    let names = model.dropped.joined(separator: ", ")
    guard !model.losses.isEmpty else {
      return ["\(model.name, .strong)  without \(names): \("no store would lose its path", .good)"]
    }
    return ["\(model.name, .strong)  without \(names):"]
      + model.losses.flatMap { $0.lines(indentation: 2) }
  }
}

extension PruneReport.Loss {
  fileprivate func lines(indentation: Int) -> [StyledText] {
    let margin = String(repeating: " ", count: indentation)
    let said = TerminalText.wrapped("\(version): \(text)", indentation: indentation)
    return said.map { StyledText(margin) + StyledText($0) }
      + stores.map { StyledText("\(margin)  \($0)", .faint) }
  }
}
