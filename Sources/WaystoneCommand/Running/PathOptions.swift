internal import ArgumentParser
internal import Waystone

/// The options that choose a plan's path.
struct PathOptions: ParsableArguments {
  @Flag(
    name: .customLong("history"),
    help: "Stop at every version of the history, also where a shortcut is equivalent."
  )
  var followsHistory = false

  @Option(
    name: .customLong("via"),
    help: ArgumentHelp("Stop at this version; may be repeated.", valueName: "version")
  )
  var via: [String] = []

  @Option(
    name: .customLong("avoid"),
    help: ArgumentHelp("Do not stop at this version; may be repeated.", valueName: "version")
  )
  var avoided: [String] = []

  @Option(
    name: .customLong("prefer"),
    help: ArgumentHelp(
      "Stop at this version, or take this edge, where that costs only hops; may be repeated.",
      valueName: "version|from..to"
    )
  )
  var preferred: [String] = []

  @Option(
    name: .customLong("accept-shortcut"),
    help: ArgumentHelp(
      "Allow this edge although it loses what the history carries; may be repeated.",
      valueName: "from..to"
    )
  )
  var acceptedShortcuts: [String] = []

  @Flag(help: "Allow a plan to an older version.")
  var downgrade = false

  /// Adds the options to those of the planner.
  ///
  /// - Parameters:
  ///   - names: The names by which versions are called.
  ///   - modelName: The model that is planned for.
  func apply(
    to options: inout PlanningOptions,
    _ names: VersionNames,
    of modelName: String
  ) throws(WaystoneError) {
    func version(_ text: String) throws(WaystoneError) -> String {
      try names.version(text, preferring: modelName).qualifiedName
    }
    func edge(_ text: String) throws(WaystoneError) -> PlanningOptions.VersionPair? {
      guard let (first, last) = Self.ends(text) else { return nil }
      return PlanningOptions.VersionPair(source: try version(first), destination: try version(last))
    }
    options.followsHistory = followsHistory
    options.allowDowngrade = downgrade
    for text in via { options.via.append(try version(text)) }
    for text in avoided { options.avoided.append(try version(text)) }
    for text in preferred {
      if let pair = try edge(text) {
        options.preferredEdges.append(pair)
      } else {
        options.preferredVersions.append(try version(text))
      }
    }
    for text in acceptedShortcuts {
      guard let pair = try edge(text) else {
        throw WaystoneError(
          .badArgument,
          "\(text) is no edge.",
          recovery: "Name both versions: --accept-shortcut v1..v4."
        )
      }
      options.acceptedShortcuts.append(pair)
    }
  }

  /// Returns the names on both sides of two dots.
  private static func ends(_ text: String) -> (String, String)? {
    let characters = Array(text)
    guard
      let dots = characters.indices.dropLast().first(where: {
        characters[$0] == "." && characters[$0 + 1] == "."
      }), dots > 0, dots + 2 < characters.count
    else { return nil }
    return (String(characters[..<dots]), String(characters[(dots + 2)...]))
  }
}
