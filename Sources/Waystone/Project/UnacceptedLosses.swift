internal import MigrationPlanning
internal import ObjectModel

/// What steps lose on their way into versions that no user has yet: it can still be mended, so that it
/// is an error until it is mended or accepted.
///
/// What a locked version lost is in users' stores; `policy: {loss: declared}` speaks of that alone.
struct UnacceptedLosses {
  /// The qualified names of the versions that users cannot have.
  ///
  /// Neither they nor versions of the same hashes are locked or named as shipped; where nothing says which
  /// were shipped, all.
  private let newNames: Set<String>

  /// - Parameter locked: The qualified names of the locked versions; nil where there is no lock.
  init(_ project: Project, locked: Set<String>?) throws(WaystoneError) {
    let versions = project.archive.versions
    let named = try project.configuration?.shippedNames(in: project.archive) ?? []
    let known = locked ?? named
    let stored = Set(
      versions.filter { known.contains($0.qualifiedName) }
        .map { [$0.modelName, $0.model.versionChecksum] }
    )
    newNames = Set(
      versions.filter { !stored.contains([$0.modelName, $0.model.versionChecksum]) }
        .map(\.qualifiedName)
    )
  }

  /// Whether no user can have stores of a version.
  func isNew(_ version: ModelVersion) -> Bool { newNames.contains(version.qualifiedName) }

  /// The findings on a step or a mapping into a new version, those that name a loss as errors.
  func raised(_ findings: [Finding]) -> [Finding] {
    findings.map { finding in
      guard finding.risk.map({ $0 >= .lossy }) == true, finding.severity > .note else {
        return finding
      }
      var finding = finding
      finding.severity = .error
      finding.remedy += " If the loss is meant, accept it with a reason in waystone.yml."
      return finding
    }
  }

  /// The losses of a model's inferred and hand-written steps into new versions.
  ///
  /// - Parameter last: The version up to which they count.
  func findings(in graph: VersionGraph, upTo last: VersionNode) -> [Finding] {
    graph.consecutiveEdges.filter { edge in
      edge.destination <= last.index && isNew(graph.nodes[edge.destination].version)
    }
    .flatMap { raised($0.findings) }.filter { $0.severity == .error }
  }
}

extension Finding {
  /// Whether it names what a step loses, and fails for it.
  package var isLoss: Bool { severity == .error && risk.map { $0 >= .lossy } == true }
}

extension [Finding] {
  /// The losses first, then errors, warnings and notes, each in the order in which they were.
  package var worstFirst: [Finding] {
    filter(\.isLoss)
      + Finding.Severity.allCases.reversed().flatMap { severity in
        filter { $0.severity == severity && !$0.isLoss }
      }
  }
}
