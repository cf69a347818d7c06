import ObjectModel

/// A compiler of the entities of a hop file to entity mappings.
///
/// Everything else is carried: entities and properties that the two versions have in common, by
/// name or renaming identifier.
struct HopCompiler {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  /// The number of value expressions that the file spells out.
  var explicitCount = 0
  /// The lines of the file's parts.
  private(set) var lines: [AuthoredMapping.Part: Int] = [:]

  /// The keys of an entity.
  static let keys = [
    "source", "merge", "destination", "drop", "name", "where", "policy", "attributes",
    "relationships", "split", "join", "deduplicate", "userInfo",
  ]

  /// An entity mapping, with the file's entries for its properties.
  struct Draft {
    var mapping: EntityMapping
    let node: HopNode
    /// The keys of the entry, those that it shares included.
    var keys: [String: HopNode] = [:]
    var attributes: [HopEntry] = []
    var relationships: [HopEntry] = []
    /// The expressions of variables that the file declares.
    var joins: [String: Expression] = [:]
    /// Whether the file itself names it.
    var isListed = true
  }

  init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
  }

  /// Returns the entity mappings of a file, those that it does not list after those that it does.
  mutating func entityMappings(
    _ nodes: [HopNode],
    carriesOthers: Bool,
    in root: HopNode
  ) throws(ModelImportError) -> [EntityMapping] {
    var drafts: [Draft] = []
    for node in nodes { drafts += try self.drafts(node, inheriting: [:]) }
    var seen: Set<String> = []
    for draft in drafts where !seen.insert(draft.mapping.name).inserted {
      throw draft.node.error(
        "Two entity mappings are called \(draft.mapping.name).",
        "Give one of them another name: `name: …`."
      )
    }
    for draft in drafts where draft.mapping.destinationEntityName == nil {
      let name = draft.mapping.sourceEntityName
      let isCarried = drafts.contains {
        $0.mapping.sourceEntityName == name && $0.mapping.destinationEntityName == name
      }
      guard isCarried else { continue }
      throw draft.node.error(
        "\(name ?? "An entity") is dropped here, and another entry carries its objects.",
        "Keep one of the two."
      )
    }
    drafts += others(besides: drafts, carriesOthers: carriesOthers, node: root)
    let implicit = ImplicitExpressions(
      source: source,
      destination: destination,
      entityMappings: drafts.map(\.mapping)
    )
    var result: [EntityMapping] = []
    for draft in drafts {
      result.append(try finished(draft, implicit).settled)
      noteLines(of: draft)
    }
    return result
  }

  private mutating func noteLines(of draft: Draft) {
    func part(_ name: String?) -> AuthoredMapping.Part { .init(name, of: draft.mapping.name) }
    lines[part(nil)] = draft.node.line
    guard draft.isListed else { return }
    for key in ["where", "split", "deduplicate"] {
      if let node = draft.keys[key] { lines[part(key)] = node.line }
    }
    for entry in draft.attributes + draft.relationships { lines[part(entry.name)] = entry.line }
  }

  // MARK: - Listed entities

  /// Returns the mappings of one entry: one for each source, and each destination of a split.
  private func drafts(
    _ node: HopNode,
    inheriting inherited: [String: HopNode]
  ) throws(ModelImportError) -> [Draft] {
    var keys = try node.map("an entity", knowing: Self.keys)
    for (key, value) in inherited where keys[key] == nil { keys[key] = value }
    if case .list(let parts) = keys["split"]?.content {
      var shared: [String: HopNode] = [:]
      for key in ["source", "merge", "where", "join"] { shared[key] = keys[key] }
      if let other = keys.keys.sorted().first(where: { $0 != "split" && shared[$0] == nil }) {
        throw (keys[other] ?? node).error(
          "`\(other)` stands beside a split into several destinations, each of which has its own.",
          "Write it below the destinations that it is for."
        )
      }
      var result: [Draft] = []
      for part in parts { result += try drafts(part, inheriting: shared) }
      return result
    }
    if let dropped = keys["drop"] {
      guard keys.count == 1 else {
        throw node.error("Nothing else can stand beside `drop`.", "Write an entity of its own.")
      }
      var result: [Draft] = []
      for name in try dropped.texts("drop", "an entity's name or a list of them") {
        try check(name, in: source, "source", dropped)
        result.append(draft(from: name, to: nil, node))
      }
      return result
    }
    guard let target = keys["destination"] ?? keys["source"] else {
      throw node.error("An entity has no destination.", "Write `destination: Entity`.")
    }
    let made = try target.text("destination", "an entity's name")
    try check(made, in: destination, "destination", target)
    let sources = try (keys["merge"] ?? keys["source"])?.texts("source", "an entity's name") ?? []
    guard !sources.isEmpty else { return [try added(made, keys, node)] }
    guard keys["merge"] == nil || keys["source"] == nil else {
      throw node.error("`source` and `merge` exclude each other.", "Keep one of them.")
    }
    guard sources.count == 1 || keys["name"] == nil else {
      throw node.error(
        "Several sources cannot share one name.",
        "Leave `name` out; each is called by its source and destination."
      )
    }
    var result: [Draft] = []
    for name in sources {
      try check(name, in: source, "source", keys["merge"] ?? keys["source"] ?? node)
      result.append(try filled(draft(from: name, to: made, node), keys))
    }
    return result
  }

  /// Returns the mapping of an entity that no objects are made of.
  private func added(
    _ name: String,
    _ keys: [String: HopNode],
    _ node: HopNode
  ) throws(ModelImportError) -> Draft {
    if let other = keys.keys.sorted().first(where: { !["destination", "policy"].contains($0) }) {
      throw (keys[other] ?? node).error(
        "`\(other)` stands at \(name), of which no objects are made, as it has no source.",
        "Name the entity whose objects become these: `source: Entity`."
      )
    }
    var result = draft(from: nil, to: name, node)
    result.mapping.entityMigrationPolicyClassName =
      try keys["policy"]?.text("policy", "a class's name")
    return result
  }

  private func filled(
    _ draft: Draft,
    _ keys: [String: HopNode]
  ) throws(ModelImportError) -> Draft {
    var draft = draft
    draft.keys = keys
    if let name = keys["name"] { draft.mapping.name = try name.text("name", "a name") }
    draft.mapping.entityMigrationPolicyClassName =
      try keys["policy"]?.text("policy", "a class's name")
    for (name, entry) in try joins(keys["join"]) { draft.joins[name] = entry }
    if let node = keys["where"] {
      draft.mapping.sourcePredicate = try predicate(node, for: draft)
    }
    if let node = keys["split"] { draft.mapping.pieces = try pieces(node, for: draft) }
    if let node = keys["deduplicate"] {
      draft.mapping.deduplicationKeys = try deduplicationKeys(node, for: draft)
    }
    for entry in try keys["userInfo"]?.entries("userInfo") ?? [] {
      draft.mapping.userInfo[entry.name] = try entry.value.text(entry.name, "a text")
    }
    draft.attributes = try keys["attributes"]?.entries("attributes") ?? []
    draft.relationships = try keys["relationships"]?.entries("relationships") ?? []
    return draft
  }

  private func deduplicationKeys(
    _ node: HopNode,
    for draft: Draft
  ) throws(ModelImportError) -> [String] {
    let names = try node.texts("deduplicate", "an attribute's name or a list of them")
    let entity = draft.mapping.destinationEntityName ?? ""
    for name in names where destination.property(name, of: entity)?.property.attribute == nil {
      throw node.error(
        "\(entity) has no attribute \(name) to tell its objects apart by.",
        Self.suggestion(name, destination.attributes(of: entity).map(\.name))
      )
    }
    return names
  }

  func draft(from first: String?, to last: String?, _ node: HopNode) -> Draft {
    var mapping = EntityMapping(mappingType: .undefined, source: first, destination: last)
    mapping.sourceEntityVersionHash = first.flatMap { source.entityVersionHashes[$0] }
    mapping.destinationEntityVersionHash = last.flatMap { destination.entityVersionHashes[$0] }
    return Draft(mapping: mapping, node: node)
  }

  private func check(
    _ name: String,
    in model: ManagedObjectModel,
    _ what: String,
    _ node: HopNode
  ) throws(ModelImportError) {
    guard model[name] == nil else { return }
    throw node.error(
      "The \(what) version has no entity \(name).",
      Self.suggestion(name, model.entities.map(\.name))
    )
  }

  // MARK: - Other entities

  /// Returns the mappings of all other entities: those that both versions have, and those that are new.
  private func others(
    besides drafts: [Draft],
    carriesOthers: Bool,
    node: HopNode
  ) -> [Draft] {
    func key(_ entity: EntityDescription) -> CanonicalMatching.Key {
      .init(name: entity.name, renamingIdentifier: entity.renamingIdentifier)
    }
    let listed = drafts.map(\.mapping)
    let matching = CanonicalMatching(
      source: source.entities.map(key),
      destination: destination.entities.map(key)
    )
    var result: [Draft] = []
    for (entity, match) in zip(destination.entities, matching.matches) {
      let other = match.map { source.entities[$0.source] }
      let isListed = listed.contains { $0.destinationEntityName == entity.name }
      guard let other, carriesOthers || entity.isAbstract else {
        if !isListed { result.append(draft(from: nil, to: entity.name, node)) }
        continue
      }
      // An entity that the file drops, or turns into this one, is decided; so is a listed one that
      // becomes abstract, since nothing else can become of it.
      let isDecided = listed.contains { mapping in
        mapping.sourceEntityName == other.name
          && (mapping.destinationEntityName == nil || mapping.destinationEntityName == entity.name
            || entity.isAbstract && !other.isAbstract)
      }
      if !isDecided {
        var draft = draft(from: other.name, to: entity.name, node)
        draft.isListed = false
        result.append(draft)
      } else if !isListed {
        result.append(draft(from: nil, to: entity.name, node))
      }
    }
    return result
  }

  /// Returns a hint at the names that are likely meant.
  static func suggestion(_ name: String, _ names: [String]) -> String {
    let wanted = name.lowercased()
    let near =
      names.first { $0.lowercased() == wanted }
      ?? names.first { $0.lowercased().hasPrefix(wanted) || wanted.hasPrefix($0.lowercased()) }
    if let near { return "Is \(near) meant?" }
    let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", …" : "")
    return names.isEmpty ? "There is none at all." : "Known are \(shown)."
  }
}
