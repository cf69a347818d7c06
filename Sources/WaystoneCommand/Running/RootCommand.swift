internal import ArgumentParser

/// `waystone` itself, which only holds the verbs together.
struct RootCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waystone",
    abstract: "Migrate Core Data SQLite stores without Core Data.",
    discussion: """
      Waystone finds the version of a store by its hashes, plans a path to the version you want, \
      walks it hop by hop with a checkpoint at each, and verifies the result.

        waystone inspect Store.sqlite --models App/Models
        waystone plan Store.sqlite --to v4
        waystone migrate Store.sqlite --to v4

      Exit status: 0 done; 1 the answer is no; 2 usage or configuration; 3 no path or unknown \
      version; 4 failed, original kept; 5 verification failed, original kept; 6 in use; \
      7 interrupted, resumable; 65 damaged input; 66 missing input; 73 cannot create output; \
      74 I/O error.
      """,
    version: WaystoneProgram.version,
    subcommands: [
      InspectCommand.self, VersionsCommand.self, GraphCommand.self, PlanCommand.self,
      ExplainCommand.self,
      MigrateCommand.self, ResumeCommand.self, RollbackCommand.self, CleanCommand.self,
      VerifyCommand.self,
      ValidateCommand.self, FinishCommand.self,
      DigestCommand.self, CompareCommand.self, GenerateCommand.self, DiffCommand.self,
      ExportCommand.self, CheckCommand.self, CoverageCommand.self, LockCommand.self,
      HeadsCommand.self, PruneCommand.self, InitCommand.self, RulesCommand.self,
    ]
  )
}
