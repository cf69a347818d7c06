/// A hash of a store's contents, entity by entity and in all.
package struct DigestReport: Report, MemberEncodable {
  package static let verb = "digest"

  /// The part of one concrete entity.
  package struct Entity: Hashable, Encodable, Sendable {
    /// The entity.
    package let name: String
    /// The number of the entity's objects, those of subentities excluded.
    package let rows: Int64
    /// 64 hexadecimal digits.
    package let hash: String
    /// The number of the entity's values whose external files are missing.
    package let missingFiles: Int64

    /// The part of an entity.
    package init(name: String, rows: Int64, hash: String, missingFiles: Int64 = 0) {
      self.name = name
      self.rows = rows
      self.hash = hash
      self.missingFiles = missingFiles
    }
  }

  let store: String
  let version: String
  let entities: [Entity]
  let hash: String
  private let isRecovered: Bool

  /// The digest of a store.
  ///
  /// - Parameters:
  ///   - version: The model by which it was read.
  ///   - isRecovered: Whether that is the model that the store carries.
  ///   - hash: 64 hexadecimal digits for the whole store.
  ///   - entities: The entities' digests, in byte order of their names.
  package init(
    store: String,
    version: String,
    isRecovered: Bool,
    hash: String,
    entities: [Entity]
  ) {
    self.store = store
    self.version = version
    self.isRecovered = isRecovered
    self.hash = hash
    self.entities = entities
  }

  /// All objects.
  var rows: Int64 { entities.reduce(0) { $0 &+ $1.rows } }

  /// The members without those of the entities.
  var summary: JSONMembers {
    [
      "store": store, "version": isRecovered ? nil : version, "recovered": isRecovered,
      "hash": hash, "rows": rows,
      "missingFiles": entities.reduce(0) { $0 &+ $1.missingFiles },
    ]
  }

  package var members: JSONMembers {
    summary + ["entities": entities]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var table = TextTable([("entity", .left), ("rows", .right), ("digest", .left)])
    for entity in entities {
      let shown = isVerbose ? entity.hash : "\(entity.hash.prefix(16))…"
      table.append([
        StyledText(entity.name), StyledText(Quantity.grouped(entity.rows)),
        StyledText(shown, entity.rows == 0 ? .faint : .plain),
      ])
    }
    return ["\(store, .strong) by \(version, .strong)"] + table.lines(indentation: 2)
      + missingFileLines + ["\("digest", .good)  \(hash)"]
  }

  /// The lines on external files that could not be read.
  var missingFileLines: [StyledText] {
    entities.filter { $0.missingFiles > 0 }.map { entity in
      let count = Quantity.count(
        Int(clamping: entity.missingFiles),
        "external file is missing and counts",
        "external files are missing and count"
      )
      return "  \("warning", .caution)  \(entity.name): \(count) by name only"
    }
  }
}
