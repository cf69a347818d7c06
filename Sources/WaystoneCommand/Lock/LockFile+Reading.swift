internal import Files
internal import ObjectModel
internal import StoreAccess

extension LockFile {
  /// The file at a path, or nil where there is none.
  ///
  /// - Throws: ``CommandError`` naming file and line where it cannot be used.
  package static func read(_ path: String, shownAs shown: String) throws(CommandError) -> LockFile?
  {
    guard let status = try InputFile.status(path, shownAs: shown) else { return nil }
    guard status.kind == .file else {
      throw CommandError(
        .missingFile,
        "\(shown) cannot be read.",
        recovery: "Check its permissions, and that it is a file."
      )
    }
    guard status.size <= limit else {
      throw error(shown, nil, "The file is larger than \(limit >> 20) MiB.")
    }
    return try parse(InputFile.bytes(of: path, shownAs: shown, limit: limit), path: shown)
  }

  /// The file that some bytes are.
  ///
  /// - Throws: ``CommandError`` naming file and line where it cannot be used.
  package static func parse(_ bytes: [UInt8], path: String) throws(CommandError) -> LockFile {
    var parser = LockParser(path: path)
    var number = 0
    for var line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      try parser.take(line, number)
    }
    return LockFile(versions: try parser.finish())
  }

  /// An error at a line of the file.
  static func error(
    _ path: String,
    _ line: Int?,
    _ message: String,
    recovery: String = "Take the file from the project's history, then run `waystone lock`."
  ) -> CommandError {
    let place = line.map { "\(path):\($0)" } ?? path
    return CommandError(.badFile, "\(place): \(message)", recovery: recovery)
  }
}

/// Reads a lock line by line.
private struct LockParser {
  let path: String
  private var hasHeader = false
  private var entities: [String: EntityOutline] = [:]
  private var versions: [(version: LockFile.Version, digests: [String])] = []
  private var lines: [String: Int] = [:]

  init(path: String) { self.path = path }

  mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws(CommandError) {
    for mark in ["<<<<<<<", "=======", ">>>>>>>", "|||||||"] where line.starts(with: mark.utf8) {
      throw LockFile.error(
        path,
        number,
        "A merge left its conflict here.",
        recovery: "Remove the lines with marks and keep the others of both sides, each once; then "
          + "run `waystone check` and `waystone heads`."
      )
    }
    guard hasHeader else {
      try takeHeader(line, number)
      return
    }
    guard let first = line.first, first != UInt8(ascii: "#") else { return }
    guard var words = LockToken.words(of: line)?[...], let kind = words.popFirst(),
      !kind.isQuoted, kind.value == nil
    else { throw damaged(number) }
    switch kind.name {
    case "entity": try takeEntity(words, number)
    case "version": try takeVersion(words, number)
    default: throw damaged(number)
    }
  }

  /// The versions with their entities, once all lines are read.
  func finish() throws(CommandError) -> [LockFile.Version] {
    guard hasHeader else { throw LockFile.error(path, 1, "The file is empty.") }
    return try versions.map { version, digests throws(CommandError) in
      var version = version
      version.entities = try digests.map { digest throws(CommandError) in
        guard let entity = entities[digest] else {
          throw LockFile.error(
            path,
            version.line,
            "\(version.qualifiedName) has an entity \(digest) of which no line tells: a merge "
              + "dropped it.",
            recovery: "Bring the line back that begins with `entity` and has \(digest)."
          )
        }
        return entity
      }
      try check(version)
      return version
    }
  }

  /// Refuses a version whose checksum is not that of its entities.
  private func check(_ version: LockFile.Version) throws(CommandError) {
    var hash = SHA256()
    for entity in version.entities { hash.update(entity.hash.bytes) }
    let names = version.entities.map(\.name)
    guard Base64.string(hash.finalize()) == version.checksum,
      zip(names, names.dropFirst()).allSatisfy(ByteOrder.precedes)
    else {
      throw LockFile.error(
        path,
        version.line,
        "The checksum of \(version.qualifiedName) is not that of its entities: the line was edited."
      )
    }
  }

