internal import ArgumentParser

/// The option for the lock's path.
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
