internal import ArgumentParser

/// Where mappings are taken from, as an option.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .customLong("mappings"),
    help: ArgumentHelp(
      "A mapping, or a folder of them. (default: as waystone.yml says, else those with the models)",
      valueName: "path"
    )
  )
  var paths: [String] = []
}
