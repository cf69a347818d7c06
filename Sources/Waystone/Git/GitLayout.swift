internal import Files

/// The files of git in a folder that is a repository's work tree.
struct GitLayout {
  /// The folder of the work tree.
  let root: String
  /// The folder with the files of this work tree alone, such as `HEAD`.
  let own: String
  /// The folder with the files that all work trees of the repository share.
  let common: String

  /// The objects of the repository.
  var objects: String { "\(common)/objects" }

  /// The most bytes of a file that has one line.
  private static let lineLimit = 64 << 10
  /// The most bytes of a list of references or alternates.
  private static let listLimit = 256 << 20
  /// The most files of references that are read.
  private static let referenceLimit = 500_000

  /// Finds the repository around a folder; nil where there is none.
  ///
  /// - Parameter path: The path of the folder, or of a file in it, without symbolic links.
  /// - Throws: ``FileError``, `notPlain` where a pipe or a device has the name of a part.
  init?(around path: String) throws(FileError) {
    var root = try FileSystem.status(path)?.kind == .file ? FileSystem.folder(of: path) : path
    while true {
      let path = root == "/" ? "/.git" : "\(root)/.git"
      switch try FileSystem.status(path)?.kind {
      case nil where root == "/" || root == ".": return nil
      case nil: root = FileSystem.folder(of: root)
      case .folder:
        self.root = root
        own = path
        common = try Self.common(of: path)
        return
      default:
        // In a work tree beside the first one, and in a submodule, a file names the folder.
        let text = try Self.line(path)
        guard let text, text.hasPrefix("gitdir: ") else {
          throw FileError(
            code: .notPlain,
            message: "\(path) does not name the folder of a repository",
            recovery: "See what `git status` says in \(root)."
          )
        }
        self.root = root
        own = Self.joined(root, String(text.dropFirst(8)))
        common = try Self.common(of: own)
        return
      }
    }
  }

  private static func common(of folder: String) throws(FileError) -> String {
    try line("\(folder)/commondir").map { joined(folder, $0) } ?? folder
  }

  private static func joined(_ folder: String, _ path: String) -> String {
    path.hasPrefix("/") ? path : "\(folder)/\(path)"
  }

  /// Returns the first line of a plain file; nil where there is none.
  private static func line(_ path: String) throws(FileError) -> String? {
    try text(path, limit: lineLimit).map { text in
      String(text.prefix { !$0.isNewline })
    }
  }

  private static func text(_ path: String, limit: Int) throws(FileError) -> String? {
    guard try FileSystem.status(path) != nil else { return nil }
    let file = try OpenFile(plainFile: FileSystem.resolved(path), limit: Int64(limit))
    return String(decoding: try file.read(count: Int(file.status().size), at: 0), as: UTF8.self)
  }

  // MARK: References

  /// The files of one reference each that git keeps beside `HEAD`.
  private static let pseudoReferences = ["FETCH_HEAD", "MERGE_HEAD", "ORIG_HEAD"]

  /// Returns the branch or the commit that `HEAD` names.
  ///
  /// - Throws: ``FileError`` where it cannot be read.
  func head() throws(FileError) -> String {
    let path = "\(own)/HEAD"
    let line = try Self.line(path)?.trimmingSpaces ?? ""
    let name = line.hasPrefix("ref:") ? line.dropFirst(4).description.trimmingSpaces : line
    guard Self.isHash(line) || (name != line && Self.isName(name)) else {
      throw FileError(
        code: .notPlain,
        message: "\(path) names no branch and no commit",
        recovery: "See what `git status` says in \(root)."
      )
    }
    return name == line ? name : "ref: \(name)"
  }

