package import ObjectModel
package import StoreMigration

/// A report that an original is restored, with the path of the store that it replaced.
package struct RollbackReport: Report, MemberEncodable {
  package static let verb = "rollback"

  private let store: String
  private let outcome: RollbackOutcome
  private let replaced: String?
  private let findings: [Finding]

  /// A rollback of a store.
  ///
  /// - Parameters:
  ///   - replaced: The path of the store that was replaced, as it is shown.
  ///   - findings: The findings on parts that the restored original lacks by now.
  package init(
    store: String,
    outcome: RollbackOutcome,
    replaced: String?,
    findings: [Finding] = []
  ) {
    self.store = store
    self.outcome = outcome
    self.replaced = replaced
    self.findings = findings
  }

  package var members: JSONMembers {
    [
      "store": store, "replaced": replaced, "run": outcome.run.run, "version": outcome.run.from,
      "findings": findings,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    findings.section("Findings", isVerbose: isVerbose) + [
      "\("done", .good)  \(store, .strong) is of \(outcome.run.from) again, as before run \(outcome.run.run)",
      replaced.map { "      the migrated store is kept: \($0)" }
        ?? "      there was no store in its place",
    ]
  }
}

/// The runs of a store that can be rolled back.
package struct RunListReport: Report, MemberEncodable {
  package static let verb = "rollback"

  private let store: String
  private let list: RunList
  private let shortened: @Sendable (String) -> String

  /// The runs of a store.
  ///
  /// - Parameter shortened: The form in which a path is shown.
  package init(
    store: String,
    list: RunList,
    shortened: @escaping @Sendable (String) -> String
  ) {
    self.store = store
    self.list = list
    self.shortened = shortened
  }

  package var members: JSONMembers {
    [
      "store": store, "unfinishedRollback": list.unfinishedRollback,
      "unreadableJournals": list.unreadable.map(shortened),
      "runs": list.runs.map { run in
        [
          "run": run.description.run, "time": UniversalTime.text(run.description.second),
          "from": run.description.from, "to": run.description.to, "applied": run.isApplied,
          "backup": shortened(run.backup), "bytes": run.backupSize,
        ] as JSONMembers
      },
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    if list.runs.isEmpty {
      lines.append("No run has replaced \(store, .strong), or its backups are gone.")
    } else {
      var table = TextTable([
        ("run", .left), ("time", .left), ("migration", .left), ("state", .left), ("backup", .right),
      ])
      for run in list.runs {
        table.append([
          StyledText(run.description.run, .strong),
          StyledText(UniversalTime.text(run.description.second)),
          StyledText("\(run.description.from) → \(run.description.to)"),
          run.isApplied ? "applied" : "rolled back",
          run.backupSize.map { StyledText(Quantity.bytes(Int($0))) }
            ?? (run.isApplied ? "removed" : "put back"),
        ])
      }
      lines += table.lines()
      lines.append("")
      lines += list.runs.filter { $0.backupSize != nil }.map {
        StyledText(shortened($0.backup))
      }
    }
    if let run = list.unfinishedRollback {
      lines.append("\("unfinished", .caution)  the rollback to before run \(run): repeat it")
    }
    lines += list.unreadable.map { "\("unreadable", .caution)  \(shortened($0))" }
    return lines
  }
}

/// A report that no run waits to be resumed.
package struct NothingToResumeReport: Report, MemberEncodable {
  package static let verb = "resume"

  private let destination: String
  private let hasFinished: Bool

  /// A destination at which no run is unfinished.
  ///
  /// - Parameter hasFinished: Whether its journal has a run, which then has ended.
  package init(destination: String, hasFinished: Bool) {
    self.destination = destination
    self.hasFinished = hasFinished
  }

  package var members: JSONMembers {
    [
      "destination": destination, "resumed": false,
      "reason": hasFinished ? "finished" : "noRecord",
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    if hasFinished {
      return ["Nothing to resume: the last run at \(destination, .strong) has ended."]
    }
    return [
      "Nothing to resume: no run has left a record at \(destination, .strong).",
      "A run that fails or is killed before its first record changes nothing: begin it again with "
        + "`waystone migrate`.",
    ]
  }
}