  private mutating func takeHeader(
    _ line: ArraySlice<UInt8>,
    _ number: Int
  ) throws(CommandError) {
    guard line.elementsEqual(LockFile.header.utf8) else {
      let isOther = line.starts(with: "waystone.lock ".utf8)
      throw LockFile.error(
        path,
        number,
        isOther
          ? "The lock is of another form than this Waystone knows (\(LockFile.header))."
          : "The file does not begin with `\(LockFile.header)`.",
        recovery: isOther
          ? "Use the Waystone that made it, or a later one."
          : "Check that it is a lock that Waystone made."
      )
    }
    hasHeader = true
  }

  private mutating func takeEntity(
    _ words: ArraySlice<LockToken.Word>,
    _ number: Int
  ) throws(CommandError) {
    let groups = words.split(separator: .bar, omittingEmptySubsequences: false)
    guard var head = groups.first, let name = head.popFirst(), name.value == nil,
      let digest = head.popFirst(), digest.value == nil,
      let hash = head.popFirst(), hash.name == "hash",
      let bytes = hash.value.flatMap({ VersionHash(hexadecimal: $0) }),
      let rest = head.popFirst(), rest.name == "rest", let remainder = rest.value,
      let values = aspects(head)
    else { throw damaged(number) }
    let entity = EntityOutline(
      name: name.name,
      hash: bytes,
      values: values,
      properties: try groups.dropFirst().map { group throws(CommandError) in
        var group = group
        guard let kind = group.popFirst(), kind.value == nil,
          let subject = ModelChange.Subject(rawValue: kind.name),
          subject == .attribute || subject == .relationship,
          let property = group.popFirst(), property.value == nil, let values = aspects(group)
        else { throw damaged(number) }
        return EntityOutline.Property(kind: subject, name: property.name, values: values)
      },
      remainder: remainder
    )
    guard LockFile.digest(of: entity.name, LockFile.body(of: entity)) == digest.name else {
      throw LockFile.error(
        path,
        number,
        "The line of \(entity.name) was edited: its digest is not \(digest.name)."
      )
    }
    // A merge of lines may bring the same one twice.
    entities[digest.name] = entity
  }

  private mutating func takeVersion(
    _ words: ArraySlice<LockToken.Word>,
    _ number: Int
  ) throws(CommandError) {
    var words = words
    guard let word = words.popFirst(), word.value == nil, let slash = word.name.firstIndex(of: "/")
    else { throw damaged(number) }
    var version = LockFile.Version(
      modelName: String(word.name[..<slash]),
      name: String(word.name[slash...].dropFirst()),
      checksum: "",
      after: [],
      remainder: "",
      entities: []
    )
    version.line = number
    var digests: [String]?
    for word in words {
      switch (word.name, word.value) {
      case ("checksum", let value?): version.checksum = value
      case ("after", let value?): version.after.append(value)
      case ("rest", let value?): version.remainder = value
      case ("reason", let value?): version.reasons.append(value)
      case ("removed", nil): version.isRemoved = true
      case ("entities", let value?): digests = value.split(separator: ",").map(String.init)
      default: throw damaged(number)
      }
    }
    guard let digests, !version.checksum.isEmpty, !version.remainder.isEmpty else {
      throw damaged(number)
    }
    if let first = lines[version.qualifiedName] {
      throw LockFile.error(
        path,
        number,
        "\(version.qualifiedName) is locked twice, here and in line \(first).",
        recovery:
          "Keep the line that is meant. Where two people made a version of one name, rename "
          + "one of the versions."
      )
    }
    lines[version.qualifiedName] = number
    versions.append((version, digests))
  }

  private func aspects(_ words: ArraySlice<LockToken.Word>) -> [ModelAspect: String]? {
    var values: [ModelAspect: String] = [:]
    for word in words {
      guard let aspect = ModelAspect(rawValue: word.name) else { return nil }
      values[aspect] = word.value ?? "yes"
    }
    return values
  }

  private func damaged(_ number: Int) -> CommandError {
    LockFile.error(path, number, "This line is none that `waystone lock` writes.")
  }
}

extension LockToken.Word {
  /// What stands between an entity and its properties.
  fileprivate static let bar = LockToken.Word(name: "|", value: nil, isQuoted: false)
}
