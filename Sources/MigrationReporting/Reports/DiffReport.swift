package import MigrationPlanning
package import ObjectModel

/// A report on the differences between two versions, and on whether the step between them can be
/// inferred.
package struct DiffReport: Report, MemberEncodable {
  package static let verb = "diff"

  let old: String
  let new: String
  let difference: ModelDifference
  let inference: InferenceResult
  /// The Renaming IDs that the later version has lost, where no hash changes.
  let lostIdentifiers: [Finding]

  /// Makes a report on two versions by these names.
  package init(
    from old: String,
    to new: String,
    difference: ModelDifference,
    inference: InferenceResult,
    lostIdentifiers: [Finding] = []
  ) {
    self.old = old
    self.new = new
    self.difference = difference
    self.inference = inference
    self.lostIdentifiers = lostIdentifiers
  }

  package var members: JSONMembers {
    [
      "from": old, "to": new, "equal": difference.isEmpty,
      "equalHashes": !difference.changesHashes, "rehashed": difference.rehashedEntityNames,
      "changes": difference.changes,
      "step": [
        "kind": inference.mapping == nil || isUnseen ? nil : inference.kind.rawValue,
        "refusals": isUnseen ? [] : inference.refusals,
        "findings": isUnseen ? doubts : doubts + others,
      ] as JSONMembers,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = ["\(old, .strong) → \(new, .strong)  \(summary, .faint)"]
    let shown = isVerbose ? difference.changes : difference.changes.filter { !$0.isConsequence }
    var entity: String?
    for change in shown {
      if change.entityName != entity || lines.count == 1 {
        entity = change.entityName
        lines += ["", "\(entity ?? "The model", .strong)"]
      }
      var line: StyledText = "  \(change.action.word, change.action.style)  \(change.sentence)"
      if !change.changesHash { line += "  \("not in the hash", .faint)" }
      lines.append(line)
    }
    let hidden = difference.changes.count - shown.count
    if hidden > 0 {
      let text = "\(hidden) that only follow from another name; --verbose shows them."
      lines += ["", StyledText(text, .faint)]
    }
    lines += [""] + stepLines + doubts.lines(indentation: 2)
    if isUnseen { return lines }
    if !inference.refusals.isEmpty {
      lines += inference.refusals.lines(indentation: 2)
    }
    return isVerbose
      ? lines + others.section("What the step does", isVerbose: true) : lines
  }

  /// A phrase with the number of differences.
  var summary: String {
    if difference.isEmpty { return "nothing differs" }
    let count = Quantity.count(difference.changes.count { !$0.isConsequence }, "change")
    // An entity with another name counts once.
    let entities = difference.changes.filter { $0.subject == .entity }
    let formerNames = Set(entities.filter { $0.action == .renamed }.compactMap(\.old))
      .subtracting(
        entities.filter { [.renamed, .added].contains($0.action) }.compactMap(\.entityName)
      )
    let hashes = difference.rehashedEntityNames.count { !formerNames.contains($0) }
    guard hashes > 0 else { return "\(count), none of which a store can see" }
    return "\(count); \(Quantity.count(hashes, "entity has", "entities have")) another hash"
  }

  /// Whether the step can be inferred.
  var step: String {
    guard !isUnseen else {
      return
        "Core Data takes both versions for the same and migrates no store: rows stay as they are."
    }
    guard inference.mapping != nil else { return "The step cannot be inferred:" }
    let risk = inference.findings.compactMap(\.risk).max() ?? .exact
    guard doubts.isEmpty else {
      return
        "Unknown in the app: Renaming IDs differ. Waystone infers this step; it \(risk.effect)."
    }
    switch inference.kind {
    case .inferred, .authored: return "Core Data infers this step; it \(risk.effect)."
    case .extended: return "Waystone infers this step, Core Data may not; it \(risk.effect)."
    }
  }

  /// Whether versions differ although their hashes are the same.
  private var isUnseen: Bool { !difference.isEmpty && !difference.changesHashes }

  /// The other findings on the step.
  private var others: [Finding] { inference.findings.filter { !$0.disputesIdentifier } }

  /// The items that the app may drop because their Renaming IDs differ, as `check` reports them on the
  /// step to a new version.
  private var doubts: [Finding] {
    guard !isUnseen else { return lostIdentifiers }
    return inference.findings.filter(\.disputesIdentifier).map { finding in
      var finding = finding
      finding.severity = .error
      return finding
    }
  }

  private var stepLines: [StyledText] {
    if isUnseen {
      let more = "Of an earlier version's store the app may lose data:"
      return ([step] + (doubts.isEmpty ? [] : [more])).map { StyledText($0, .caution) }
    }
    let risk = inference.findings.compactMap(\.risk).max() ?? .exact
    return [StyledText(step, inference.mapping == nil ? .bad : risk.style)]
  }
}
