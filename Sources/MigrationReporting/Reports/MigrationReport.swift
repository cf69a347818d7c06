package import ObjectModel
package import StoreMigration
package import StoreVerification

/// A report on a run, stage by stage, with the paths of its result and of the original.
package struct MigrationReport: Report, MemberEncodable {
  package static let verb = "migrate"

  /// The store.
  package var store: String
  /// The file that holds the result; the store itself where it was replaced.
  package var result: String
  /// The version that the store had.
  package var from: String
  /// The version that the result has.
  package var to: String
  /// The transcript of the run.
  package var transcript: RunTranscript
  /// The hops that were done before this process began.
  package var resumedAfter: Int
  /// The path of the original, where it was replaced.
  package var backup: String?
  /// The account of salvaged rows, where the store's file is damaged.
  package var salvage: SalvageAccount?
  /// The result of the verification, where it was done.
  package var verification: VerificationReport?
  /// The level of the verification.
  package var level: VerificationLevel
  /// The findings on the result.
  package var findings: [Finding]
  /// The data that the plan dropped, in words; nil where it dropped nothing.
  package var dropped: String?
  /// The entities and properties whose data, or the relationships whose order, the plan dropped.
  package var droppedNames: [String] = []
  /// The files in which the store keeps large values.
  package var externalFiles: ExternalAccount?

  /// A run in words.
  package init(
    store: String,
    result: String,
    from: String,
    to: String,
    transcript: RunTranscript,
    resumedAfter: Int = 0,
    backup: String? = nil,
    salvage: SalvageAccount? = nil,
    verification: VerificationReport? = nil,
    level: VerificationLevel = .standard,
    findings: [Finding] = []
  ) {
    self.store = store
    self.result = result
    self.from = from
    self.to = to
    self.transcript = transcript
    self.resumedAfter = resumedAfter
    self.backup = backup
    self.salvage = salvage
    self.verification = verification
    self.level = level
    self.findings = findings
  }

  private var seconds: Double { transcript.stages.compactMap(\.seconds).reduce(0, +) }

  package var members: JSONMembers {
    [
      "store": store, "result": result, "from": from, "to": to, "stages": transcript.stages,
      "seconds": Quantity.rounded(seconds), "resumedAfter": resumedAfter, "backup": backup,
      "salvage": salvage?.members,
      "verification": verification.map {
        VerifiedStoreReport(store: result, version: to, level: level, verification: $0).members
          + ["schema": "waystone.verify/1"]
      },
      "dropped": droppedNames, "notes": transcript.notes, "findings": findings,
      "externalFiles": externalFiles?.members,
    ]
  }

  private var notes: [StyledText] {
    transcript.notes.map { "  \("note", .caution)  \($0)" }
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    guard !transcript.stages.isEmpty else {
      return ["Nothing to do: \(result, .strong) can be opened with \(to, .strong) as it is."]
        + notes + findings.section("Findings", isVerbose: isVerbose)
    }
    var table = TextTable([
      ("", .left), ("", .left), ("", .left), ("", .right), ("", .right), ("", .left),
    ])
    for stage in transcript.stages {
      table.append(Self.cells(of: stage))
    }
    var lines: [StyledText] = [
      "\(store, .strong)  \(from, .strong) → \(to, .strong)", "",
    ]
    if resumedAfter > 0 {
      lines.append("  \("resumed", .caution) after \(Quantity.count(resumedAfter, "hop"))")
    }
    lines += table.lines(indentation: 2)
    lines += notes
    lines.append("")
    if let salvage { lines += salvage.section }
    if let verification {
      lines += verification.lines(showsPassed: false, isVerbose: isVerbose)
    }
    lines += findings.section("Findings", isVerbose: isVerbose)
    let time = Quantity.seconds(seconds)
    let done = StyledText("done", level == .none ? .caution : .good)
    lines += ["\(done)      \(result, .strong) is of \(to, .strong)  \(time, .faint)"]
    if let salvage, !salvage.isWhole {
      lines.append(
        "          \("incomplete", .caution): it has only what could be read of \(store)"
      )
    }
    if let backup { lines.append("          the original is kept: \(backup)") }
    if level == .none {
      lines.append("          \("not verified", .caution): the run left that out (--verify none)")
    }
    if let dropped {
      let margin = StyledText(String(repeating: " ", count: 19))
      lines += TerminalText.wrapped(dropped, indentation: 19).enumerated()
        .map { index, text in
          (index == 0 ? "          \("dropped", .caution)  " : margin) + StyledText(text)
        }
    }
    return lines
  }

  private static func cells(of stage: RunTranscript.Stage) -> [StyledText] {
    let time = StyledText(stage.seconds.map(Quantity.seconds) ?? "", .faint)
    let rows = StyledText(stage.rows > 0 ? Quantity.count(Int(stage.rows), "row") : "")
    let checkpoint = StyledText(stage.checkpoint.map { "checkpoint \($0)" } ?? "", .faint)
    if case .hop(let numbers, let count, _, _, let inPlace) = stage.kind {
      let (first, last) = (numbers.lowerBound, numbers.upperBound)
      return [
        first == last ? "hop \("\(last)/\(count)")" : "hops \("\(first) to \(last)/\(count)")",
        StyledText(stage.kind.title, .strong),
        inPlace ? "in place" : "rebuilt", rows, time, checkpoint,
      ]
    }
    return [StyledText(stage.kind.title), "", "", rows, time, checkpoint]
  }
}

extension MigrationEvent.Stage {
  /// The stage's name for programs.
  fileprivate var name: String {
    switch self {
    case .checking: "checking"
    case .asking: "asking"
    case .copying: "copying"
    case .hop: "hop"
    case .verifying: "verifying"
    case .swapping: "swapping"
    }
  }
}

extension RunTranscript.Stage: MemberEncodable {
  package var members: JSONMembers {
    let members: JSONMembers = [
      "kind": kind.name, "seconds": seconds.map(Quantity.rounded),
      "processorSeconds": Quantity.rounded(processorSeconds), "rows": rows,
      "checkpoint": checkpoint,
    ]
    guard case .hop(let numbers, _, let from, let to, let inPlace) = kind else { return members }
    return members + [
      "firstHop": numbers.lowerBound, "hop": numbers.upperBound, "from": from, "to": to,
      "inPlace": inPlace,
    ]
  }
}

extension ExternalAccount {
  fileprivate var members: JSONMembers {
    [
      "carried": carriedCount, "bytes": carriedBytes, "missing": missingCount, "orphaned": orphans,
      "odd": oddities,
    ]
  }
}
