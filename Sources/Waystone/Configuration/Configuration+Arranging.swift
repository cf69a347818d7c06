internal import ModelImport
internal import ObjectModel

extension Configuration {
  /// Returns the absolute paths of the mappings of each entry that the file lists; nil where it lists
  /// none.
  package func mappingPaths() throws -> [[String]]? {
    try mappings?.map { entry in
      let path = resolved(entry)
      guard try InputFile.exists(path, shownAs: entry.text) else {
        throw error(
          line: entry.line,
          "There is no \(entry.text).",
          recovery: "Correct the path, which is meant from the folder of waystone.yml."
        )
      }
      return try MappingFinder.mappings(below: path)
    }
  }

  /// Returns the archive with the order and the current version that the file gives.
  ///
  /// - Throws: ``WaystoneError`` naming the line that does not fit the archive.
  func arrange(_ archive: ModelArchive) throws(WaystoneError) -> ModelArchive {
    var arranged = try ordered(archive)
    arranged.findings += ignoredCurrent(of: archive, in: arranged)
    return arranged
  }

  /// Returns the findings on versions that `ignore:` leaves out although Xcode compiles them as the
  /// current ones.
  private func ignoredCurrent(
    of archive: ModelArchive,
    in arranged: ModelArchive
  ) -> [Finding] {
    let names = VersionNames(archive)
    let kept = Set(arranged.versions.map(\.qualifiedName))
    return archive.models.flatMap { model in
      model.versions.filter { $0.isCurrent && !kept.contains($0.qualifiedName) }.map { version in
        let current = arranged.models.first { $0.paths.contains(model.path) }?.versions
          .first(where: \.isCurrent)
        return Finding(
          .currentVersionIgnored,
          current == nil ? .error : .warning,
          at: Finding.Place(file: path, line: ignored?.line, version: names.name(of: version)),
          message:
            "\(version: names.name(of: version)) is ignored, and Xcode compiles it as the current "
            + "version of \(model.name)"
            + (current.map { "; the checks look at \($0.name) instead." } ?? "."),
          advice: "Let `.xccurrentversion` name the version that the app uses, or remove it from "
            + "`ignore:`."
        )
      }
    }
  }

  private func ordered(_ archive: ModelArchive) throws(WaystoneError) -> ModelArchive {
    var archive = try joined(withoutIgnored(archive))
    if let orderPattern {
      for index in archive.models.indices {
        archive.models[index].versions = try arrange(
          archive.models[index].versions,
          by: orderPattern
        )
      }
    }
    let orders = orders(in: archive)
    for (name, wanted) in orders.lists.sorted(by: { $0.key < $1.key }) {
      let index = try modelIndex(name, wanted.line, archive)
      archive.models[index] = try arrange(archive.models[index], as: wanted)
    }
    for (name, wanted) in orders.branches.sorted(by: { $0.key < $1.key }) {
      let index = try modelIndex(name, wanted.line, archive)
      archive.models[index] = try arrange(archive.models[index], as: wanted)
    }
    var models: Set<String> = []
    for entry in current {
      let model = try takeCurrent(entry, in: &archive)
      guard models.insert(model).inserted else {
        throw error(
          line: entry.line,
          "`current` names two versions of \(model).",
          recovery: "Name one of each model."
        )
      }
    }
    return archive
  }

  /// Makes a version the current one of its model, and returns the model's name.
  private func takeCurrent(
    _ current: Entry,
    in archive: inout ModelArchive
  ) throws(WaystoneError) -> String {
    let names = VersionNames(archive)
    if let model = takeUnreadableCurrent(current.text, in: &archive) { return model }
    guard let version = try? names.find(current.text) else {
      throw error(
        line: current.line,
        "No version, or more than one, is called \(current.text).",
        recovery: "Name one that `waystone versions` shows."
      )
    }
    for model in archive.models.indices where archive.models[model].name == version.modelName {
      for index in archive.models[model].versions.indices {
        let isCurrent = archive.models[model].versions[index].name == version.name
        archive.models[model].versions[index].isCurrent = isCurrent
      }
      let paths = archive.models[model].paths
      archive.findings.removeAll { finding in
        finding.code == .currentVersionUnknown && finding.place.file.map(paths.contains) == true
      }
    }
    return version.modelName
  }

