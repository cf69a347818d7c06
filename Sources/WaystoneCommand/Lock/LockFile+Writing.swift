internal import ObjectModel

extension LockFile {
  /// The first line of every file.
  static let header = "waystone.lock 1"

  /// The file, byte by byte the same for the same versions.
  package var text: String {
    var lines: [String: (name: String, line: String)] = [:]
    var known: [EntityOutline: String] = [:]
    let versionLines = versions.map { version in
      let digests = version.entities.map { entity in
        if let digest = known[entity] { return digest }
        let body = Self.body(of: entity)
        let digest = Self.digest(of: entity.name, body)
        let name = LockToken.encoded(entity.name)
        known[entity] = digest
        lines[digest] = (entity.name, "entity \(name) \(digest) \(body)")
        return digest
      }
      return Self.line(of: version, digests)
    }
    let entities = lines.sorted { first, second in
      first.value.name == second.value.name
        ? ByteOrder.precedes(first.key, second.key)
        : ByteOrder.precedes(first.value.name, second.value.name)
    }
    let note = "# Made by `waystone lock`. To merge two of these files, keep the lines of both."
    return ([Self.header, note] + entities.map(\.value.line) + versionLines)
      .map { $0 + "\n" }.joined()
  }

  /// What stands after an entity's name and digest.
  static func body(of entity: EntityOutline) -> String {
    var words = ["hash=\(entity.hash)", "rest=\(entity.remainder)"] + words(entity.values)
    for property in entity.properties {
      words += ["|", property.kind.rawValue, LockToken.encoded(property.name)]
      words += Self.words(property.values)
    }
    return words.joined(separator: " ")
  }

  /// Twelve hexadecimal digits that an entity's line begins with, and versions name it by.
  static func digest(of name: String, _ body: String) -> String {
    String(Hexadecimal.string(SHA256.hash(Array("\(name)\n\(body)".utf8))).prefix(12))
  }

  /// The aspects in the order in which they are declared.
  private static func words(_ values: [ModelAspect: String]) -> [String] {
    ModelAspect.allCases.compactMap { aspect in
      values[aspect].map { value in
        value == "yes"
          ? aspect.rawValue : "\(aspect.rawValue)=\(LockToken.encoded(value, isValue: true))"
      }
    }
  }

  private static func line(of version: Version, _ digests: [String]) -> String {
    var words = ["version", LockToken.encoded(version.qualifiedName)]
    words.append("checksum=\(LockToken.encoded(version.checksum, isValue: true))")
    words += version.after.map { "after=\(LockToken.encoded($0, isValue: true))" }
    words.append("rest=\(version.remainder)")
    if version.isRemoved { words.append("removed") }
    words += version.reasons.map { "reason=\(LockToken.encoded($0, isValue: true))" }
    words.append("entities=\(digests.joined(separator: ","))")
    return words.joined(separator: " ")
  }
}
