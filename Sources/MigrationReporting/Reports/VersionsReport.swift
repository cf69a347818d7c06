package import ObjectModel

/// Which versions an archive has, and which of them hash alike.
package struct VersionsReport: Report {
  package static let verb = "versions"

  private let archive: ModelArchive

  /// A report on an archive, whose versions stand in their order.
  package init(archive: ModelArchive) { self.archive = archive }

  package var members: [String: JSONValue] {
    [
      "versions": .array(
        archive.models.flatMap { model in model.versions.map { json($0, model) } }
      ),
      "findings": .array(archive.findings.map(\.json)),
    ]
  }

  private func json(_ version: ModelVersion, _ model: VersionedModel) -> JSONValue {
    let hashes = version.model.entityVersionHashes.mapValues { JSONValue.string($0.description) }
    let unproven = version.model.unprovenReasons
    var members: [String: JSONValue] = [
      "name": .string(version.name),
      "model": .string(version.modelName),
      "qualifiedName": .string(version.qualifiedName),
      "path": .string(version.path),
      "current": .boolean(model.current == version),
      "checksum": .string(version.model.versionChecksum),
      "digest": .string(version.model.versionHashesDigest),
      "identifiers": JSONValue(version.model.versionIdentifiers),
      "hashes": .object(hashes),
      "equalTo": JSONValue(model.namesEqual(to: version)),
      "unproven": .object(unproven.mapValues { JSONValue($0) }),
    ]
    if model.parents != nil, let position = model.versions.firstIndex(of: version) {
      let parents = model.parentPositions(of: position).map { model.versions[$0].name }
      members["follows"] = JSONValue(parents)
    }
    return .object(members)
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for model in archive.models {
      if !lines.isEmpty { lines.append("") }
      lines.append("\(model.name, .strong)  \(model.path, .faint)")
      var table = TextTable([
        ("version", .left), ("entities", .right), ("checksum", .left), ("", .left),
      ])
      for version in model.versions {
        table.append([
          StyledText(version.name),
          "\(version.model.entities.count)",
          StyledText(version.model.versionChecksum),
          marks(of: version, in: model),
        ])
      }
      lines += table.lines(indentation: 2)
      if isVerbose { lines += model.versions.flatMap(hashLines) }
    }
    if archive.models.isEmpty { lines.append("No model here.") }
    return lines + archive.findings.section("Findings", isVerbose: isVerbose)
  }

  private func marks(of version: ModelVersion, in model: VersionedModel) -> StyledText {
    var marks: [StyledText] = []
    if model.current == version { marks.append(StyledText("current", .good)) }
    let equal = model.namesEqual(to: version)
    if !equal.isEmpty {
      marks.append(StyledText("= \(equal.joined(separator: ", "))", .caution))
    }
    let unproven = version.model.unprovenReasons.count
    if unproven > 0 {
      marks.append(
        StyledText("\(Quantity.count(unproven, "unproven hash", "unproven hashes"))", .caution)
      )
    }
    return marks.enumerated().reduce(StyledText()) { text, mark in
      mark.offset == 0 ? mark.element : text + ", " + mark.element
    }
  }

  private func hashLines(_ version: ModelVersion) -> [StyledText] {
    var table = TextTable([("", .left), ("", .left), ("", .left)])
    let unproven = version.model.unprovenReasons
    for entity in version.model.entities {
      let hash = version.model.entityVersionHashes[entity.name]?.description ?? ""
      let reasons = unproven[entity.name].map { "unproven: " + $0.joined(separator: "; ") }
      table.append([
        StyledText(entity.name), StyledText(hash, .faint), StyledText(reasons ?? "", .caution),
      ])
    }
    return ["", "  \(version.name, .strong)"] + table.lines(indentation: 4)
  }
}

extension ManagedObjectModel {
  /// Why hashes are not proven, by entity, for those of which it must be said.
  var unprovenReasons: [String: [String]] {
    var result: [String: [String]] = [:]
    for entity in entities {
      let reasons = unprovenHashReasons(of: entity.name)
      if !reasons.isEmpty { result[entity.name] = reasons }
    }
    return result
  }
}

extension VersionedModel {
  /// The names of the other versions that have the same hashes.
  func namesEqual(to version: ModelVersion) -> [String] {
    versions.filter {
      $0.name != version.name
        && $0.model.entityVersionHashes == version.model.entityVersionHashes
    }.map(\.name)
  }
}
