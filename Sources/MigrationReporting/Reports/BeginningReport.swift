package import ObjectModel

/// A report on the files that `init` wrote for a project.
package struct BeginningReport: Report, MemberEncodable {
  package static let verb = "init"

  /// The tags of releases at which models that are declared in Swift are read.
  package struct Tags: Hashable, Encodable, Sendable {
    let taken: [String]
    let withoutModels: [String]
    let older: [String]

    /// Makes a list of tags: those that are read, those without a model, and older ones that are not
    /// read.
    package init(taken: [String], withoutModels: [String], older: [String]) {
      self.taken = taken
      self.withoutModels = withoutModels
      self.older = older
    }

    var lines: [StyledText] {
      var text = "tags  \(Self.range(taken))"
      if !withoutModels.isEmpty { text += "; without models: \(Self.range(withoutModels))" }
      if !older.isEmpty { text += "; not looked at: \(Self.range(older))" }
      return StyledText.lines(
        "\(text). `models:` in waystone.yml names them: add or remove tags there."
      )
    }

    private static func range(_ tags: [String]) -> String {
      guard tags.count > 3, let first = tags.first, let last = tags.last else {
        return tags.joined(separator: ", ")
      }
      return "\(first) to \(last) (\(tags.count))"
    }
  }

  let files: [(path: String, isNew: Bool)]
  let tags: Tags?
  let models: [(name: String, count: Int)]
  let isLocked: Bool
  let older: Int
  let doubts: [Finding]
  let advice: [String]

  /// A report on the files of a project.
  ///
  /// - Parameters:
  ///   - files: The files: new ones were written, others were there and are kept.
  ///   - models: The models that were found, with the number of their versions.
  ///   - tags: The tags at which the models are read, if they are.
  ///   - isLocked: Whether there is a lock already.
  ///   - older: The number of versions before the current ones, which a first lock takes.
  ///   - doubts: The findings that the order of a model's versions is in doubt.
  ///   - advice: The sentences on the work that is left until workflows run.
  package init(
    files: [(path: String, isNew: Bool)],
    models: [(name: String, count: Int)],
    isLocked: Bool,
    tags: Tags? = nil,
    older: Int,
    doubts: [Finding] = [],
    advice: [String] = []
  ) {
    self.advice = advice
    self.tags = tags
    self.doubts = doubts
    self.older = older
    self.files = files
    self.models = models
    self.isLocked = isLocked
  }

  package var members: JSONMembers {
    [
      "files": files.map { ["path": $0.path, "written": $0.isNew] as JSONMembers },
      "models": models.map { ["model": $0.name, "versions": $0.count] as JSONMembers },
      "tags": tags, "findings": doubts,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines = files.map { file -> StyledText in
      "\(file.path, .strong)  "
        + (file.isNew ? "written" : StyledText("was there, and is kept", .faint))
    }
    lines += [""]
    lines += models.map { "\($0.name, .strong)  \(Quantity.count($0.count, "version"))" }
    if let tags { lines += tags.lines }
    if !advice.isEmpty { lines += [""] + advice.flatMap { StyledText.lines($0) } }
    if !doubts.isEmpty {
      lines += doubts.map(\.withoutFile).section("Settle first", isVerbose: true)
      return lines + ["", "Then `waystone lock` and `waystone check`."]
    }
    let next =
      isLocked
      ? "Read what was written, then run `waystone check`."
      : older > 0
        ? "Read what was written, then run `waystone lock` and `waystone check`. Commit all of it."
        : "Read what was written, then run `waystone check`. Commit the files. No version comes before a "
          + "current one: when users have it, `waystone lock VERSION`."
    return lines + [""] + StyledText.lines(next)
  }
}
