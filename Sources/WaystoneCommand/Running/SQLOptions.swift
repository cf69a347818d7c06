internal import ArgumentParser
internal import MigrationPlanning
internal import StoreMigration
internal import Waystone

/// Whether SQL of mapping files may run.
struct SQLOptions: ParsableArguments {
  @Flag(
    name: .customLong("allow-sql"),
    help: ArgumentHelp(
      "Run the SQL of hop files and staged migrations.",
      discussion: "Without it only the SQL of files that waystone.yml allows runs."
    )
  )
  var allowsAll = false

  /// What may run of a plan.
  func allowance(
    for plan: MigrationPlan,
    in loaded: LoadedArchive,
    _ console: Console
  ) -> SQLAllowance {
    allowsAll ? .all : loaded.allowedSQL(of: plan, console)
  }
}

extension LoadedArchive {
  /// The SQL of a plan that the configuration allows.
  func allowedSQL(of plan: MigrationPlan, _ console: Console) -> SQLAllowance {
    guard let configuration else { return .none }
    let paths = plan.hops.flatMap(\.origins).map(\.path)
    return .files(Set(paths.filter { configuration.allowsSQL(ofFileAt: console.resolved($0)) }))
  }
}
