internal import MigrationPlanning
internal import ObjectModel

extension CoverageSurvey {
  /// A finding for which a shipped version has a gap.
  struct Gap {
    /// The finding.
    let finding: Finding
    /// The index of the version in the graph of its model.
    let source: Int
    /// The findings on single steps that cause it and are not accepted, as the check reports them.
    let causes: [Finding]

    /// Returns whether findings on single versions and steps report the gap already, with its cause.
    func isReported(by findings: [Finding]) -> Bool {
      findings.contains { other in
        guard other.severity >= finding.severity else { return false }
        let isSame =
          other.code == finding.code && other.place.version == finding.place.version
          || other.code == .canonicalNamesDisagree && finding.code == .appLosesSilently
        if isSame, other.place.subject == finding.place.subject { return true }
        return causes.contains {
          $0.code == other.code && $0.place.subject == other.place.subject
        }
      }
    }
  }

  /// Returns the gaps of the shipped versions, those too that the project accepts by their own code.
  func gaps() throws -> [Gap] {
    let acceptances = project.configuration?.acceptances ?? []
    return try zip(parts, judgedModels()).flatMap { part, model in
      model.paths.flatMap { path -> [Gap] in
        let acceptance = PathAcceptance(
          acceptances: acceptances,
          path: path,
          part: part,
          names: project.names
        )
        let own = path.accepted.filter { $0.entry == nil && $0.finding.severity >= threshold }
        return (path.gaps(from: threshold) + own.map(\.finding)).map { finding in
          Gap(
            finding: finding,
            source: path.source,
            causes: acceptance.openCauses(of: finding).map(\.accepted)
          )
        }
      }
    }
  }
}
