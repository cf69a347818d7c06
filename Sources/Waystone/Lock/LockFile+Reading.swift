internal import Files
internal import ObjectModel
internal import StoreAccess

extension LockFile {
  /// Reads the lock at a path; nil where there is none.
  ///
  /// - Throws: ``WaystoneError`` naming file and line where it cannot be used.
  package static func read(_ path: String, shownAs shown: String) throws(WaystoneError) -> LockFile?
  {
    guard let status = try InputFile.status(path, shownAs: shown) else {
      // Without this, all versions would count as before the first lock.
      if let link = try? FileSystem.status(path, followsLinks: false), link.kind == .link {
        throw WaystoneError(
          .missingFile,
          "\(shown) is a symbolic link that leads nowhere.",
          recovery: "Restore the file that it names, or remove the link and run `waystone lock`."
        )
      }
      return nil
    }
    guard status.kind == .file else {
      throw WaystoneError(
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

  /// Parses a lock from the bytes of its file.
  ///
  /// - Throws: ``WaystoneError`` naming file and line where it cannot be used.
  package static func parse(_ bytes: [UInt8], path: String) throws(WaystoneError) -> LockFile {
    var parser = LockParser(path: path)
    var number = 0
    for var line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      try parser.take(line, number)
    }
    return LockFile(versions: try parser.finish())
  }

  /// Returns an error at a line of the file.
  static func error(
    _ path: String,
    _ line: Int?,
    _ message: String,
    recovery: String = "Take the file from the project's history, then run `waystone lock`."
  ) -> WaystoneError {
    let place = line.map { "\(path):\($0)" } ?? path
    return WaystoneError(.badFile, "\(place): \(message)", recovery: recovery)
  }
}

/// A parser that reads a lock line by line.
private struct LockParser {
  let path: String
  private var hasHeader = false
  private var entities: [String: (outline: EntityOutline, line: Int)] = [:]
  private var versions: [(version: LockFile.Version, digests: [String])] = []
  private var lines: [String: Int] = [:]

  init(path: String) { self.path = path }

  mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws(WaystoneError) {
    for mark in ["<<<<<<<", "=======", ">>>>>>>", "|||||||"] where line.starts(with: mark.utf8) {
      throw LockFile.error(
        path,
        number,
        "A merge left its conflict here.",
        recovery: "Remove the lines with marks and keep the others of both sides, each once; then "
          + "run `waystone check` and `waystone heads`."
      )
    }
    guard !line.contains(UInt8(ascii: "\r")) else {
      throw LockFile.error(
        path,
        number,
        "Lines end with carriage returns alone: a program converted the file.",
        recovery: "Take the file from the project's history."
      )
    }
    guard hasHeader else {
      try takeHeader(line, number)
      return
    }
    guard !line.isEmpty else { return }
    guard let read = LockLine(line) else { throw damaged(number) }
    guard read.isWhole else {
      throw LockFile.error(path, number, "The line was edited: its digest is another.")
    }
    switch read.kind {
    case .entity:
      guard let entity = read.value(as: EntityOutline.self) else { throw damaged(number) }
      // A merge of lines may bring the same one twice.
      entities[read.digest] = (entity, number)
    case .version:
      guard let version = read.value(as: LockedVersion.self) else { throw damaged(number) }
      try take(version, number)
    }
  }

  /// Returns the versions with their entities, after all lines were read.
  func finish() throws(WaystoneError) -> [LockFile.Version] {
    guard hasHeader else { throw LockFile.error(path, 1, "The file is empty.") }
    // The lines of versions are the last ones, which a file that was cut off lacks first.
    let named = Set(versions.flatMap(\.digests))
    let others = entities.filter { !named.contains($0.key) }.map(\.value.line).sorted()
    if let first = others.first {
      let list = others.count > 1 ? ", nor those of lines \(Self.list(others.dropFirst()))" : ""
      throw LockFile.error(
        path,
        first,
        "No version here has this entity\(list). Lines of versions are missing, as in a file that was cut off.",
        recovery:
          "Bring them back from the project's history. If you removed them, as in a merge, remove these "
          + "lines, too."
      )
    }
    // `waystone lock` writes no lock without a version.
    guard !versions.isEmpty else {
      throw LockFile.error(path, 1, "The file has no version: it was cut off.")
    }
    return try versions.map { version, digests throws(WaystoneError) in
      var version = version
      version.entities = try digests.map { digest throws(WaystoneError) in
        guard let entity = entities[digest]?.outline else {
          throw LockFile.error(
            path,
            version.line,
            "\(version.qualifiedName) has an entity \(digest) of which no line tells: a merge "
              + "dropped it.",
            recovery: "Bring the line back that has \"digest\":\"\(digest)\"."
          )
        }
        return entity
      }
      try check(version)
      return version
    }
  }

  private static func list(_ numbers: ArraySlice<Int>) -> String {
    let more = numbers.count > 20 ? " and \(numbers.count - 20) more" : ""
    return numbers.prefix(20).map(String.init).joined(separator: ", ") + more
  }

  /// Refuses a version whose checksum is not that of its entities: an entity was taken out, put in or
  /// exchanged by hand or by a merge, although each line is whole.
  private func check(_ version: LockFile.Version) throws(WaystoneError) {
    var hash = SHA256()
    for entity in version.entities { hash.update(entity.hash.bytes) }
    let names = version.entities.map(\.name)
    guard Base64.string(hash.finalize()) == version.checksum,
      zip(names, names.dropFirst()).allSatisfy(ByteOrder.precedes)
    else {
      throw LockFile.error(
        path,
        version.line,
        "The checksum of \(version.qualifiedName) is not that of its entities: the line was edited, "
          + "or merged wrongly."
      )
    }
  }

  private mutating func takeHeader(
    _ line: ArraySlice<UInt8>,
    _ number: Int
  ) throws(WaystoneError) {
    guard line.starts(with: LockFile.header.utf8) else {
      guard !line.starts(with: "waystone.lock ".utf8) else {
        throw LockFile.error(
          path,
          number,
          "The lock is in a form of before the first release, which is no longer read.",
          recovery: "Delete it, and run `waystone lock`."
        )
      }
      let isOther = line.starts(with: #"{"schema":"waystone.lock/"#.utf8)
      throw LockFile.error(
        path,
        number,
        isOther
          ? "The lock is of another form than this Waystone knows (`\(LockFile.header)`)."
          : "The file does not begin with `\(LockFile.header)`.",
        recovery: isOther
          ? "Use the Waystone that made it, or a later one."
          : "Check that it is a lock that Waystone made."
      )
    }
    hasHeader = true
  }

  private mutating func take(_ read: LockedVersion, _ number: Int) throws(WaystoneError) {
    let version = LockFile.Version(
      modelName: read.model,
      name: read.name,
      checksum: read.checksum,
      after: read.after,
      remainder: read.remainder,
      entities: [],
      reasons: read.reasons,
      isRemoved: read.isRemoved,
      line: number
    )
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
    versions.append((version, read.entities))
  }

  private func damaged(_ number: Int) -> WaystoneError {
    LockFile.error(path, number, "This line is none that `waystone lock` writes.")
  }
}
