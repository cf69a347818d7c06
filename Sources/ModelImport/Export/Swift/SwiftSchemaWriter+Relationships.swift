import ObjectModel

extension SwiftSchemaWriter {
  /// Adds a relationship as a property; returns its parameter in an initializer.
  mutating func add(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) throws(ModelImportError) -> Parameter? {
    let place = "\(entity.name).\(relationship.name)"
    let name = try Self.identifier(relationship.name, "The relationship \(entity.name).")
    let destination = try Self.identifier(relationship.destinationEntityName, "The entity")
    if relationship.isOrdered {
      throw Self.unsayable("\(place) is ordered, which no relationship of SwiftData is.")
    }
    if relationship.isTransient {
      throw Self.unsayable("\(place) is transient, which no relationship of SwiftData is.")
    }
    let inverse = try inverse(of: relationship, in: entity, place)
    var marks: [String] = []
    switch relationship.deletionRule {
    case .nullify: break
    case .cascade: marks.append("deleteRule: .cascade")
    case .deny: marks.append("deleteRule: .deny")
    case .noAction: marks.append("deleteRule: .noAction")
    }
    if relationship.minCount > 0 { marks.append("minimumModelCount: \(relationship.minCount)") }
    if relationship.isToMany, relationship.maxCount > 0 {
      marks.append("maximumModelCount: \(relationship.maxCount)")
    }
    if let name = relationship.renamingIdentifier, name != relationship.name {
      marks.append("originalName: \(SwiftText.literal(name))")
    }
    if let inverse { marks.append("inverse: \(inverse)") }
    if let modifier = relationship.versionHashModifier {
      marks.append("hashModifier: \(SwiftText.literal(modifier))")
    }
    if !marks.isEmpty { add("@Relationship(\(marks.joined(separator: ", ")))", 2) }
    let type = relationship.isToMany ? "[\(destination)]" : destination
    let shown = type + (relationship.isOptional ? "?" : "")
    let isEmpty = relationship.isToMany && !relationship.isOptional
    let spelled = form.spelling?.properties[entity.name]?[relationship.name]?.value
    let value = spelled ?? (isEmpty ? "[]" : nil)
    add("\(access)var \(name): \(shown)\(value.map { " = \($0)" } ?? "")", 2)
    return relationship.isOptional || relationship.isToMany
      ? nil : Parameter(name: name, type: shown)
  }

  /// Returns the key path of the inverse, where this side names it: one side alone may.
  ///
  /// SwiftData takes the one property that leads back for the inverse where neither side names one.
  private func inverse(
    of relationship: RelationshipDescription,
    in entity: EntityDescription,
    _ place: String
  ) throws(ModelImportError) -> String? {
    let destination = relationship.destinationEntityName
    guard let name = relationship.inverseName else {
      let back = model.relationships(of: destination).filter {
        $0.destinationEntityName == entity.name && $0.name != relationship.name
      }
      if back.count == 1, back[0].inverseName == nil {
        throw Self.unsayable(
          "\(place) has no inverse, and SwiftData would take \(destination).\(back[0].name) for it."
        )
      }
      return nil
    }
    guard let inverse = model.inverse(of: relationship) else {
      throw Self.unsayable("The inverse of \(place) does not lead back to it.")
    }
    let isFirst =
      (entity.name, relationship.name) == (inverse.entityName, name)
      || ByteOrder.precedes(
        "\(entity.name).\(relationship.name)",
        "\(inverse.entityName).\(name)"
      )
    guard isFirst else { return nil }
    return
      "\\\(try Self.identifier(destination, "The entity")).\(try Self.identifier(name, "The inverse"))"
  }

  // MARK: Macros

  /// Adds the macros of a class for its indexes and for constraints over several properties.
  mutating func addMacros(
    of entity: EntityDescription,
    _ name: String
  ) throws(ModelImportError) {
    let own = Set(entity.attributes.map(\.name))
    var unique: [String] = []
    for constraint in entity.uniquenessConstraints {
      guard constraint.count > 1 || !own.contains(constraint.first ?? "") else { continue }
      unique.append(try paths(constraint))
    }
    if !unique.isEmpty { add("#Unique<\(name)>(\(unique.joined(separator: ", ")))", 2) }
    var indexes: [String] = []
    for index in entity.indexes {
      let isPlain = index.elements.allSatisfy {
        $0.isAscending && !$0.isExpression && $0.collation == .binary
          && SwiftText.identifier($0.propertyName) != nil
      }
      guard isPlain, !index.elements.isEmpty, index.partialIndexPredicate == nil else {
        leaveOut("The index \(index.name) has no form in SwiftData.", entity.name, nil)
        continue
      }
      indexes.append(try paths(index.elements.map(\.propertyName)))
    }
    guard !indexes.isEmpty else { return }
    let line = "#Index<\(name)>(\(indexes.joined(separator: ", ")))"
    if line.count + 4 <= 100 {
      add(line, 2)
    } else {
      add("#Index<\(name)>(", 2)
      for (place, path) in indexes.enumerated() {
        add(path + (place + 1 < indexes.count ? "," : ""), 3)
      }
      add(")", 2)
    }
  }

  /// Returns the key paths of properties; how SwiftData names elements of composites there no store has
  /// shown.
  private func paths(_ names: [String]) throws(ModelImportError) -> String {
    var paths: [String] = []
    for name in names { paths.append("\\.\(try Self.identifier(name, "The indexed property"))") }
    return "[\(paths.joined(separator: ", "))]"
  }
}
