internal import Files
internal import Waystone

extension StoreSearch {
  /// Searches all paths that match a pattern; a refused one is an oddity.
  ///
  /// - Throws: ``Refusal`` where nothing matches it, and the errors of the closure.
  mutating func search(
    _ pattern: PathPattern,
    shownAs shown: String,
    _ body: (FoundStore) throws -> Void
  ) throws {
    let name: String
    let root: Folder
    do throws(FileError) {
      name = try rootName(pattern.folder)
      root = try Folder(following: pattern.folder)
    } catch {
      throw Refusal(
        error: error.code == .missing ? Self.nothing(shown) : InputFile.unreadable(shown, error)
      )
    }
    var count = 0
    var failures: [(String, FileError)] = []
    try pattern.expand(in: root) { path in
      count += 1
      let full = path.isEmpty ? pattern.folder : Self.joined(pattern.folder, path)
      if try Self.leadsIntoWorkspace(full) { return }
      try searchItem(at: full, name: Self.joined(name, path), shownAs: full, body)
    } orTell: {
      failures.append(($0, $1))
    }
    for (path, error) in failures { tellUnreadable(Self.joined(name, path), error) }
    if count == 0, failures.isEmpty { throw Refusal(error: Self.nothing(shown)) }
  }

  /// Searches one of several things that were not named themselves.
  ///
  /// - Parameter text: The user's name for it, for the report where it is not searched.
  /// - Throws: Rethrows the errors of the closure.
  mutating func searchItem(
    at path: String,
    name: String,
    shownAs text: String,
    _ body: (FoundStore) throws -> Void
  ) throws {
    let shown = ShownName.of(text)
    do { try search(at: path, name: name, shownAs: shown, body) } catch let refusal as Refusal {
      tally.add(shown, "\(refusal.error.message) \(refusal.error.recovery)")
    }
  }

  private static func nothing(_ shown: String) -> WaystoneError {
    WaystoneError(
      .missingFile,
      "Nothing meets \(shown).",
      recovery: "Check the pattern: * is a part of a name, and ** any folders."
    )
  }
}
