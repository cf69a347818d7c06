public import MigrationPlanning
import ObjectModel

/// The SQL of hop files and staged migrations that may run.
///
/// Such a file may come from anywhere, and its SQL changes the store's rows as its writer likes.
/// Even allowed SQL never leaves the file that is made.
public enum SQLAllowance: Hashable, Sendable {
  /// None.
  case none
  /// The SQL of the files at these paths, as the origins of a plan's hops name them.
  case files(Set<String>)
  /// All.
  case all

  /// Returns the allowance with the SQL of more files.
  package func adding(_ paths: Set<String>) -> SQLAllowance {
    switch self {
    case .all: .all
    case .none: .files(paths)
    case .files(let others): .files(others.union(paths))
    }
  }

  /// Returns the files of a hop whose SQL may not run; nil where the hop may run.
  ///
  /// Empty for a hop of no file, as one that a program made.
  public func refused(_ hop: Hop) -> [AuthoredEdge.Origin]? {
    let actions = hop.mapping.actionsBefore + hop.mapping.actionsAfter
    let hasSQL = actions.contains { if case .sql = $0 { true } else { false } }
    guard hasSQL else { return nil }
    switch self {
    case .all: return nil
    case .none: return hop.origins
    case .files(let paths):
      let others = hop.origins.filter { !paths.contains($0.path) }
      return others.isEmpty && !hop.origins.isEmpty ? nil : others
    }
  }

  /// Returns a sentence about the SQL of a hop that is not allowed; nil where the hop may run.
  public func refusal(of hop: Hop) -> String? {
    guard let files = refused(hop) else { return nil }
    let names = files.map(\.fileName).joined(separator: ", ")
    return "The hop from \(hop.source.name) to \(hop.destination.name) runs SQL"
      + (names.isEmpty ? "." : " of \(names).")
  }

  /// The advice about SQL that is not allowed.
  public static let remedy =
    "Read the SQL of the file. To run it: --allow-sql, or the file's path below `allowSQL:` in "
    + "waystone.yml."

  /// The code of the refusal of SQL that is not allowed, which no finding reports.
  package static let refusal = "foreignSQL"

  /// Refuses a plan with SQL that is not allowed, before anything is opened.
  ///
  /// - Throws: ``MigrationError`` with `refused`, which names the files.
  func check(_ plan: MigrationPlan) throws(MigrationError) {
    for hop in plan.hops {
      guard let refusal = refusal(of: hop) else { continue }
      var error = MigrationError(.refused, refusal, recovery: Self.remedy)
      error.refusal = Self.refusal
      throw error
    }
  }
}
