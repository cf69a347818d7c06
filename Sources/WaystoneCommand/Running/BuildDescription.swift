private import CBuild
internal import ModelImport
internal import StoreAccess

/// A build of the command: its version and commit, and the libraries and the compiler that it has.
enum BuildDescription {
  /// Whether arguments ask for it: `waystone --version --verbose`.
  static func isWanted(by arguments: [String]) -> Bool {
    arguments.count == 2 && arguments.contains("--version")
      && (arguments.contains("--verbose") || arguments.contains("-v"))
  }

  /// A line for each part.
  static var text: String {
    let commit = String(cString: waystone_commit())
    let swift = Int(waystone_swift_version())
    return """
      waystone \(WaystoneProgram.version)
      commit   \(commit.isEmpty ? "not stated: built from source" : commit)
      SQLite   \(SQLiteLibrary.version)
      libxml2  \(XMLLibrary.version)
      Swift    \(swift / 10_000).\(swift / 100 % 100).\(swift % 100)

      """
  }
}
