package import ObjectModel

/// A report on the versions of an archive, and those with the same hashes.
package struct VersionsReport: Report, MemberEncodable {
  package static let verb = "versions"

  private let archive: ModelArchive

  /// Makes a report on an archive, with its versions in their order.
  package init(archive: ModelArchive) { self.archive = archive }

  package var members: JSONMembers {
    [
      "versions": archive.models.flatMap { model in
        let equal = EqualVersions(model)
        let current = model.current
        return model.versions.map { members($0, model, equal, isCurrent: $0.name == current?.name) }
      }, "findings": archive.findings,
    ]
  }

  private func members(
    _ version: ModelVersion,
    _ model: VersionedModel,
    _ equal: EqualVersions,
    isCurrent: Bool
  ) -> JSONMembers {
    let members: JSONMembers = [
      "name": version.name, "model": version.ownModelName, "qualifiedName": version.qualifiedName,
      "path": version.path, "current": isCurrent, "checksum": version.model.versionChecksum,
      "digest": version.model.versionHashesDigest,
      "identifiers": version.model.versionIdentifiers,
      "hashes": version.model.entityVersionHashes,
      "equalTo": Array(equal.names(of: version).prefix(EqualVersions.limit)),
      "equalCount": equal.count(of: version), "unproven": version.model.unprovenReasons,
    ]
    guard model.parents != nil, let position = model.versions.firstIndex(of: version) else {
      return members
    }
    return members + [
      "follows": model.parentPositions(of: position).map { model.versions[$0].name }
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for model in archive.models {
      if !lines.isEmpty { lines.append("") }
      lines.append("\(model.name, .strong)  \(model.paths.joined(separator: ", "), .faint)")
      var table = TextTable([
        ("version", .left), ("entities", .right), ("checksum", .left), ("", .left),
      ])
      let equal = EqualVersions(model)
      let current = model.current
      for version in model.versions {
        table.append([
          StyledText(version.name),
          "\(version.model.entities.count)",
          StyledText(version.model.versionChecksum),
          marks(of: version, equal, isCurrent: version.name == current?.name),
        ])
      }
      lines += table.lines(indentation: 2)
      if isVerbose { lines += model.versions.flatMap(hashLines) }
    }
    if archive.models.isEmpty { lines.append("No model here.") }
    return lines + archive.findings.section("Findings", isVerbose: isVerbose)
  }

  private func marks(
    of version: ModelVersion,
    _ equal: EqualVersions,
    isCurrent: Bool
  ) -> StyledText {
    var marks: [StyledText] = []
    if isCurrent { marks.append(StyledText("current", .good)) }
    let count = equal.count(of: version)
    if count > 0 {
      let names = equal.names(of: version).prefix(EqualVersions.limit).joined(separator: ", ")
      let more = count - EqualVersions.limit
      marks.append(StyledText("= \(names)\(more > 0 ? " and \(more) more" : "")", .caution))
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
  /// The reasons why hashes are not proven, by entity, for those that need them.
  var unprovenReasons: [String: [String]] {
    var result: [String: [String]] = [:]
    for entity in entities {
      let reasons = unprovenHashReasons(of: entity.name)
      if !reasons.isEmpty { result[entity.name] = reasons }
    }
    return result
  }
}

/// The versions of a model by their hashes.
private struct EqualVersions {
  /// The most names of a version's equals that are listed.
  static let limit = 8

  private let groups: [[String: VersionHash]: [String]]

  init(_ model: VersionedModel) {
    groups = Dictionary(grouping: model.versions, by: \.model.entityVersionHashes)
      .mapValues { $0.map(\.name) }
  }

  /// Returns the number of other versions that have the same hashes.
  func count(of version: ModelVersion) -> Int {
    (groups[version.model.entityVersionHashes]?.count ?? 1) - 1
  }

  /// Returns the names of the other versions that have the same hashes, in their order.
  func names(of version: ModelVersion) -> some Sequence<String> {
    (groups[version.model.entityVersionHashes] ?? []).lazy.filter { $0 != version.name }
  }
}
