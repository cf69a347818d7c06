internal import ArgumentParser

/// Where the lock is, as an option.
struct LockOptions: ParsableArguments {
  @Option(
    name: .customLong("lock"),
    help: ArgumentHelp(
      "The lock. (default: waystone.lock beside waystone.yml, else with the models)",
      valueName: "file"
    )
  )
  var path: String?
}
