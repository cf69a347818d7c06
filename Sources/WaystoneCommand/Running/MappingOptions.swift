internal import ArgumentParser

/// The option for the paths of mappings.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .customLong("mappings"),
    help: ArgumentHelp(
      """
      A mapping, or a folder of them; may be repeated, and those between the same versions run in this \
      order. (default: as waystone.yml says, else those with the models)
      """,
      valueName: "path"
    )
  )
  var paths: [String] = []
}
