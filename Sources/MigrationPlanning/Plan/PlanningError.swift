package import ObjectModel

/// The reason why there is no plan.
package struct PlanningError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
  package enum Code: Hashable, Sendable {
    /// The store's hashes match no version; the nearest version, and the entities in which they differ.
    case unknownStoreVersion(nearest: String?, differing: [String])
    /// The store holds entities of several models, which are planned one by one.
    case mergedModels([String])
    /// The store holds one configuration's entities only.
    case configurationOnly(String)
    /// The archive has no such version.
    case unknownVersion(String)
    /// The destination has no path; the name of the furthest version that can be reached.
    case unreachable(furthest: String)
    /// A path leads there, and the options do not allow it.
    case notAllowed
    /// The options name a version that no plan between the two can stop at, or can avoid.
    case notOnPath(String)
    /// The destination is older than the source.
    case downgrade
    /// The two versions are on different branches, and neither follows from the other.
    case differentBranches
    /// The branches between the two versions meet and map objects differently; the names of the version
    /// where they meet, and of the last version of each.
    case branchesDisagree(at: String, over: [String])
  }

  /// A step that cannot be taken, and why.
  package struct BlockedStep: Hashable, Sendable {
    /// The name of the version that it would leave.
    package let source: String
    /// The name of the version that it would lead to.
    package let destination: String
    /// The findings that block the step.
    package let reasons: [Finding]
  }

  /// The reason for the error.
  package let code: Code
  /// A sentence that describes the error.
  package let statement: Finding.Text
  /// The remedy for the user.
  package let advice: Finding.Text
  /// The steps that would continue the path, each with the findings that block it, shortest first.
  package var blockedSteps: [BlockedStep] = []

  /// The description of the error, in words.
  package var message: String { statement.text }
  /// The remedy, in words.
  package var recovery: String { advice.text }

  /// All findings that block the path, step by step.
  package var blockingFindings: [Finding] { blockedSteps.flatMap(\.reasons) }
}

extension PlanningError: CustomStringConvertible {
  /// The message and the remedy.
  package var description: String { "\(message) \(recovery)" }
}
