internal import ObjectModel

extension LockFile {
  /// The start of the first line of every file.
  static let header = #"{"schema":"waystone.lock/1""#

  /// The file, byte by byte the same for the same versions.
  package var text: String {
    get throws {
      var lines: [String: (name: String, line: LockLine)] = [:]
      var known: [EntityOutline: String] = [:]
      let versions = try versions.map { version in
        let digests = try version.entities.map { entity in
          if let digest = known[entity] { return digest }
          let line = try LockLine(.entity, entity)
          known[entity] = line.digest
          lines[line.digest] = (entity.name, line)
          return line.digest
        }
        return try LockLine(.version, LockedVersion(version, digests))
      }
      let entities = lines.values.sorted { first, second in
        first.name == second.name
          ? ByteOrder.precedes(first.line.digest, second.line.digest)
          : ByteOrder.precedes(first.name, second.name)
      }
      let note = "Made by `waystone lock`. To merge two of these files, keep the lines of both."
      return Self.header + ",\"note\":\"\(note)\"}\n"
        + (entities.map(\.line) + versions).map { "\($0.text)\n" }.joined()
    }
  }
}
