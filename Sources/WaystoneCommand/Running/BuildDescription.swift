private import CBuild
internal import ModelImport
internal import StoreAccess
internal import StoreMigration
internal import XMLParsing

/// A build of the command: its version and commit, and the libraries and the compiler that it has.
enum BuildDescription {
  /// The address of the documentation of this release, where Scripts/package was given one.
  static var site: String? {
    let text = String(cString: waystone_documentation())
    return text.isEmpty ? nil : text
  }

  /// Returns whether arguments ask for it: `waystone --version --verbose`.
  static func isWanted(by arguments: [String]) -> Bool {
    arguments.count == 2 && arguments.contains("--version")
      && (arguments.contains("--verbose") || arguments.contains("-v"))
  }

  /// Returns a line for each part, and for the policies and handlers that were built in.
  static func text(_ registry: MigrationRegistry) -> String {
    let commit = String(cString: waystone_commit())
    let swift = Int(waystone_swift_version())
    let built = [("policies", registry.policyNames), ("handlers", registry.handlerNames)]
      .filter { !$0.1.isEmpty }
      .map { "\($0.0) \($0.1.joined(separator: ", "))\n" }.joined()
    return """
      waystone \(WaystoneProgram.version)
      commit   \(commit.isEmpty ? "not stated: built from source" : commit)
      SQLite   \(SQLiteLibrary.version)
      libxml2  \(XMLLibrary.version)
      Swift    \(swift / 10_000).\(swift / 100 % 100).\(swift % 100)
      \(built)
      """
  }
}
