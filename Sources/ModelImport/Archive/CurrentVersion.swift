import ObjectModel

/// What `.xccurrentversion` says: an XML property list whose only key names a version's folder.
enum CurrentVersion: Hashable {
  /// The name of the version's folder, with its extension.
  case named(String)
  /// The property list names none.
  case unnamed
  /// There is no such file.
  case absent
  /// The file cannot be read, for this reason.
  case unreadable(String)

  var name: String? { if case .named(let name) = self { name } else { nil } }

  /// What the file in an `.xcdatamodeld` says.
  static func read(in folder: FilePath) -> CurrentVersion {
    let path = folder.appending(".xccurrentversion")
    guard path.kind != .missing else { return .absent }
    do {
      let root = try XMLTree.parse(try path.bytes(limit: 1 << 20), file: path.string)
      guard root.name == "plist", let dictionary = root.children.first,
        dictionary.name == "dict"
      else { return .unreadable("It is no property list.") }
      let pairs = zip(dictionary.children, dictionary.children.dropFirst())
      for (key, value) in pairs where key.name == "key" && value.name == "string" {
        if key.text == "_XCCurrentVersionName", !value.text.isEmpty { return .named(value.text) }
      }
      return .unnamed
    } catch { return .unreadable(error.message) }
  }

  /// What is to be said about it, given the versions beside it.
  func finding(versions: [ModelVersion], folder: FilePath) -> Finding? {
    let problem: String
    switch self {
    case .named where versions.contains(where: \.isCurrent): return nil
    case .named(let name): problem = "names \(name), which is not there"
    case .unnamed: problem = "names no version"
    case .absent: problem = "is missing"
    case .unreadable(let why): problem = "cannot be read (\(why))"
    }
    return Finding(
      .currentVersionUnknown,
      versions.count > 1 ? .warning : .note,
      at: Finding.Place(file: folder.string),
      message: "The .xccurrentversion of \(folder.name) \(problem); the last version in the order "
        + "of names counts as current.",
      remedy: "Set the model version in Xcode's file inspector."
    )
  }
}
