package import MigrationPlanning
package import ObjectModel

/// The hops from one version to another and why each; or how far one gets, and what blocks.
package struct PlanReport: Report {
  package static let verb = "plan"

  /// One step of a plan, or one that is not possible.
  package struct Step: Hashable, Sendable {
    /// The version it starts from.
    package var from: String
    /// The version it leads to.
    package var to: String
    /// `inferred`, `extended` or `authored`; nil for a step that is not possible.
    package var kind: String?
    /// Why the plan takes this step, in one sentence.
    package var reason: String
    /// What it may cost, or why it is not possible.
    package var findings: [Finding]
    /// The files that say how, where people wrote the step.
    package var mappings: [String] = []
    /// The policy classes that these name.
    package var policies: [String] = []
    /// What it moves, where a store was asked.
    package var size: HopSize?
    /// What it will do to what the store holds, where that was counted.
    package var account: PlannedAccount?

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
    /// The bytes that are free beside the store; nil where the system does not say.
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
  /// The steps; those that lead furthest where the wanted version is not reached.
  package var hops: [Step]
  /// The steps that block the way; empty where the plan is complete.
  package var blocked: [Step]
  /// The furthest version reached, where the wanted one is not.
  package var furthest: String?
  /// What is to be said of the plan as a whole.
  package var findings: [Finding]
  /// What one must accept to run it, as options, each with its reason.
  package var refusals: [(option: String, reason: String)]
  /// The identity of the plan, where it is complete.
  package var fingerprint: String?
  /// What the plan costs, where it is complete.
  package var cost: PlanCost?
  /// The paths next to the plan, and why each lost.
  package var alternatives: [Alternative] = []
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

  package var members: [String: JSONValue] {
    [
      "store": JSONValue(store),
      "from": .string(from),
      "to": .string(to),
      "complete": .boolean(isComplete),
      "furthest": JSONValue(furthest),
      "hops": .array(hops.map(Self.json)),
      "blocked": .array(blocked.map(Self.json)),
      "findings": .array(findings.map(\.json)),
      "refusals": .array(
        refusals.map { ["option": .string($0.option), "reason": .string($0.reason)] }
      ),
      "worst": .string((hops.map(\.worst).max() ?? .exact).name),
      "fingerprint": JSONValue(fingerprint),
      "cost": cost?.json ?? .null,
      "alternatives": .array(alternatives.map(\.json)),
    ].merging(sizes) { first, _ in first }
  }

  private static func json(_ step: Step) -> JSONValue {
    .object(members(step))
  }

  private static func members(_ step: Step) -> [String: JSONValue] {
    [
      "from": .string(step.from),
      "to": .string(step.to),
      "kind": JSONValue(step.kind),
      "reason": .string(step.reason),
      "worst": .string(step.worst.name),
      "mappings": JSONValue(step.mappings),
      "policies": JSONValue(step.policies),
      "findings": .array(step.findings.map(\.json)),
    ].merging(sizes(step)) { first, _ in first }
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines = [heading]
    if hops.isEmpty, isComplete {
      lines += [
        "",
        store == nil
          ? "Nothing to do: both versions have the same hashes."
          : "Nothing to do: the store can be opened with \(to, .strong) as it is.",
      ]
    }
    for (index, hop) in hops.enumerated() {
      let kind = StyledText(hop.kind ?? "", .plain)
      lines += [
        "",
        "\(index + 1, .faint)  \(hop.from, .strong) → \(hop.to, .strong)  \(kind)"
          + "  " + StyledText(hop.worst.name, hop.worst.style),
      ]
      lines += Self.wrapped(hop.reason, indentation: 3, .faint)
      for mapping in hop.mappings { lines.append("   by \(mapping, .strong)") }
      for policy in hop.policies { lines.append("   with the policy \(policy, .strong)") }
      lines += hop.findings.filter { isVerbose || $0.severity > .note || $0.risk != nil }
        .flatMap { $0.lines(indentation: 3, about: hop.to) }
      if let account = hop.account { lines += account.lines(isVerbose: isVerbose) }
      lines += hop.sizeLines
    }
    lines += diskLines
    if !isComplete { lines += proof }
    lines += findings.section("Findings", isVerbose: isVerbose)
    for option in refusals.map(\.option).uniqued {
      lines += ["", "\("refused", .bad)  needs \(option, .strong)"]
      for refusal in refusals where refusal.option == option {
        lines += Self.wrapped(refusal.reason, indentation: 9, .plain)
      }
    }
    if isVerbose, !alternatives.isEmpty {
      lines += ["", "Other paths, and why they are not taken"] + alternatives.flatMap(\.lines)
    }
    if let fingerprint, isVerbose { lines += ["", StyledText("plan \(fingerprint)", .faint)] }
    return lines
  }

  private var heading: StyledText {
    let subject: StyledText = store.map { "\($0, .strong)\n" } ?? ""
    let route: StyledText = "\(from, .strong) → \(to, .strong)"
    guard isComplete else { return subject + route + "  " + StyledText("no path", .bad) }
    let count = StyledText(Quantity.count(hops.count, "hop"))
    return subject + route + "  " + count
  }

  /// How far one gets, and what stands in the way of each next step.
  private var proof: [StyledText] {
    var lines: [StyledText] = [""]
    if let furthest, furthest != from {
      lines.append("One gets as far as \(furthest, .strong). From there:")
    } else {
      lines.append("No step leads on from \(from, .strong):")
    }
    for step in blocked {
      lines += ["", "   \(step.from, .strong) → \(step.to, .strong)  \("not possible", .bad)"]
      lines += Self.wrapped(step.reason, indentation: 3, .faint)
      lines += step.findings.flatMap { $0.lines(indentation: 3, about: step.to) }
    }
    return lines
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

extension [String] {
  /// The texts without those that stand before.
  fileprivate var uniqued: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
