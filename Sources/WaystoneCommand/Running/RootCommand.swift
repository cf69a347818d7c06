internal import ArgumentParser

/// The command `waystone` itself, which only holds the verbs together.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waystone",
    abstract: "Find out what the next release does to users' data; migrate Core Data stores.",
    discussion: """
      Before a release, in the app's repository:

        waystone init        writes waystone.yml and a workflow for CI
        waystone check       what the new version loses
        waystone coverage    what becomes of every version that users have
        waystone lock        after the release: writes down the versions that users have

      With a store, without Core Data:

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
          RollbackCommand.self, CleanCommand.self, FinishCommand.self, PoliciesCommand.self,
        ]
      ),
      CommandGroup(name: "Migrating many stores", subcommands: [BatchCommand.self]),
      CommandGroup(
        name: "Looking at stores",
        subcommands: [
          VerifyCommand.self, ValidateCommand.self, DigestCommand.self, CompareCommand.self,
          QueryCommand.self, DumpCommand.self, GenerateCommand.self,
        ]
      ),
      CommandGroup(
        name: "Looking at versions",
        subcommands: [
          VersionsCommand.self, GraphCommand.self, ExplainCommand.self, DiffCommand.self,
          ExportCommand.self, FreezeCommand.self,
        ]
      ),
      CommandGroup(
        name: "The command itself",
        subcommands: [CompletionsCommand.self, BatchWorkerCommand.self]
      ),
    ]
  )
}
