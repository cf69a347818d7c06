import ObjectModel

/// Compares the source of a version with its compiled form.
///
/// What compiling leaves out is not compared: code generation, scalar types, encryption in CloudKit
/// and the marks of Sync Services.
struct CompiledComparison {
  let source: ModelVersion
  let compiled: ModelVersion

  /// A finding for each entity and property that differs, in byte order of names.
  var findings: [Finding] {
    var findings: [Finding] = []
    let names = Set((source.model.entities + compiled.model.entities).map(\.name))
    for name in names.sorted(by: ByteOrder.precedes) {
      switch (source.model[name], compiled.model[name]) {
      case (let source?, let compiled?): findings += differences(source, compiled)
      case (_, nil): findings.append(finding(name, nil, "is not in the compiled form"))
      case (nil, _): findings.append(finding(name, nil, "is in the compiled form only"))
      }
    }
    let configurations = source.model.configurations
    if configurations != compiled.model.configurations {
      findings.append(finding(nil, nil, "has other configurations in its compiled form"))
    }
    return findings
  }

  private func differences(
    _ source: EntityDescription,
    _ compiled: EntityDescription
  ) -> [Finding] {
    var findings: [Finding] = []
    let what = Self.aspects(source, compiled)
    if !what.isEmpty { findings.append(finding(source.name, nil, Self.differs(what))) }
    let left = Self.properties(of: source)
    let right = Self.properties(of: compiled)
    for name in Set(left.keys).union(right.keys).sorted(by: ByteOrder.precedes) {
      switch (left[name], right[name]) {
      case (.attribute(let left)?, .attribute(let right)?):
        var what = Self.aspects(left, right)
        // Xcode's compiler marks the property of an index of one property as indexed too.
        let isMarked = source.indexes.contains { $0.elements.map(\.propertyName) == [name] }
        if left.isIndexed != right.isIndexed, !(isMarked && right.isIndexed) {
          what.append("index")
        }
        if !what.isEmpty { findings.append(finding(source.name, name, Self.differs(what))) }
      case (.relationship(let left)?, .relationship(let right)?):
        let what = Self.aspects(left, right)
        if !what.isEmpty { findings.append(finding(source.name, name, Self.differs(what))) }
      case (.fetchedProperty?, .fetchedProperty?): break
      case (_, nil): findings.append(finding(source.name, name, "is not in the compiled form"))
      case (nil, _): findings.append(finding(source.name, name, "is in the compiled form only"))
      default:
        findings.append(finding(source.name, name, "is of another kind in the compiled form"))
      }
    }
    return findings
  }

  private func finding(_ entity: String?, _ property: String?, _ what: String) -> Finding {
    let name = [entity ?? source.name, property].compactMap(\.self).joined(separator: ".")
    return Finding(
      .compiledFormDiffers,
      .warning,
      at: Finding.Place(
        file: compiled.path,
        version: source.name,
        entity: entity,
        property: property
      ),
      message: "\(name) \(what); the source is used.",
      remedy: "Build the app again, or check which of the two was shipped."
    )
  }

  private static func differs(_ what: [String]) -> String {
    "differs from its compiled form in its \(what.joined(separator: ", "))"
  }

  private static func properties(of entity: EntityDescription) -> [String: PropertyDescription] {
    let all =
      entity.attributes.map(PropertyDescription.attribute)
      + entity.relationships.map(PropertyDescription.relationship)
      + entity.fetchedProperties.map(PropertyDescription.fetchedProperty)
    return Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension EntityDescription {
  /// The compound indexes that Xcode's compiler writes: those of the source, or of an index over
  /// several properties.
  fileprivate var compiledCompoundIndexes: [[String]] {
    compoundIndexes.isEmpty
      ? indexes.map { $0.elements.map(\.propertyName) }.filter { $0.count > 1 } : compoundIndexes
  }
}

extension CompiledComparison {
  private static func aspects(_ a: EntityDescription, _ b: EntityDescription) -> [String] {
    [
      ("class", a.managedObjectClassName != b.managedObjectClassName),
      ("parent", a.superentityName != b.superentityName),
      ("abstractness", a.isAbstract != b.isAbstract),
      ("renaming identifier", a.canonicalName != b.canonicalName),
      ("hash modifier", a.versionHashModifier != b.versionHashModifier),
      ("uniqueness constraints", a.uniquenessConstraints != b.uniquenessConstraints),
      ("indexes", a.indexes != b.indexes || a.compiledCompoundIndexes != b.compoundIndexes),
      ("user info", a.userInfo != b.userInfo),
    ].filter(\.1).map(\.0)
  }

  private static func aspects(_ a: AttributeDescription, _ b: AttributeDescription) -> [String] {
    [
      ("type", a.attributeType != b.attributeType),
      ("optionality", a.isOptional != b.isOptional),
      ("transience", a.isTransient != b.isTransient),
      ("default value", a.defaultValue != b.defaultValue),
      ("renaming identifier", a.canonicalName != b.canonicalName),
      ("hash modifier", a.versionHashModifier != b.versionHashModifier),
      (
        "external storage",
        a.allowsExternalBinaryDataStorage != b.allowsExternalBinaryDataStorage
      ),
      (
        "preservation in history",
        a.preservesValueInHistoryOnDeletion != b.preservesValueInHistoryOnDeletion
      ),
      ("value transformer", a.valueTransformerName != b.valueTransformerName),
      ("derivation", a.derivationExpression != b.derivationExpression),
      ("validation", a.validation != b.validation),
      ("user info", a.userInfo != b.userInfo),
    ].filter(\.1).map(\.0)
  }

  private static func aspects(
    _ a: RelationshipDescription,
    _ b: RelationshipDescription
  ) -> [String] {
    [
      ("destination", a.destinationEntityName != b.destinationEntityName),
      ("inverse", a.inverseName != b.inverseName),
      ("counts", a.minCount != b.minCount || a.maxCount != b.maxCount),
      ("order", a.isOrdered != b.isOrdered),
      ("optionality", a.isOptional != b.isOptional),
      ("transience", a.isTransient != b.isTransient),
      ("deletion rule", a.deletionRule != b.deletionRule),
      ("renaming identifier", a.canonicalName != b.canonicalName),
      ("hash modifier", a.versionHashModifier != b.versionHashModifier),
      ("user info", a.userInfo != b.userInfo),
    ].filter(\.1).map(\.0)
  }
}
