internal import MigrationReporting
internal import ModelImport
internal import Waystone

/// A first `waystone.yml`, with comments on what was found and on further keys.
struct ConfigurationDraft {
  let survey: ProjectSurvey
  /// The address of this release's documentation, which has the file's schema.
  let site: String?

  /// The text of the file.
  var text: String {
    let schema = DocumentationSite.schemaComment(in: site).map { [$0] } ?? []
    let lines =
      schema + head + mappings + order + current + shipped + runtime + samples + Self.policy
    return lines.map { $0.onOneLine + "\n" }.joined()
  }

  private var head: [String] {
    var lines = [
      "# What Waystone has to know of this project. `waystone check` reads it, and CI runs that.",
      "# Paths are meant from this file's folder. What is only guessed is a comment, or called so.",
      "",
    ]
    if survey.isOfTags {
      lines += Self.comment(
        "The sources declare one version, and git has the releases: their tags, and the files as they are. "
          + "Leave out what was not released:"
      )
    }
    lines += ["models: \(list(of: survey.modelsPath))"]
    lines += target
    if !survey.emptyTags.isEmpty {
      lines += Self.comment("Tags without models: \(survey.emptyTags.joined(separator: ", ")).")
    }
    if survey.isOfTags, !survey.olderTags.isEmpty {
      lines += Self.comment(
        "Older tags, to add where users still have their stores: "
          + survey.olderTags.joined(separator: ", ") + "."
      )
    }
    if survey.isOfTags, !survey.otherTags.isEmpty {
      lines += Self.comment(
        "Tags of other branches, to add where they were released: "
          + survey.otherTags.joined(separator: ", ") + "."
      )
    }
    lines += survey.models.map { "# \($0.name): \(Quantity.count($0.versions.count, "version"))" }
    if !survey.isOfTags, !survey.releaseTags.isEmpty {
      let tags = (survey.releaseTags + [ModelsPath.now]).joined(separator: ",")
      lines += Self.comment(
        "Where the sources keep no frozen copy of what was shipped, git has it. The releases, and the files "
          + "as they are:"
      )
      lines += ["# models: \(list(of: "\(survey.modelsPath)@\(tags)"))"]
    }
    let trials = survey.trialModels.map { "\($0.name) (\($0.path))" }
    guard !trials.isEmpty else { return lines }
    lines += Self.comment(
      "In a folder of tests, so that no user may have stores of them: "
        + trials.joined(separator: ", ") + "."
    )
    if let path = survey.appModelsPath {
      lines += ["# If so, leave them out:", "# models: \(path.yamlScalar)"]
    }
    return lines
  }

  private var target: [String] {
    guard let guess = survey.targetGuess, let first = guess.candidates.first else { return [] }
    guard let name = guess.name else {
      return Self.comment(
        "Several targets make a container: \(guess.candidates.joined(separator: ", ")). To read the files of "
          + "one alone:"
      ) + ["# target: \(first.yamlScalar)"]
    }
    return Self.comment(
      "A guess: no other app or program here makes a container of its own models. Only the files of this target "
        + "count, with those of the frameworks and packages that it uses:"
    ) + ["target: \(name.yamlScalar)"]
  }

  private var mappings: [String] {
    guard !survey.mappings.isEmpty else { return [] }
    return [
      "", "# Mapping models, hop files and stages; not all lie with the models.", "mappings:",
    ]
      + survey.mappings.map { "  - \($0.yamlScalar)" }
  }

  private var order: [String] {
    if let predecessor = survey.predecessor { return joinedOrder(after: predecessor) }
    let doubtful = survey.models.filter { model in
      model.orderFindings.contains { $0.severity > .note }
    }
    guard !doubtful.isEmpty else {
      return [
        "",
        "# The versions stand in the natural order of their names (2 < 10). Where that is wrong:",
      ]
        + [
          survey.models.count == 1
            ? "# order: [\(example.joined(separator: ", "))]"
            : "# order: {\(exampleModel): [\(example.joined(separator: ", "))]}"
        ]
    }
    let isContradicted = doubtful.contains(where: \.hasUnknownOrder)
    var lines = [
      "",
      isContradicted
        ? "# The names leave the order open: `check` fails until it is known."
        : "# The names do not say in which order the versions were made.",
    ]
    let drafts = doubtful.compactMap { model in survey.drafts[model.name].map { (model.name, $0) } }
    for (name, draft) in drafts { lines += Self.comment("\(name): \(draft.grounds).") }
    let drafted = drafts.compactMap { name, draft in draft.versions.map { (name, $0) } }
    guard !drafted.isEmpty else { return lines + ["# order: [the oldest, ..., the newest]"] }
    lines += ["# If this order is right:", "# order:"]
    for (name, versions) in drafted {
      let isAlone = survey.models.count == 1
      if !isAlone { lines.append("#   \(name.yamlScalar):") }
      lines += versions.map { "#   \(isAlone ? "" : "  ")- \($0.yamlScalar)" }
    }
    return lines
  }

  /// Returns the path of the models, with those of Core Data's models where a history joins both.
  private func list(of path: String) -> String {
    guard let predecessor = survey.predecessor else { return path.yamlScalar }
    return "[\((predecessor.paths + [path]).map(\.yamlScalar).joined(separator: ", "))]"
  }

