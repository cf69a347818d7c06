internal import MigrationPlanning
internal import ObjectModel
internal import Synchronization

/// Where in a history something is told, looked up by what is told.
final class StepCauses: Sendable {
  private struct Key: Hashable {
    let code: FindingCode
    let subject: String?
  }

  private let steps: [VersionGraph.Edge]
  private let index = Mutex<[Key: [Int]]?>(nil)

  init(_ steps: [VersionGraph.Edge]) { self.steps = steps }

  /// The places of the steps at which a finding of this code tells of the same subject, in their order.
  ///
  /// - Parameter findings: What is told of a step; asked once of each.
  func places(of cause: Finding, _ findings: (VersionGraph.Edge) -> [Finding]) -> [Int] {
    index.withLock { index in
      let known = index ?? made(findings)
      index = known
      return known[Key(code: cause.code, subject: cause.place.subject)] ?? []
    }
  }

  private func made(_ findings: (VersionGraph.Edge) -> [Finding]) -> [Key: [Int]] {
    var places: [Key: [Int]] = [:]
    for (place, step) in steps.enumerated() {
      let keys = Set(findings(step).map { Key(code: $0.code, subject: $0.place.subject) })
      for key in keys { places[key, default: []].append(place) }
    }
    return places
  }
}