  /// Returns whether the file names the current version of a model.
  func namesCurrent(of model: VersionedModel) -> Bool {
    let names = (model.versions.map(\.name) + model.unreadable.map(\.name)).flatMap {
      [$0, model.qualifiedName(of: $0)]
    }
    return current.contains { names.contains($0.text) }
  }

  /// Returns the place of the model that an order is for.
  private func modelIndex(
    _ name: String,
    _ line: Int,
    _ archive: ModelArchive
  ) throws(WaystoneError) -> Int {
    if name.isEmpty, let joined = archive.models.firstIndex(where: \.isJoined) {
      return joined
    }
    let found = archive.models.indices.filter { name.isEmpty || archive.models[$0].name == name }
    guard found.count == 1, let index = found.first else {
      throw error(
        line: line,
        name.isEmpty
          ? "There are \(found.count) models, so the order must say whose it is."
          : "There are \(found.count) models called \(name).",
        recovery:
          "Write the order below the model's name: `order: {Model: [v1, v2]}`. To join them into "
          + "one history, write their names before the versions': `order: [Model/v1, SwiftData/SchemaV1]`."
      )
    }
    return index
  }

  /// Returns the model whose current version is one that cannot be read, which the model then knows; nil where
  /// none is called so.
  private func takeUnreadableCurrent(_ name: String, in archive: inout ModelArchive) -> String? {
    for model in archive.models.indices {
      for index in archive.models[model].unreadable.indices {
        let version = archive.models[model].unreadable[index].name
        let qualifiedName = archive.models[model].qualifiedName(of: version)
        guard [version, qualifiedName].contains(name) else { continue }
        archive.models[model].unreadable[index].isCurrent = true
        for other in archive.models[model].versions.indices {
          archive.models[model].versions[other].isCurrent = false
        }
        return archive.models[model].name
      }
    }
    return nil
  }

  private func arrange(
    _ model: VersionedModel,
    as wanted: Order
  ) throws(WaystoneError) -> VersionedModel {
    let versions = model.versions
    var result: [ModelVersion] = []
    var names: [String] = []
    for text in wanted.versions {
      let name = model.versionName(of: text) ?? text
      guard !names.contains(name) else {
        throw error(
          line: wanted.line,
          "Version \(text) stands twice in `order`.",
          recovery: "Remove one of the two."
        )
      }
      names.append(name)
      if model.unreadable.contains(where: { $0.name == name }) { continue }
      guard let version = versions.first(where: { $0.name == name }) else {
        throw error(
          line: wanted.line,
          "The order names \(text), which is no version.",
          recovery: "Correct the name, or remove it."
        )
      }
      result.append(version)
    }
    let missing = versions.filter { !names.contains($0.name) }
    guard missing.isEmpty else {
      throw unplaced(
        missing.map { model.isJoined ? $0.qualifiedName : $0.name },
        line: wanted.line,
        "add each to the list"
      )
    }
    var arranged = model
    arranged.versions = result
    return arranged.placingUnreadable(in: names)
  }

  /// Returns the versions in the order of the groups of a regular expression that their names match:
  /// the first group first, by value where it is a number.
  private func arrange(
    _ versions: [ModelVersion],
    by pattern: Entry
  ) throws(WaystoneError) -> [ModelVersion] {
    guard let expression = try? Regex(pattern.text) else { return versions }
    var keyed: [(key: [String], version: ModelVersion)] = []
    var missing: [String] = []
    for version in versions {
      if let match = version.name.firstMatch(of: expression) {
        let groups = match.output.dropFirst().map { String($0.substring ?? "") }
        keyed.append((groups, version))
      } else {
        missing.append(version.name)
      }
    }
    guard missing.isEmpty else {
      throw unplaced(missing, line: pattern.line, "let the expression match each")
    }
    return keyed.sorted { left, right in
      for (first, second) in zip(left.key, right.key) where first != second {
        return NaturalOrder.precedes(first, second)
      }
      return NaturalOrder.precedes(left.version.name, right.version.name)
    }
    .map(\.version)
  }

