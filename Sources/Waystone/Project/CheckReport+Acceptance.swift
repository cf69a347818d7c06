internal import ObjectModel

extension CheckReport {
  /// Takes out what the project accepts, and adds what it accepts in vain.
  ///
  /// - Parameter isElsewhere: Whether an acceptance that fits nothing here fits what is found elsewhere.
  mutating func accept(
    _ acceptances: [Configuration.Acceptance],
    in path: String,
    unless isElsewhere: (Configuration.Acceptance) -> Bool
  ) {
    var used: Set<Int> = []
    func reason(_ finding: Finding) -> String? {
      var result: String?
      for (index, acceptance) in acceptances.enumerated() where acceptance.fits(finding) {
        used.insert(index)
        result = result ?? acceptance.reason
      }
      return result
    }
    func split(_ findings: inout [Finding], file: String? = nil) {
      findings.removeAll { finding in
        var whole = finding
        whole.place.file = finding.place.file ?? file
        guard let reason = reason(whole) else { return false }
        accepted.append(AcceptedFinding(finding: whole, reason: reason))
        return true
      }
    }
    for index in mappings.indices {
      split(&mappings[index].findings, file: mappings[index].path)
    }
    split(&findings)
    let left = allFindings
    for (index, acceptance) in acceptances.enumerated()
    where !used.contains(index) && !isElsewhere(acceptance) {
      let other = left.first { $0.change != nil && acceptance.fitsPlace(of: $0) }?.change
      findings.append(
        Finding(
          .acceptanceFitsNothing,
          .warning,
          at: Finding.Place(file: path, line: acceptance.line),
          message: "\(acceptance.text) is accepted, and there is no such finding"
            + (other.map { ": the one at that place is about another change, \($0)." } ?? "."),
          remedy: other.map { "If that may pass, write `change: \($0)` into the entry." }
            ?? "Remove the entry, or correct its code, place or version."
        )
      )
    }
  }
}
