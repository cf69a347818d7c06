extension ManagedObjectModel {
  /// The declared type of each stored derived attribute's column, by entity and by name in capitals.
  ///
  /// No version hash sees the name or the type of a derived attribute, only its expression.
  package var derivedColumns: [String: [String: String]] {
    var columns: [String: [String: String]] = [:]
    for entity in entities {
      for attribute in entity.derivedAttributes {
        columns[entity.name, default: [:]][attribute.name.uppercased()] =
          attribute.attributeType.declaredColumnType ?? ""
      }
    }
    return columns
  }

  /// Returns whether a model of the same version hashes has the same columns.
  package func hasColumns(of other: ManagedObjectModel) -> Bool {
    derivedColumns == other.derivedColumns
  }
}

extension EntityDescription {
  /// The own derived attributes that a store keeps.
  package var derivedAttributes: [AttributeDescription] {
    attributes.filter { $0.isPersistent && $0.derivationExpression != nil }
  }
}

extension VersionedModel {
  /// Returns the model without the versions that hash as a version does, and have other columns.
  ///
  /// - Complexity: O(*v* · *e*) in versions and entities; where versions hash alike, O(*p*) in the properties
  ///   of each of them.
  package func keepingColumns(of version: ModelVersion) -> VersionedModel {
    let hashes = version.model.entityVersionHashes
    let columns = version.model.derivedColumns
    func isKept(_ other: ModelVersion) -> Bool {
      other == version || other.model.entityVersionHashes != hashes
        || other.model.derivedColumns == columns
    }
    guard !versions.allSatisfy(isKept) else { return self }
    var result = self
    result.versions.removeAll { !isKept($0) }
    guard parents != nil else { return result }
    result.parents = [:]
    for (position, version) in versions.enumerated() where isKept(version) {
      result.parents?[version.name] = parentPositions(of: position, among: isKept)
        .map { versions[$0].name }
    }
    return result
  }
}
