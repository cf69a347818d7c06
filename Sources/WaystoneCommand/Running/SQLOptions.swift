internal import ArgumentParser
internal import StoreMigration

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

  /// The SQL that the command line allows.
  var allowance: SQLAllowance { allowsAll ? .all : .none }
}
