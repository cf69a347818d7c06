package import ObjectModel

/// A report on a mapping model: the objects that become others, and the expressions of their values.
package struct MappingReport: Report, MemberEncodable {
  package static let verb = "inspect"

  /// The file.
  package var path: String
  /// The mapping in it.
  package var mapping: AuthoredMapping
  /// The versions that it joins, where it is bound to any.
  package var versions: (source: String, destination: String)?
  /// The findings on the mapping.
  package var findings: [Finding]

  /// A mapping as it was read, and where it belongs.
  package init(
    path: String,
    mapping: AuthoredMapping,
    versions: (source: String, destination: String)?,
    findings: [Finding]
  ) {
    self.path = path
    self.mapping = mapping
    self.versions = versions
    self.findings = findings
  }

  package var members: JSONMembers {
    [
      "path": path, "name": mapping.name, "form": mapping.form.rawValue,
      "from": versions?.source, "to": versions?.destination,
      "explicitExpressions": mapping.explicitExpressionCount,
      "policies": mapping.mapping.policyNames, "entityMappings": mapping.mapping.entityMappings,
      "before": mapping.mapping.actionsBefore.map(Self.words),
      "after": mapping.mapping.actionsAfter.map(Self.words), "notes": mapping.mapping.notes,
      "findings": findings,
    ]
  }

  private static func words(_ action: MigrationAction) -> String {
    switch action {
    case .sql(let text): text
    case .handler(let name): "handler \(name)"
    }
  }

  fileprivate static func words(_ pieces: EntityMapping.Pieces) -> String {
    pieces.separator.map { "\(pieces.value) at \"\($0)\"" } ?? "\(pieces.value)"
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let count = Quantity.count(mapping.mapping.entityMappings.count, "entity mapping")
    var lines: [StyledText] = ["\(path, .strong)  \(count, .faint)"]
    if let versions {
      lines.append("from \(versions.source, .strong) to \(versions.destination, .strong)")
    } else {
      lines.append("for " + StyledText("no two versions that are known", .caution))
    }
    for note in mapping.mapping.notes { lines.append(StyledText("  \(note)", .faint)) }
    for action in mapping.mapping.actionsBefore { lines.append("before  \(Self.words(action))") }
    for entity in mapping.mapping.entityMappings {
      lines += [""] + Self.lines(entity, isVerbose: isVerbose)
    }
    if !mapping.mapping.actionsAfter.isEmpty { lines.append("") }
    for action in mapping.mapping.actionsAfter { lines.append("after  \(Self.words(action))") }
    return lines + findings.section("Findings", isVerbose: isVerbose)
  }

  private static func lines(_ mapping: EntityMapping, isVerbose: Bool) -> [StyledText] {
    let ends =
      switch (mapping.sourceEntityName, mapping.destinationEntityName) {
      case (nil, let new): "new \(new ?? "")"
      case (let old, nil): "drops \(old ?? "")"
      case (let old?, let new?): "\(old) → \(new)"
      }
    var lines: [StyledText] = ["\(mapping.name, .strong)  \(ends)"]
    if let policy = mapping.entityMigrationPolicyClassName {
      lines.append("  with the policy \(policy, .strong)")
    }
    if let predicate = mapping.sourcePredicate {
      lines.append(StyledText("  where " + predicate.description))
    }
    if let pieces = mapping.pieces { lines.append("  for each piece of \(words(pieces))") }
    if !mapping.deduplicationKeys.isEmpty {
      lines.append("  one for each \(mapping.deduplicationKeys.joined(separator: ", "))")
    }
    var table = TextTable([("", .left), ("", .left)])
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      table.append([
        StyledText(property.name),
        property.valueExpression.map { StyledText($0.description) }
          ?? StyledText("no value", .faint),
      ])
    }
    lines += table.lines(indentation: 2)
    return lines + Self.lines(mapping.userInfo, of: nil)
      + (mapping.attributeMappings + mapping.relationshipMappings).flatMap {
        Self.lines($0.userInfo, of: $0.name)
      }
  }

  /// Returns the annotations of a mapping, or of the mapping of a property.
  private static func lines(_ userInfo: [String: String], of property: String?) -> [StyledText] {
    userInfo.sorted { ByteOrder.precedes($0.key, $1.key) }.map { key, value in
      "  userInfo of \(property ?? "the mapping"): \(key) = \(value)"
    }
  }
}

extension EntityMapping: MemberEncodable {
  package var members: JSONMembers {
    [
      "name": name, "type": "\(mappingType)",
      "source": sourceEntityName, "sourceHash": sourceEntityVersionHash,
      "destination": destinationEntityName, "destinationHash": destinationEntityVersionHash,
      "policy": entityMigrationPolicyClassName, "predicate": sourcePredicate?.description,
      "pieces": pieces.map(MappingReport.words), "deduplicationKeys": deduplicationKeys,
      "attributes": attributeMappings, "relationships": relationshipMappings, "userInfo": userInfo,
    ]
  }
}

extension PropertyMapping: MemberEncodable {
  package var members: JSONMembers {
    ["name": name, "expression": valueExpression?.description]
  }
}
