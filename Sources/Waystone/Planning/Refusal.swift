internal import MigrationPlanning
package import ObjectModel
internal import StoreMigration

/// A reason for which a run of a plan does not begin, under a code that each verb gives the same fact.
package struct Refusal: Hashable, Sendable {
  /// The code of the finding (`WS523`), or that of SQL that is not allowed, which no finding reports.
  package let code: String
  /// The sentence that names the refused place.
  package let message: String
  /// The next thing to do.
  package let remedy: String
  /// The finding that reports it, where one does.
  package let finding: Finding?
  /// The option that lifts it, where only the user's consent is missing.
  package let option: String?
  /// Whether the plan or the program causes it, rather than the store.
  package let isOfPlan: Bool

  /// The refusal of a store, or of a plan, that a finding reports.
  init(_ finding: Finding, isOfPlan: Bool = false) {
    code = finding.code.rawValue
    message = finding.message
    remedy = finding.remedy
    self.finding = finding
    self.isOfPlan = isOfPlan
    option = nil
  }

  /// The refusal of names that nothing settles.
  ///
  /// - Parameters:
  ///   - reason: The sentence that names it.
  ///   - remedy: The next thing to do, where a store of Core Data's own does not settle it.
  init(unprovenName finding: Finding, _ reason: String, remedy: String? = nil) {
    code = finding.code.rawValue
    message = reason
    self.remedy =
      remedy ?? "Give such a store. Only on a copy, accept the guess: --accept-unproven-names."
    self.finding = finding
    isOfPlan = true
    option = "--accept-unproven-names"
  }

  /// The refusal of an inferred step that a mapping model which cannot be read may be for.
  init(unreadMapping finding: Finding) {
    let place = finding.place.file.map { "\($0): " } ?? ""
    code = finding.code.rawValue
    message = place + finding.message
    remedy = finding.remedy
    self.finding = finding
    isOfPlan = true
    option = nil
  }

  /// The refusal of SQL that is not allowed to run.
  init(foreignSQL reason: String) {
    code = SQLAllowance.refusal
    message = reason
    remedy = SQLAllowance.remedy
    finding = nil
    isOfPlan = true
    option = "--allow-sql"
  }

  /// The error that a run ends with for the same reason.
  package var error: WaystoneError {
    let reason: WaystoneError.Code =
      isOfPlan ? .blocked : finding?.code == .entityNumbersWrong ? .badFile : .refused
    var error = WaystoneError(reason, message, recovery: remedy)
    error.take(refusal: code)
    return error
  }
}
