internal import MigrationPlanning
internal import ObjectModel
internal import Synchronization

/// An index of the steps of a history by the findings that they have.
final class StepCauses: Sendable {
  private struct Key: Hashable {
    let code: FindingCode
    let subject: String?
  }

  private let steps: [VersionGraph.Edge]
  private let index = Mutex<[Key: [Int]]?>(nil)

  init(_ steps: [VersionGraph.Edge]) { self.steps = steps }

  /// Returns the indexes of the steps that have a finding of this code and subject, in their order.
  ///
  /// - Parameter findings: Returns the findings on a step; called once for each.
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