  /// Returns the order that joins the versions of both frameworks.
  private func joinedOrder(after predecessor: Predecessor) -> [String] {
    let models = [predecessor.name, predecessor.successor].compactMap { name in
      survey.models.first { $0.name == name }
    }
    let names = models.flatMap { model in
      (survey.drafts[model.name]?.versions ?? model.versions.map(\.name)).map {
        "\(model.name)/\($0)".yamlScalar
      }
    }
    let isDoubtful = models.contains { model in
      model.orderFindings.contains { $0.severity > .note }
    }
    // An order that nothing shows stays a comment.
    let open = models.compactMap { model in
      survey.drafts[model.name].map { (name: model.name, draft: $0) }
    }
    .filter { $0.draft.versions == nil }
    return [""]
      + Self.comment(
        "The sources declare \(predecessor.sharedEntities.capped), as \(predecessor.name) does: the app moved from "
          + "Core Data to SwiftData, and its versions are one history, the oldest first."
          + (isDoubtful
            ? " The names of \(predecessor.name)'s versions contradict its current one: correct them."
            : "")
      ) + open.flatMap { Self.comment("\($0.name): \($0.draft.grounds).") }
      + (["order:"] + names.map { "  - \($0)" }).map { open.isEmpty ? $0 : "# \($0)" }
  }

  private var current: [String] {
    let doubtful = survey.models.filter { $0.versions.count > 1 && !survey.isCurrentKnown($0) }
    guard let model = doubtful.first else { return [] }
    let names = VersionNames(ModelArchive(models: survey.models))
    let newest = survey.drafts[model.name].map(\.versions?.last) ?? model.versions.last?.name
    let last = newest.flatMap { name in model.versions.first { $0.name == name } }
    return [
      "", "# Nothing says which version of \(model.name) is current. If it is the newest:",
      "# current: \(last.map { names.name(of: $0).yamlScalar } ?? "...")",
    ]
  }

  private var shipped: [String] {
    let names = VersionNames(ModelArchive(models: survey.models))
    let older = survey.models.flatMap { model in
      model.versions.filter {
        $0.name != model.current?.name || model.name == survey.predecessor?.name
      }
    }
    .map { names.name(of: $0).yamlScalar }
    let list = older.isEmpty ? example : older
    return [
      "",
      "# The versions that users have. Without this a first `waystone lock` locks all before the",
      "# current one, and what is locked counts as shipped. To say it here:",
      "# shipped:",
    ]
      + TerminalText.wrapped("[\(list.joined(separator: ", "))]", indentation: 6).map {
        "#   \($0)"
      }
  }

  private var runtime: [String] {
    if [.swiftData, .swiftDataPlan].contains(survey.runtimeEvidence.runtime) {
      return [
        "",
        "# How the app itself opens older stores: swiftdata (straight to the current schema) or",
        "# swiftdata-plan (by the stages of its migration plan). Without this: direct, as Core Data.",
      ] + Self.comment(survey.runtimeEvidence.sentence)
        + ["runtime: \(survey.runtimeEvidence.runtime.rawValue)"]
    }
    return [
      "",
      "# How the app itself opens older stores: direct (straight to the current version, as Core Data",
      "# does by itself), progressive (version by version) or staged. Without this: direct.",
    ] + Self.comment(survey.runtimeEvidence.sentence)
      + ["# runtime: \(survey.runtimeEvidence.runtime.rawValue)"]
  }

  /// Returns a sentence as lines of comment.
  private static func comment(_ sentence: String) -> [String] {
    TerminalText.wrapped(sentence, indentation: 6).map { "# \($0)" }
  }

  private var samples: [String] {
    var lines = [
      "", "# Stores that Core Data itself made settle names that a model leaves open.",
    ]
    lines += ["# samples:"]
    let found = survey.samples.map {
      "#   \($0.version.yamlScalar): \($0.path.yamlScalar)"
    }
    return lines + (found.isEmpty ? ["#   \(example.last ?? "v1"): Samples/Store.sqlite"] : found)
  }

  /// The model with the most versions.
  private var longest: VersionedModel? {
    survey.models.max { $0.versions.count < $1.versions.count }
  }

  /// The name of the model with the most versions, for examples.
  private var exampleModel: String { (longest?.name ?? "Model").yamlScalar }

  /// The names of some versions, for examples.
  private var example: [String] {
    let names = longest?.versions.prefix(4).map { $0.name.yamlScalar } ?? []
    return names.count < (longest?.versions.count ?? 0) ? names + ["..."] : names
  }

  private static let policy = [
    "",
    "# Without a policy errors fail, warnings on mappings too, and what a version that is not locked",
    "# loses. `maximum: warning` makes all warnings fail; `maximum: error` lets those on mappings pass.",
    "# `loss: none` lets no path lose what locked versions declare lost. `coverage` is how many of a",
    "# hundred shipped versions must arrive in the app.",
    "# policy:",
    "#   maximum: warning",
    "#   loss: none",
    "#   coverage: 100",
    "",
    "# Findings that may pass. Each needs a reason, and one that is not found is a finding itself.",
    "# accept:",
    "#   - code: WS302",
    "#     place: Entity.property",
    "#     version: v3",
    "#     reason: Nobody filled it in.",
  ]
}
