import ObjectModel

/// A reader of a hop file: its two versions, and the mapping between them.
///
/// The article *Hop files* of the documentation of StoreMigration describes the contents.
struct HopReader {
  let file: String
  let models: [VersionedModel]

  /// The keys of a file.
  static let keys = ["from", "to", "notes", "sql", "handlers", "entities", "others"]

  /// Returns the mapping of a file.
  ///
  /// - Throws: ``ModelImportError`` with the line at fault.
  /// - Complexity: O(*p*) in the properties of both versions and the parts of expressions.
  func read(_ bytes: [UInt8], name: String) throws(ModelImportError) -> AuthoredMapping {
    let root = try HopDocument.read(bytes, file: file)
    let keys = try root.map("the file", knowing: Self.keys)
    let (source, destination) = try ends(root, keys)
    var compiler = HopCompiler(source: source.model, destination: destination.model)
    let entities = try compiler.entityMappings(
      keys["entities"]?.list() ?? [],
      carriesOthers: try carriesOthers(keys["others"]),
      in: root
    )
    var mapping = MappingModel(entityMappings: entities)
    mapping.notes = try keys["notes"]?.texts("notes", "a text or a list of texts") ?? []
    let sql = try keys["sql"]?.map("sql", knowing: ["before", "after"]) ?? [:]
    let handlers = try keys["handlers"]?.map("handlers", knowing: ["before", "after"]) ?? [:]
    mapping.actionsBefore = try actions("before", sql, handlers)
    mapping.actionsAfter = try actions("after", sql, handlers)
    var result = AuthoredMapping(
      name: name,
      path: file,
      form: .hopFile,
      mapping: mapping,
      source: AuthoredMapping.End(source.model),
      destination: AuthoredMapping.End(destination.model)
    )
    result.explicitExpressionCount = compiler.explicitCount
    result.lines = compiler.lines
    if let finding = unfinished(bytes) { result.findings.append(finding) }
    return result
  }

  /// Returns the finding about lines that are still to do.
  private func unfinished(_ bytes: [UInt8]) -> Finding? {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let open = lines.indices.filter { lines[$0].contains("# TODO") }
    guard let first = open.first else { return nil }
    return Finding(
      .unfinishedMapping,
      .error,
      at: Finding.Place(file: file, line: first + 1),
      message: (open.count == 1 ? "A line" : "\(open.count) lines")
        + " of \(file.split(separator: "/").last.map(String.init) ?? file) "
        + (open.count == 1 ? "is" : "are") + " still to do.",
      remedy: "Decide what each line with TODO is to say, and remove that word from it."
    )
  }

  private func actions(
    _ key: String,
    _ sql: [String: HopNode],
    _ handlers: [String: HopNode]
  ) throws(ModelImportError) -> [MigrationAction] {
    var result: [MigrationAction] = []
    for text in try sql[key]?.texts("sql.\(key)", "SQL, or a list of it") ?? [] {
      result.append(.sql(text))
    }
    for name in try handlers[key]?.texts("handlers.\(key)", "a name or a list of names") ?? [] {
      result.append(.handler(name))
    }
    return result
  }

  private func carriesOthers(_ node: HopNode?) throws(ModelImportError) -> Bool {
    guard let node else { return true }
    switch try node.text("others", "carry or drop") {
    case "carry": return true
    case "drop": return false
    default: throw node.error("`others` must be carry or drop.", "Correct the line named.")
    }
  }

  // MARK: - Versions

  private func ends(
    _ root: HopNode,
    _ keys: [String: HopNode]
  ) throws(ModelImportError) -> (source: ModelVersion, destination: ModelVersion) {
    guard let from = keys["from"], let to = keys["to"] else {
      throw root.error(
        "The file does not say from which version to which it leads.",
        "Write `from: v2` and `to: v3`."
      )
    }
    let (first, last) = try versions(from, to)
    let pairs = first.flatMap { source in
      last.filter { $0.modelName == source.modelName }.map { (source, $0) }
    }
    guard let pair = pairs.first else {
      throw from.error(
        "The two versions are of different models.",
        "Name two versions of one model."
          + (first.first.flatMap { source in
            last.first.map { " " + ModelVersion.joiningAdvice(source, $0) }
          } ?? "")
      )
    }
    guard let pair = nearest(pairs) else {
      throw from.error(
        "\(pairs.count) models have these versions.",
        "Name the model too, as in \(pair.0.qualifiedName)."
      )
    }
    guard pair.0.model.entityVersionHashes != pair.1.model.entityVersionHashes else {
      throw to.error(
        "\(pair.0.name) and \(pair.1.name) have the same hashes: there is nothing to migrate.",
        "Remove the file, or name two versions that differ."
      )
    }
    return (pair.0, pair.1)
  }

