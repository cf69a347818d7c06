internal import ModelImport
internal import ObjectModel
package import SwiftDataImport

/// The forms of Swift types that the stores of a project show, and the places where these disagree.
package struct StoreLessons: Sendable {
  /// A store that is read for them.
  struct Source {
    /// The name of the version that it is of; nil where that is found by its hashes.
    var version: String?
    /// Whether the user named it for this.
    var isAsked: Bool
    /// The store's facts.
    var facts: StoreFacts
  }

  /// The forms that `waystone.yml` does not state, in the order in which stores show them.
  package private(set) var learned: [LearnedType] = []
  /// The forms that `waystone.yml` states and a store shows.
  package private(set) var confirmed: [LearnedType] = []
  /// The forms that count for the sources: stated, and learned.
  private(set) var types: [String: TypeForm] = [:]
  /// The disagreements, and the types that stores leave open.
  private(set) var findings: [Finding] = []
  /// The entities of each version as they are by rules alone, by the version's qualified name; none
  /// where no type is learned or stated.
  var assumed: [String: [EntityOutline]] = [:]

  /// An empty result.
  init() {}

  /// Compares sources, read by rules alone, with stores.
  init(_ sources: SourceVersions, _ stores: [Source], _ configuration: Configuration?) {
    let stated = configuration?.swiftData.types ?? [:]
    types = stated.mapValues(\.form)
    var found: [LearnedType] = []
    for store in stores {
      guard let lesson = Self.lesson(sources, store) else { continue }
      found += lesson.lesson.learned
      findings += lesson.lesson.open.compactMap { open in
        // For a sample the check reports the differences.
        guard store.isAsked || open.reason != .noneFits else { return nil }
        return Self.finding(open, in: lesson.version, store.facts.name, sources)
      }
    }
    var keys: [String] = []
    for type in found where !keys.contains(type.key) { keys.append(type.key) }
    for key in keys {
      let all = found.filter { $0.key == key }
      let first = all[0]
      if let statement = stated[key] {
        if let other = all.first(where: { !$0.form.isSame(as: statement.form) }) {
          findings.append(
            Self.disputed(
              "waystone.yml states \(statement.form) for \(key), and \(other.store) has \(other.form)",
              Finding.Place(
                file: configuration?.path,
                line: statement.line,
                entity: other.entity,
                property: other.property
              )
            )
          )
        } else {
          confirmed.append(first)
        }
        continue
      }
      if let other = all.first(where: { !$0.form.isSame(as: first.form) }) {
        findings.append(
          Self.disputed(
            "\(first.store) has \(first.form) for \(key), and \(other.store) has \(other.form)",
            sources.placed(first)
          )
        )
      } else if first.contradictsRule {
        findings.append(
          Self.disputed(
            "\(first.store) has \(first.form) for \(key), which "
              + "\(first.proof == .measured ? "other stores have" : "Apple documents") as "
              + "\(first.expected.map { "\($0)" } ?? "another")",
            sources.placed(first)
          )
        )
      } else {
        learned.append(first)
        types[key] = first.form
      }
    }
  }

  /// Returns the facts that a store shows about its version: the named one, else the one with the most
  /// entities that fit, the newest of several.
  private static func lesson(
    _ sources: SourceVersions,
    _ store: Source
  ) -> (version: SourceVersions.Version, lesson: SchemaLesson)? {
    if let name = store.version {
      return sources.version(called: name).map { ($0, $0.schema.learn(from: store.facts)) }
    }
    let lessons = sources.versions.reversed().map { ($0, $0.schema.learn(from: store.facts)) }
    return lessons.max { $0.1.fitting < $1.1.fitting }
  }

  private static func disputed(_ words: String, _ place: Finding.Place) -> Finding {
    Finding(
      .typeFormDisputed,
      .error,
      at: place,
      message: "\(words).",
      remedy:
        "See which type the property had when each store was made. If the store is right, state it "
        + "in waystone.yml: `swiftdata: {types: ...}`."
    )
  }

  private static func finding(
    _ open: SchemaLesson.OpenEntity,
    in version: SourceVersions.Version,
    _ store: String,
    _ sources: SourceVersions
  ) -> Finding {
    let keys = open.keys.joined(separator: ", ")
    let reason =
      switch open.reason {
      case .noneFits:
        "no form of \(keys) that is tried makes its hash, so that more may differ"
      case .severalFit(let forms): "\(forms.joined(separator: " and ")) both make the store's hash"
      case .tooMany:
        "\(keys) may have more combinations of forms than the \(SourceSchema.greatestTries) that are tried"
      case .undecided: "other parts of it are not understood"
      }
    var finding = sources.placed(
      Finding(
        .typeFormOpen,
        .note,
        at: version.schema.place(entity: open.entity).finding(entity: open.entity),
        message: "\(store) does not settle \(open.entity): \(reason).",
        remedy: "Name a store of the very version, with the model that SwiftData writes into it."
      )
    )
    finding.place.version = sources.name(of: version)
    return finding
  }
}

extension SourceVersions {
  /// Throws where a store of no version would be of one if Swift types had the forms that it has.
  func requireSettledTypes(of store: StoreInspection) throws(WaystoneError) {
    let facts = StoreFacts(
      name: store.path,
      hashes: store.versionHashes,
      model: store.recoveredModel
    )
    let doubtful = versions.reversed().filter { version in
      version.schema.isWhole && version.schema.hasDoubtfulTypes
        && Set(version.schema.entities.keys) == Set(facts.hashes.keys)
    }
    for version in doubtful {
      let lesson = version.schema.learn(from: facts)
      let types = lesson.learned.filter { !$0.confirmsRule }
      guard lesson.fitting == facts.hashes.count, !types.isEmpty else { continue }
      let entries = types.map(\.entry).joined(separator: ", ")
      throw WaystoneError(
        .unknownStoreVersion,
        "\(store.path) is of \(name(of: version)) if "
          + "\(types.map { "\($0.key) is \($0.form)" }.joined(separator: " and ")), as "
          + "\(types.allSatisfy(\.isOfModel) ? "the model in it has it" : "its hashes show"). "
          + "The sources alone do not show it.",
        recovery: "State it in waystone.yml: `swiftdata: {types: {\(entries)}}`."
      )
    }
  }

  /// Returns the place of the property that a store was read for.
  fileprivate func placed(_ type: LearnedType) -> Finding.Place {
    placed(
      Finding(
        .typeFormDisputed,
        .error,
        at: type.place.finding(entity: type.entity, property: type.property),
        message: "",
        remedy: ""
      )
    ).place
  }
}

extension LearnedType {
  /// The line for `waystone.yml` below `swiftdata: types:`, with the store's name as a comment.
  package var line: String { "\(entry)   # \(store.onOneLine)" }

  /// The entry of `waystone.yml` below `swiftdata: types:`.
  fileprivate var entry: String { "\(key.yamlScalar): \("\(form)".onOneLine)" }
}
