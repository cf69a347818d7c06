/// Which versions and mappings can go, and who would miss the others.
package struct PruneReport: Report {
  package static let verb = "prune"

  /// A version that can go.
  package struct Removable: Hashable, Sendable {
    let version: String
    let reason: String

    /// A version with the reason.
    package init(version: String, reason: String) {
      self.version = version
      self.reason = reason
    }
  }

  /// What would become of stores of a version.
  package struct Loss: Hashable, Sendable {
    let version: String
    let stores: [String]
    let text: String

    /// A loss in words, with the stores that were given and are of the version.
    package init(version: String, stores: [String], text: String) {
      self.version = version
      self.stores = stores
      self.text = text
    }

    var json: JSONValue {
      ["version": .string(version), "stores": JSONValue(stores), "effect": .string(text)]
    }

    func lines(indentation: Int) -> [StyledText] {
      let margin = String(repeating: " ", count: indentation)
      let said = TerminalText.wrapped("\(version): \(text)", columns: 96 - indentation)
      return said.map { StyledText(margin) + StyledText($0) }
        + stores.map { StyledText("\(margin)  \($0)", .faint) }
    }
  }

  /// A version that must stay although no store is of it.
  package struct Needed: Hashable, Sendable {
    let version: String
    let losses: [Loss]

    /// A version with what would be lost without it.
    package init(version: String, losses: [Loss]) {
      self.version = version
      self.losses = losses
    }
  }

  /// A model.
  package struct Model: Hashable, Sendable {
    let name: String
    let count: Int
    /// The versions that can go, all together.
    package var removable: [Removable] = []
    /// The versions that no store is of and that must stay.
    package var needed: [Needed] = []
    /// The files of mappings that no path takes.
    package var idleMappings: [String] = []
    /// The versions that are asked about.
    package var dropped: [String] = []
    /// What would be lost without them.
    package var losses: [Loss] = []

    /// A model with the number of its versions.
    package init(name: String, count: Int) {
      self.name = name
      self.count = count
    }
  }

  let models: [Model]
  let isTrial: Bool
  let unknownStores: [String]

  /// A report on some models.
  ///
  /// - Parameters:
  ///   - isTrial: Whether it is about versions that were named.
  ///   - unknownStores: The stores given that are of no version.
  package init(models: [Model], isTrial: Bool, unknownStores: [String]) {
    self.models = models
    self.isTrial = isTrial
    self.unknownStores = unknownStores
  }

  /// Whether nobody would lose anything by what is asked about.
  package var isHarmless: Bool { models.allSatisfy(\.losses.isEmpty) }

  package var members: [String: JSONValue] {
    [
      "harmless": .boolean(isHarmless),
      "unknownStores": JSONValue(unknownStores),
      "models": .array(
        models.map { model in
          [
            "model": .string(model.name),
            "removable": .array(
              model.removable.map {
                ["version": .string($0.version), "reason": .string($0.reason)]
              }
            ),
            "needed": .array(
              model.needed.map {
                ["version": .string($0.version), "losses": .array($0.losses.map(\.json))]
              }
            ),
            "idleMappings": JSONValue(model.idleMappings),
            "dropped": JSONValue(model.dropped),
            "losses": .array(model.losses.map(\.json)),
          ]
        }
      ),
    ]
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
      lines.append("\(model.name, .strong)  none of \(count) can go")
    } else {
      lines.append("\(model.name, .strong)  \(model.removable.count) of \(count) can go")
      lines += model.removable.map { "  \($0.version, .strong)  \($0.reason)" }
    }
    if !model.needed.isEmpty {
      lines += ["", "  Must stay, although no store is of them or another hashes alike"]
      for needed in model.needed {
        lines.append("    \(needed.version, .strong)  else stores of")
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
      return ["\(model.name, .strong)  without \(names): \("nobody would lose anything", .good)"]
    }
    return ["\(model.name, .strong)  without \(names):"]
      + model.losses.flatMap { $0.lines(indentation: 2) }
  }
}
