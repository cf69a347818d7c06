internal import ArgumentParser

/// `waystone` itself, which only holds the verbs together.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waystone",
    abstract: "Migrate Core Data SQLite stores without Core Data.",
    discussion: """
      Waystone finds the version of a store by its hashes, plans a path to the version you want, \
      follows it hop by hop with a checkpoint at each, and verifies the result.

        waystone inspect Store.sqlite --models App/Models
        waystone plan Store.sqlite --to v4
        waystone migrate Store.sqlite --to v4

      Exit status: 0 done; 1 the answer is no; other codes say what went wrong. \
      `waystone help exit-codes` lists them; `help findings` and `help hop-files` explain those.
      """,
    version: WaystoneProgram.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Before a release",
        subcommands: [
          InitCommand.self, CheckCommand.self, CoverageCommand.self, LockCommand.self,
          HeadsCommand.self, PruneCommand.self, RulesCommand.self,
        ]
      ),
      CommandGroup(
        name: "Migrating a store",
        subcommands: [
          InspectCommand.self, PlanCommand.self, MigrateCommand.self, ResumeCommand.self,
          RollbackCommand.self, CleanCommand.self, FinishCommand.self,
        ]
      ),
      CommandGroup(
        name: "Looking at stores",
        subcommands: [
          VerifyCommand.self, ValidateCommand.self, DigestCommand.self, CompareCommand.self,
          GenerateCommand.self,
        ]
      ),
      CommandGroup(
        name: "Looking at versions",
        subcommands: [
          VersionsCommand.self, GraphCommand.self, ExplainCommand.self, DiffCommand.self,
          ExportCommand.self,
        ]
      ),
      CommandGroup(name: "The command itself", subcommands: [CompletionsCommand.self]),
    ]
  )
}