  /// Returns the versions of the model nearest to the file in the tree of folders; nil where several that
  /// differ are equally near.
  private func nearest(
    _ pairs: [(source: ModelVersion, destination: ModelVersion)]
  ) -> (source: ModelVersion, destination: ModelVersion)? {
    let folders = file.split(separator: "/")
    func nearness(_ version: ModelVersion) -> Int {
      zip(version.path.split(separator: "/"), folders).prefix { $0 == $1 }.count
    }
    let greatest = pairs.map { nearness($0.source) }.max()
    let nearest = pairs.filter { nearness($0.source) == greatest }
    // Copies of one model are one: a mapping is bound by hashes.
    let isOne = nearest.allSatisfy { pair in
      pair.source.model.entityVersionHashes == nearest[0].source.model.entityVersionHashes
        && pair.destination.model.entityVersionHashes
          == nearest[0].destination.model.entityVersionHashes
    }
    return isOne ? nearest.first : nil
  }

  /// Refuses `Model/Version` where the model is not at hand at all.
  private func checkModel(of name: String, _ node: HopNode) throws(ModelImportError) {
    guard let slash = name.firstIndex(of: "/"),
      !models.contains(where: { $0.name == name[..<slash] || $0.hasVersion(called: name) })
    else { return }
    throw ModelImportError(
      .otherModel,
      file: file,
      line: node.line,
      message: "The file is for the model \(name[..<slash]), which is not among those at hand.",
      recovery: "Name the folder that holds it: --models PATH."
    )
  }

  /// Refuses a version that is there and cannot be read, or that the project leaves out.
  private func checkReadable(_ name: String, _ node: HopNode) throws(ModelImportError) {
    for model in models where model.hasUnreadable(name) {
      throw ModelImportError(
        .unreadableVersion,
        file: file,
        line: node.line,
        message: "The file is for the version \(name), which cannot be read.",
        recovery: "Restore that version from version control."
      )
    }
    for model in models where model.hasIgnored(name) {
      throw ModelImportError(
        .ignoredVersion,
        file: file,
        line: node.line,
        message: "The file is for the version \(name), which `ignore` in waystone.yml leaves out.",
        recovery: "Nothing needs to be done."
      )
    }
  }

  /// Returns the versions that both ends may mean, at least one for each.
  ///
  /// - Throws: ``ModelImportError``; where one end alone is known, the other is taken for a mistake.
  private func versions(
    _ from: HopNode,
    _ to: HopNode
  ) throws(ModelImportError) -> (first: [ModelVersion], last: [ModelVersion]) {
    let last = Result { () throws(ModelImportError) in try versions(to, "to") }
    do throws(ModelImportError) {
      return (try versions(from, "from"), try last.get())
    } catch {
      var error = error
      let isKnown = if case .success = last { true } else { (try? versions(from, "from")) != nil }
      if error.code == .unknownVersion, isKnown { error.code = .badValue }
      throw error
    }
  }

  /// Returns the versions that are meant, at least one.
  private func versions(
    _ node: HopNode,
    _ key: String
  ) throws(ModelImportError) -> [ModelVersion] {
    let all = models.flatMap(\.versions)
    guard case .map = node.content else {
      let name = try node.text(key, "a version's name")
      let found = all.filter { $0.isCalled(name) }
      guard found.isEmpty else { return found }
      let names = all.map(\.name).prefix(6)
      try checkModel(of: name, node)
      try checkReadable(name, node)
      throw unknown(
        node,
        "No version is called \(name).",
        names.isEmpty
          ? "There is no version at all here; --models names the folder of models."
          : "Known are \(names.joined(separator: ", "))\(all.count > 6 ? ", …" : "")."
      )
    }
    let parts = try node.map(key, knowing: ["version", "checksum"])
    let name = try parts["version"]?.text("version", "a version's name")
    let checksum = try parts["checksum"]?.text("checksum", "a version's checksum")
    guard name != nil || checksum != nil else {
      throw node.error("`\(key)` names no version.", "Write `version:`, `checksum:` or both.")
    }
    if let name { try checkModel(of: name, node) }
    if let name { try checkReadable(name, node) }
    let named = all.filter { version in name.map(version.isCalled) ?? true }
    let found = named.filter { checksum == nil || $0.model.versionChecksum == checksum }
    guard found.isEmpty else { return found }
    guard let other = named.last, name != nil else {
      throw unknown(
        node,
        "No version has the name or checksum in `\(key)`.",
        "`waystone versions --format json` shows the names and checksums."
      )
    }
    throw node.error(
      "\(other.name) is not what it was when this file was written: its checksum is another.",
      "Look at what changed, then write its checksum of today: \(other.model.versionChecksum)"
    )
  }

  private func unknown(
    _ node: HopNode,
    _ message: String,
    _ recovery: String
  ) -> ModelImportError {
    var error = node.error(message, recovery)
    error.code = .unknownVersion
    return error
  }
}
