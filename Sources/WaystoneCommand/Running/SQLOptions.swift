internal import ArgumentParser
internal import MigrationPlanning
internal import StoreMigration
internal import Waystone

/// The options on whether SQL of mapping files may run.
struct SQLOptions: ParsableArguments {
  @Flag(
    name: .customLong("allow-sql"),
    help: ArgumentHelp(
      "Run the SQL of hop files and staged migrations.",
      discussion: "Without it only the SQL of files that waystone.yml allows runs."
    )
  )
  var allowsAll = false

  /// Returns the SQL of a plan that may run.
  func allowance(for plan: MigrationPlan, in project: Project) -> SQLAllowance {
    allowsAll ? .all : project.allowedSQL(of: plan)
  }
}
