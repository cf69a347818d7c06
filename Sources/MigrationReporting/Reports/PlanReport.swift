package import MigrationPlanning
package import ObjectModel

/// A report on a plan: its hops, each with the reason; or the furthest version that can be reached, and
/// the findings that block the rest.
package struct PlanReport: Report, MemberEncodable {
  package static let verb = "plan"

  /// A step of a plan, or one that is not possible.
  package struct Step: Hashable, Sendable {
    /// The version it starts from.
    package var from: String
    /// The version it leads to.
    package var to: String
    /// `inferred`, `extended` or `authored`; nil for a step that is not possible.
    package var kind: String?
    /// The reason why the plan takes this step, in one sentence.
    package var reason: String
    /// The risks of the step, or the reasons why it is not possible.
    package var findings: [Finding]
    /// The files of an authored step; empty for an inferred one.
    package var mappings: [String] = []
    /// The policy classes that these name.
    package var policies: [String] = []
    /// The rows and bytes that the step moves, where a store was read.
    package var size: HopSize?
    /// The forecast for the store's contents, where they were counted.
    package var account: HopForecast?

    /// A step in words.
    package init(from: String, to: String, kind: String?, reason: String, findings: [Finding]) {
      self.from = from
      self.to = to
      self.kind = kind
      self.reason = reason
      self.findings = findings
    }

    /// The greatest risk among the findings.
    package var worst: Risk { findings.compactMap(\.risk).max() ?? .exact }
  }

  /// The room that a run takes.
  package struct Disk: Hashable, Sendable {
    /// The bytes of the store and its `-wal`, which are copied first.
    package var store: Int64
    /// The bytes that must be free beside the result.
    package var needed: Int64
    /// The bytes that are free beside the store; nil where the system does not report them.
    package var free: Int64?

    /// The room in its parts.
    package init(store: Int64, needed: Int64, free: Int64?) {
      self.store = store
      self.needed = needed
      self.free = free
    }
  }

  /// The store, where the plan is for one.
  package var store: String?
  /// The version the plan starts from.
  package var from: String
  /// The version wanted.
  package var to: String
  /// Whether dangling links are certainly left out.
  package var leavesLinksOut = false
  /// The steps; those that lead furthest where the wanted version is not reached.
  package var hops: [Step]
  /// The steps that block the path; empty where the plan is complete.
  package var blocked: [Step]
  /// The furthest version reached, where the wanted one is not.
  package var furthest: String?
  /// The findings on the plan as a whole.
  package var findings: [Finding]
  /// The options that the user must give to run the plan, each with its reason.
  package var refusals: [(option: String, reason: String)]
  /// The codes of findings that refuse a run and that no option lifts.
  package var refusedCodes: [String] = []
  /// The identity of the plan, where it is complete.
  package var fingerprint: String?
  /// The cost of the plan, where it is complete.
  package var cost: PlanCost?
  /// The paths next to the plan, and why each lost.
  package var alternatives: [Alternative] = []
  /// The numbers of hops that run in one pass, from 1; empty where each runs alone.
  package var passes: [ClosedRange<Int>] = []
  /// The room that a run takes, where the plan is for a store.
  package var disk: Disk?

  /// A plan in words.
  package init(
    store: String? = nil,
    from: String,
    to: String,
    hops: [Step],
    blocked: [Step] = [],
    furthest: String? = nil,
    findings: [Finding] = [],
    refusals: [(option: String, reason: String)] = [],
    fingerprint: String? = nil
  ) {
    self.store = store
    self.from = from
    self.to = to
    self.hops = hops
    self.blocked = blocked
    self.furthest = furthest
    self.findings = findings
    self.refusals = refusals
    self.fingerprint = fingerprint
  }

  /// Whether the wanted version is reached.
  package var isComplete: Bool { furthest == nil }

  package var members: JSONMembers {
    [
      "store": store, "from": from, "to": to, "complete": isComplete, "furthest": furthest,
      "hops": hops, "blocked": blocked, "findings": findings,
      "refusals": refusals.map { ["option": $0.option, "reason": $0.reason] },
      "worst": (hops.map(\.worst).max() ?? .exact).name, "fingerprint": fingerprint,
      "cost": cost, "alternatives": alternatives,
      "passes": passes.map { ["first": $0.lowerBound, "last": $0.upperBound] },
    ] + sizes
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines = [heading]
    if hops.isEmpty, isComplete {
      lines += [
        "",
        refused != nil
          ? "No hop is needed."
          : store == nil
            ? "Nothing to do: both versions have the same hashes."
            : "Nothing to do: the store can be opened with \(to, .strong) as it is.",
      ]
    }
    for (index, hop) in hops.enumerated() {
      let kind = StyledText(hop.kind ?? "", .plain)
      lines += [
        "",
        "\(index + 1, .faint)  \(hop.from, .strong) → \(hop.to, .strong)  \(kind)"
          + "  " + StyledText(hop.worst.words, hop.worst.style),
      ]
      lines += Self.wrapped(hop.reason, indentation: 3, .faint)
      for mapping in hop.mappings { lines.append("   by \(mapping, .strong)") }
      for policy in hop.policies { lines.append("   with the policy \(policy, .strong)") }
      lines += hop.findings.filter { isVerbose || $0.severity > .note || $0.risk != nil }
        .lines(indentation: 3, about: hop.to, isFolded: !isVerbose)
      if let account = hop.account { lines += account.lines(isVerbose: isVerbose) }
      lines += hop.sizeLines
    }
    lines += passLines + diskLines
    if !isComplete { lines += proof }
    lines += findings.filter {
      $0.severity == .note && ($0.risk == .conditional || $0.evidence?.verdict == .unknown)
        && !isVerbose
    }
    .lines(indentation: 0)
    lines += findings.section("Findings", isVerbose: isVerbose) + refusalLines
    if isVerbose, !alternatives.isEmpty {
      lines += ["", "Other paths, and why they are not taken"] + alternatives.flatMap(\.lines)
    }
    if let fingerprint, isVerbose { lines += ["", StyledText("plan \(fingerprint)", .faint)] }
    return lines + (isComplete && hops.isEmpty && findings.isEmpty ? [] : ["", totals])
  }

  /// The lines on hops that run in one pass, with the reason.
  private var passLines: [StyledText] {
    passes.flatMap { pass -> [StyledText] in
      let (first, last) = (pass.lowerBound, pass.upperBound)
      return [""]
        + Self.wrapped(
          "Hops \(first) to \(last) run in one pass: together they do to every object what they do one "
            + "after the other.",
          indentation: 0,
          .plain
        )
    }
  }

  /// The options that a run needs, each with its reasons where no finding has them.
  var refusalLines: [StyledText] {
    refusals.map(\.option).uniqued.flatMap { option in
      ["", "\("refused", .bad)  needs \(option, .strong)"]
        + refusals.filter { $0.option == option }.flatMap { refusal in
          findings.contains { $0.message == refusal.reason }
            ? [] : Self.wrapped(refusal.reason, indentation: 9, .plain)
        }
    }
  }

  /// Lets values change, as the run will.
  package mutating func acceptChangedValues() {
    findings = findings.map(\.withChangedValuesAccepted)
    for index in hops.indices {
      hops[index].findings = hops[index].findings.map(\.withChangedValuesAccepted)
    }
  }

  /// The reasons that a run would be refused for, in a few words; nil where there is none.
  var refused: String? {
    let reasons = (refusedCodes + refusals.map(\.option)).uniqued
    return isComplete && !reasons.isEmpty ? "refused: \(reasons.joined(separator: ", "))" : nil
  }

  /// The data that the plan drops by its findings, in a report's words; nil where it drops nothing.
  package var droppedWords: String? {
    let dropped = hops.flatMap(\.findings).filter { $0.risk.map { $0 >= .lossy } == true }
    guard !dropped.isEmpty else { return nil }
    let names = droppedNames
    let more = names.count > 3 ? " and \(names.count - 3) more" : ""
    return "\(Self.subjects(of: dropped)): \(names.prefix(3).joined(separator: ", "))\(more)"
  }

  /// The entities and properties whose data, and the relationships whose order, the plan drops.
  package var droppedNames: [String] {
    hops.flatMap(\.findings).filter { $0.risk.map { $0 >= .lossy } == true }
      .sorted { $0.place.property == nil && $1.place.property != nil }
      .compactMap(\.lostName).uniqued
  }

  /// Returns the number of entities and properties that lose data, and of those that lose only their
  /// order, as text.
  private static func subjects(of findings: [Finding]) -> String {
    func places(_ findings: [Finding]) -> Set<[String]> {
      Set(findings.map { [$0.place.entity ?? "", $0.place.property ?? ""] })
    }
    let dropped = places(findings.filter { $0.code != .becomesUnordered })
    let orders = places(findings.filter { $0.code == .becomesUnordered }).subtracting(dropped).count
    let entities = dropped.count { $0[1].isEmpty }
    let properties = dropped.count - entities
    let data = [
      entities == 0 ? nil : Quantity.count(entities, "entity", "entities"),
      properties == 0 ? nil : Quantity.count(properties, "property", "properties"),
    ].compactMap(\.self).joined(separator: ", ")
    let order = orders == 0 ? "" : "the order of \(Quantity.count(orders, "relationship"))"
    return [data.isEmpty ? "" : "data of \(data)", order].filter { !$0.isEmpty }
      .joined(separator: " and ")
  }

  /// Whether objects of the store become one with others.
  private var mergesObjects: Bool {
    hops.compactMap(\.account).flatMap(\.departures).contains {
      $0.fate == .merged && $0.kind == .objects
    }
  }

  /// The line on the data that the plan drops, with the number of findings.
  var totals: StyledText {
    let all = hops.flatMap(\.findings) + blocked.flatMap(\.findings) + findings
    let dropped = all.filter { $0.risk.map { $0 >= .lossy } == true }
    let lost: StyledText =
      if !isComplete {
        "\(StyledText("No path to \(to).", .bad)) "
      } else if hops.contains(where: { !$0.policies.isEmpty })
        || all.contains(where: \.isOfCode)
      {
        "\(StyledText("What code does to the data is not known.", .caution)) "
      } else if dropped.isEmpty, all.contains(where: \.leavesOpenWhatIsKept) {
        "\(StyledText("Whether expressions keep all values is not known.", .caution)) "
      } else if dropped.isEmpty, mergesObjects {
        "\(StyledText("Objects become one with others.", .caution)) "
      } else if dropped.isEmpty, leavesOutDanglingLinks {
        "\(StyledText("Nothing is dropped but links that lead nowhere.", .caution)) "
      } else if dropped.isEmpty {
        Self.words(onRisksOf: all)
      } else {
        "\(StyledText("Drops \(Self.subjects(of: dropped)).", .caution)) "
      }
    return lost + StyledText("\(all.counts).", .faint)
  }

  /// Returns a phrase on the data that rows may lose where no loss is certain.
  private static func words(onRisksOf findings: [Finding]) -> StyledText {
    let conditions = Set(findings.filter { $0.risk.map { $0 >= .conditional } == true }.map(\.code))
      .subtracting([.externalStorageToggled])
    if conditions.isEmpty { return "Nothing is dropped. " }
    return conditions.allSatisfy { $0.has(.rule) }
      ? "Nothing is dropped. The findings say which rules the rows may break. "
      : "\(StyledText("What is dropped depends on the rows.", .caution)) "
  }

  /// Whether the plan drops dangling links and nothing else.
  private var leavesOutDanglingLinks: Bool {
    leavesLinksOut
      && (hops.flatMap(\.findings) + findings).compactMap(\.risk).max() ?? .exact < .conditional
  }

  private var heading: StyledText {
    let subject: StyledText = store.map { "\($0, .strong)\n" } ?? ""
    let route: StyledText = "\(from, .strong) → \(to, .strong)"
    guard isComplete else { return subject + route + "  " + StyledText("no path", .bad) }
    let count = StyledText(Quantity.count(hops.count, "hop"))
    return subject + route + "  " + count + (refused.map { "  \($0, .bad)" } ?? "")
  }

  /// The lines on the furthest version that can be reached, and on the findings that block each next
  /// step.
  private var proof: [StyledText] {
    var lines: [StyledText] = [""]
    let end: StyledText = blocked.isEmpty ? "." : ":"
    if let furthest, furthest != from {
      lines.append("The path ends at \(furthest, .strong)" + end)
    } else {
      lines.append("No path leads on from \(from, .strong)" + end)
    }
    return lines + blockedLines(indentation: 3)
  }

  /// Returns the steps that are not possible or not accepted; those that one cause blocks from one
  /// version as one.
  func blockedLines(indentation: Int) -> [StyledText] {
    var groups: [(step: Step, ends: [String])] = []
    for step in blocked {
      if let same = groups.firstIndex(where: {
        $0.step.from == step.from && $0.step.findings.sayTheSame(as: step.findings)
      }) {
        groups[same].ends.append(step.to)
      } else {
        groups.append((step, [step.to]))
      }
    }
    let margin = StyledText(String(repeating: " ", count: indentation))
    return groups.flatMap { step, ends -> [StyledText] in
      let end = VersionRuns(ends, in: []).text()
      // A step that the user may accept is possible.
      let isRefused = step.findings.isEmpty || step.findings.contains { $0.severity == .error }
      let words = isRefused ? "not possible" : "not accepted"
      return [margin + "\(step.from, .strong) → \(end, .strong)  \(words, .bad)"]
        + (ends.count == 1 ? Self.wrapped(step.reason, indentation: indentation + 3, .faint) : [])
        + step.findings.lines(indentation: indentation + 3, about: step.to)
    }
  }

  private static func wrapped(
    _ text: String,
    indentation: Int,
    _ style: StyledText.Style
  ) -> [StyledText] {
    TerminalText.wrapped(text, indentation: indentation).map {
      StyledText(String(repeating: " ", count: indentation)) + StyledText($0, style)
    }
  }
}

extension [Finding] {
  /// Returns whether they differ in nothing but the version that each is placed at.
  fileprivate func sayTheSame(as others: [Finding]) -> Bool {
    map(\.code) == others.map(\.code) && map(\.statement) == others.map(\.statement)
  }
}

extension [String] {
  /// The texts, each once.
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
