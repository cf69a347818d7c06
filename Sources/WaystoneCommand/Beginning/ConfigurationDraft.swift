internal import MigrationReporting
internal import ObjectModel
internal import Waystone

/// A `waystone.yml` to begin with, which says what was found and how to say more.
struct ConfigurationDraft {
  let survey: ProjectSurvey

  /// The text of the file.
  var text: String {
    let lines =
      head + mappings + order + current + shipped + runtime + samples + Self.policy
    return lines.map { $0 + "\n" }.joined()
  }

  private var head: [String] {
    [
      "# What Waystone has to know of this project. `waystone check` reads it, and CI runs that.",
      "# Paths are meant from this file's folder.",
      "", "models: \(Self.scalar(survey.modelsPath))",
    ] + survey.models.map { "# \($0.name): \(Quantity.count($0.versions.count, "version"))" }
  }

  private var mappings: [String] {
    guard !survey.mappings.isEmpty else { return [] }
    return [
      "", "# Mapping models, hop files and stages; not all lie with the models.", "mappings:",
    ]
      + survey.mappings.map { "  - \(Self.scalar($0))" }
  }

  private var order: [String] {
    let doubtful = survey.models.filter { model in
      model.orderFindings.contains { $0.severity > .note }
    }
    guard !doubtful.isEmpty else {
      return [
        "",
        "# The versions stand in the natural order of their names (2 < 10). Where that is wrong:",
        "# order: [\(example.joined(separator: ", "))]",
      ]
    }
    let why = [
      "", "# The names do not say for certain in which order the versions were made: check this.",
    ]
    if survey.models.count == 1 { return why + ["order:"] + list(doubtful[0], indentation: 2) }
    return why + ["order:"]
      + doubtful.flatMap { ["  \(Self.scalar($0.name)):"] + list($0, indentation: 4) }
  }

  private func list(_ model: VersionedModel, indentation: Int) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    return model.versions.map { "\(margin)- \(Self.scalar($0.name))" }
  }

  private var current: [String] {
    let doubtful = survey.models.filter { $0.versions.count > 1 && !survey.isCurrentKnown($0) }
    guard let model = doubtful.first, survey.models.count == 1, let last = model.versions.last
    else { return [] }
    return [
      "", "# Nothing says which version is current; this is the last one.",
      "current: \(Self.scalar(last.name))",
    ]
  }

  private var shipped: [String] {
    [
      "",
      "# The versions that users have. Without this `waystone lock` locks all, and from then on",
      "# those that are locked count as shipped.",
      "# shipped: [\(example.joined(separator: ", "))]",
    ]
  }

  private var runtime: [String] {
    let why =
      survey.hasStages
      ? "There are stages of an NSStagedMigrationManager."
      : "direct: from the store's version straight to the current one, as Core Data does by itself."
    return [
      "",
      "# How the app itself opens older stores: direct, progressive (version by version) or staged.",
      "# \(why)",
      "runtime: \(survey.hasStages ? "staged" : "direct")",
    ]
  }

  private var samples: [String] {
    var lines = [
      "", "# Stores that Core Data itself made settle names that a model leaves open.",
    ]
    lines += ["# samples:"]
    let found = survey.samples.map {
      "#   \(Self.scalar($0.version)): \(Self.scalar($0.path))"
    }
    return lines + (found.isEmpty ? ["#   \(example.last ?? "v1"): Samples/Store.sqlite"] : found)
  }

  /// The names of some versions, for examples.
  private var example: [String] {
    let model = survey.models.max { $0.versions.count < $1.versions.count }
    let names = model?.versions.prefix(4).map { Self.scalar($0.name) } ?? []
    return names.count < (model?.versions.count ?? 0) ? names + ["..."] : names
  }

  private static let policy = [
    "", "policy:",
    "  # The least severity that makes `check` and `coverage` fail: error, warning or note.",
    "  maximum: error",
    "  # What a path may lose: none, or what the versions themselves declare.",
    "  loss: declared",
    "  # How many of a hundred shipped versions must arrive at the current one.",
    "  coverage: 100",
    "",
    "# Findings that may pass. Each needs a reason, and one that is not found is a finding itself.",
    "# accept:",
    "#   - code: WS302",
    "#     place: Entity.property",
    "#     version: v3",
    "#     reason: Nobody filled it in.",
  ]

  /// A text as YAML has it, in quotes where it could be taken for something else.
  static func scalar(_ text: String) -> String {
    let isPlain =
      !text.isEmpty && text.first != "-" && text.last != " " && text.first != " "
      && !["null", "true", "false", "yes", "no", "on", "off", "~"].contains(text.lowercased())
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: " _./+-()".utf8.contains(byte)
        }
      }
    if isPlain { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}", "\u{feff}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
