internal import MigrationPlanning
internal import ObjectModel
internal import Yams

/// A word of a closed list, as the file writes it.
protocol ConfigurationWord: RawRepresentable where RawValue == String {
  /// The words in the order in which an error lists them.
  static var words: [Self] { get }
}

extension AppRuntime: ConfigurationWord {
  static var words: [Self] { allCases }
}

extension ConfigurationUse: ConfigurationWord {
  /// The words; there is none for an unknown use.
  static var words: [Self] { [.none, .used] }
}

extension Reliance: ConfigurationWord {
  static var words: [Self] { allCases }
}

extension Finding.Severity: ConfigurationWord {
  static var words: [Self] { allCases }
}

extension PlanningOptions.AcceptedLoss: ConfigurationWord {
  /// The words; a loss that no version declares is accepted edge by edge, never for a whole project.
  static var words: [Self] { [.none, .declared] }
}

extension Configuration.Policy {
  /// Reads the policy of a part of the file.
  init(_ node: Node, in configuration: Configuration) throws(WaystoneError) {
    guard case .mapping(let mapping) = node else {
      throw configuration.expected("keys and values", "policy", node)
    }
    for (key, value) in mapping {
      switch key.scalar?.string {
      case "maximum": maximum = try configuration.word(value, "maximum")
      case "loss": loss = try configuration.word(value, "loss")
      case "coverage":
        let text = try configuration.entry(value, "coverage", "a number from 0 to 100")
        guard let percent = Int(text.text), (0...100).contains(percent) else {
          throw configuration.expected("a number from 0 to 100", "coverage", value)
        }
        coverage = percent
      case let name:
        throw configuration.error(
          line: key.mark?.line,
          "A policy has no key \(name.map { "`\($0)`" } ?? "of that kind").",
          recovery: "Its keys are maximum, loss and coverage."
        )
      }
    }
  }
}

extension Configuration.Acceptance {
  /// Reads the acceptance of an entry of the file.
  init(_ node: Node, in configuration: Configuration) throws(WaystoneError) {
    guard case .mapping(let mapping) = node else {
      throw configuration.expected(
        "a list of findings, each with a code and a reason",
        "accept",
        node
      )
    }
    let line = node.mark?.line ?? 1
    var code: FindingCode?
    var texts: [String: String] = [:]
    for (key, value) in mapping {
      switch key.scalar?.string {
      case "code":
        guard let found = FindingCode(rawValue: value.scalar?.string ?? "") else {
          throw configuration.error(
            line: value.mark?.line,
            "There is no finding \(value.scalar?.string ?? "of that kind").",
            recovery: "Name a code that `waystone rules` shows."
          )
        }
        code = found
      case let name? where ["place", "version", "change", "reason"].contains(name):
        texts[name] = try configuration.entry(value, name, "a text").text
      case let name:
        throw configuration.error(
          line: key.mark?.line,
          "An accepted finding has no key \(name.map { "`\($0)`" } ?? "of that kind").",
          recovery: "Its keys are code, place, version, change and reason."
        )
      }
    }
    func missing(_ what: String, _ recovery: String) -> WaystoneError {
      configuration.error(
        line: line,
        "An accepted finding must have \(what).",
        recovery: recovery
      )
    }
    guard let code else { throw missing("a code", "Add for example `code: WS302`.") }
    guard texts["place"] != nil || texts["version"] != nil else {
      throw missing(
        "a place or a version",
        "Say what it is about: `place: Entity.property`, `version: v3`."
      )
    }
    // Dots are the reason in an example.
    guard let reason = texts["reason"], reason.contains(where: { $0.isLetter || $0.isNumber })
    else {
      throw missing(
        "a reason",
        texts["reason"] == nil
          ? "Say why it may pass, for example `reason: Drafts live in files now.`"
          : "Write in words why it may pass, in the place of what `reason:` has."
      )
    }
    self.init(
      code: code,
      place: texts["place"],
      version: texts["version"],
      change: texts["change"],
      reason: reason,
      line: line
    )
  }
}