  /// Returns the hash of each branch, tag or other reference, by name.
  ///
  /// - Throws: ``FileError`` where one cannot be read.
  func references() throws(FileError) -> [String: String] {
    guard try FileSystem.status("\(common)/reftable") == nil else {
      throw FileError(
        code: .unsupported,
        message: "\(common) keeps its references as a reftable, which Waystone does not read",
        recovery: "Change the form: `git refs migrate --ref-format=files`."
      )
    }
    var result: [String: String] = [:]
    for line in try (Self.text("\(common)/packed-refs", limit: Self.listLimit) ?? "")
      .split(separator: "\n")
    {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, Self.isHash(String(parts[0])), Self.isName(String(parts[1])) else {
        continue
      }
      result[String(parts[1])] = String(parts[0])
    }
    var symbolic: [String: String] = [:]
    try readReferences("refs", &result, &symbolic)
    for name in Self.pseudoReferences {
      let hash = try Self.line("\(own)/\(name)")?.prefix { $0.isHexDigit }.description
      if let hash, Self.isHash(hash) { result[name] = hash }
    }
    for (name, target) in symbolic {
      var target = target
      for _ in 0..<5 { target = symbolic[target] ?? target }
      result[name] = result[target]
    }
    return result
  }

  /// Reads the references that have a file each.
  private func readReferences(
    _ folder: String,
    _ result: inout [String: String],
    _ symbolic: inout [String: String]
  ) throws(FileError) {
    guard try FileSystem.status("\(common)/\(folder)")?.kind == .folder else { return }
    for entry in try FileSystem.entries(ofFolder: "\(common)/\(folder)") {
      guard let part = entry.name, Self.isName(part) else { continue }
      let name = "\(folder)/\(part)"
      if try FileSystem.status("\(common)/\(name)")?.kind == .folder {
        guard name.utf8.count < 1000 else { continue }
        try readReferences(name, &result, &symbolic)
        continue
      }
      guard result.count < Self.referenceLimit, !part.hasSuffix(".lock") else { continue }
      let line = try Self.line("\(common)/\(name)")?.trimmingSpaces ?? ""
      if Self.isHash(line) {
        result[name] = line
      } else if line.hasPrefix("ref:") {
        result[name] = nil
        symbolic[name] = line.dropFirst(4).description.trimmingSpaces
      }
    }
  }

  /// Returns the commits that a shallow clone ends with.
  ///
  /// - Throws: ``FileError`` where they cannot be read.
  func shallow() throws(FileError) -> [String] {
    try (Self.text("\(common)/shallow", limit: Self.listLimit) ?? "").split(separator: "\n")
      .map(String.init).filter(Self.isHash)
  }

  /// Returns whether a text is the hash of an object: of SHA-1, or of SHA-256.
  static func isHash(_ text: String) -> Bool {
    (text.utf8.count == 40 || text.utf8.count == 64)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.contains("..") && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f }
  }

  // MARK: Objects

  /// Refuses objects on which git would wait: a pipe or a device, also among those of another
  /// repository that this one borrows.
  ///
  /// - Throws: ``FileError``, `notPlain`.
  func checkObjects() throws(FileError) {
    var rest = [objects]
    var seen: Set<String> = []
    while let folder = rest.popLast() {
      guard seen.insert(folder).inserted, seen.count <= 100 else { continue }
      guard try FileSystem.status(folder)?.kind == .folder else {
        if folder == objects { throw FileError(number: 2, deed: "read", path: folder) }
        continue
      }
      try Self.check(folder, depth: 3)
      for line in try (Self.text("\(folder)/info/alternates", limit: Self.listLimit) ?? "")
        .split(separator: "\n") where !line.hasPrefix("#")
      { rest.append(Self.joined(folder, String(line))) }
    }
  }

  private static func check(_ folder: String, depth: Int) throws(FileError) {
    for entry in try FileSystem.entries(ofFolder: folder) {
      guard let name = entry.name else { continue }
      let path = "\(folder)/\(name)"
      switch try FileSystem.status(path)?.kind {
      case nil, .file: continue
      case .folder: if depth > 0 { try check(path, depth: depth - 1) }
      case let kind?: try FileError.requirePlain(kind, path)
      }
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: String {
    var text = self[...]
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text.drop { $0 == " " || $0 == "\t" })
  }
}
