import ObjectModel
import StoreAccess

extension CompiledHop {
  /// Validates all objects of the checkpoint against the rules of their model, as Core Data does
  /// with those of a custom mapping.
  ///
  /// - Complexity: As ``StoreValidator/report(on:)`` has.
  func validate(on connection: borrowing SQLiteConnection) throws {
    let report = try StoreValidator(schema: destination, looksAtTypes: false).report(on: connection)
    guard let first = report.violations.first else { return }
    let code = Self.planned(first.code).rawValue
    let listed = report.violations.prefix(20).map(\.description).joined(separator: "; ")
    let more = report.violations.count > 20 ? "; and \(report.violations.count - 20) more" : ""
    var error = MigrationError(
      .failed,
      "\(code): the objects that the mapping made break rules of their model: \(listed)\(more).",
      recovery: "Correct the mapping, or the rows with the app first."
    )
    error.refusal = code
    throw error
  }

  /// Returns the code by which a plan reports that rows would break a rule.
  private static func planned(_ code: FindingCode) -> FindingCode {
    switch code {
    case .requiredValueMissing: .requiredWithoutDefault
    // The constraints of the source were asked about before.
    case .valueNotUnique: .uniquenessAdded
    case .tooFewDestinations, .tooManyDestinations, .requiredDestinationMissing: .countsTightened
    default: code
    }
  }
}