  /// Returns an error about versions whose place the order leaves open.
  func unplaced(_ names: [String], line: Int, _ fix: String) -> WaystoneError {
    let list = names.joined(separator: ", ")
    return error(
      line: line,
      "The order does not say where \(list) \(names.count == 1 ? "stands" : "stand").",
      recovery: "Either \(fix), or name below `ignore:` what was never a version of the app."
    )
  }

  /// Returns the archive without the versions that are to be left out.
  private func withoutIgnored(_ archive: ModelArchive) throws(WaystoneError) -> ModelArchive {
    guard let ignored else { return archive }
    var archive = archive
    let names = VersionNames(archive)
    var out: Set<String> = []
    for name in ignored.versions {
      if Self.leaveOut(unreadable: name, of: &archive) { continue }
      guard let version = try? names.find(name) else {
        throw error(
          line: ignored.line,
          "No version, or more than one, is called \(name), which `ignore` names.",
          recovery: "Name one that is there, as Model/Version where several models have it."
        )
      }
      out.insert(version.qualifiedName)
    }
    for index in archive.models.indices {
      let gone = archive.models[index].versions.filter { out.contains($0.qualifiedName) }
      archive.models[index].ignored = gone
      archive.models[index].ignoredNames.formUnion(gone.map(\.name))
      archive.models[index].versions.removeAll { out.contains($0.qualifiedName) }
    }
    archive.models.removeAll(where: \.versions.isEmpty)
    return archive
  }

  /// Leaves out a version that cannot be read, with its findings; false where no such version has the
  /// name.
  private static func leaveOut(unreadable name: String, of archive: inout ModelArchive) -> Bool {
    var isThere = false
    for index in archive.models.indices where archive.models[index].hasUnreadable(name) {
      let model = archive.models[index]
      let gone = Set(
        model.unreadable.map(\.name).filter { [$0, "\(model.name)/\($0)"].contains(name) }
      )
      archive.models[index].unreadable.removeAll { gone.contains($0.name) }
      archive.models[index].ignoredNames.formUnion(gone)
      archive.findings.removeAll { finding in
        finding.code == .unreadableVersion
          && finding.place.version.map(gone.contains) == true
          && finding.place.file?.hasPrefix(model.path) == true
      }
      isThere = true
    }
    return isThere
  }

  /// Returns the qualified names of the versions that the file calls shipped.
  ///
  /// A model that the file does not mention has none.
  /// - Throws: ``WaystoneError`` at the line that names a version which is not there.
  func shippedNames(in archive: ModelArchive) throws(WaystoneError) -> Set<String> {
    var result: Set<String> = []
    for model in shipped.keys.sorted(by: ByteOrder.precedes) {
      guard let list = shipped[model] else { continue }
      let part = ModelArchive(
        models: archive.models.filter { model.isEmpty || $0.isCalled(model) }
      )
      guard !part.models.isEmpty else {
        throw error(
          line: list.line,
          "There is no model called \(model).",
          recovery: "Name one that `waystone versions` shows."
        )
      }
      let names = VersionNames(part)
      let unreadable = Set(part.models.flatMap(\.unreadable).map(\.name))
      for name in list.versions where !unreadable.contains(name) {
        guard let version = try? names.find(name) else {
          throw error(
            line: list.line,
            "No version, or more than one, is called \(name), which `shipped` names.",
            recovery: "Name one that `waystone versions` shows, or remove it."
          )
        }
        result.insert(version.qualifiedName)
      }
    }
    return result
  }
}
