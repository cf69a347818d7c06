import ObjectModel

/// The indexes that Core Data makes on the tables of entities.
struct IndexPrediction {
  let model: ManagedObjectModel
  let map: StorageMap

  /// Returns the indexes table by table, and those of the model that are not made.
  func indexes(
    tables: [EntityTable]
  ) -> (indexes: [SchemaIndex], unsupported: [UnsupportedIndex]) {
    var result: [SchemaIndex] = []
    var unsupported: [UnsupportedIndex] = []
    // Names of indexes are unique in the file, tables included, without regard to case.
    var names = Set(tables.map { $0.name.lowercased() })
    func add(_ indexes: [SchemaIndex], of entity: String) {
      for index in indexes {
        if names.insert(index.name.lowercased()).inserted {
          result.append(index)
        } else {
          unsupported.append(
            UnsupportedIndex(entityName: entity, indexName: index.name, reason: .name)
          )
        }
      }
    }
    for table in tables {
      let hierarchy = model.hierarchyNames(below: table.rootEntityName)
      for column in table.columns {
        guard isIndexed(column) else { continue }
        add([index(table, column.name)], of: table.rootEntityName)
      }
      if hierarchy.count > 1 { add([index(table, "Z_ENT")], of: table.rootEntityName) }
      for entity in hierarchy.compactMap({ model[$0] }) {
        let own = fetchIndexes(of: entity, in: table)
        add(own.indexes, of: entity.name)
        unsupported += own.unsupported
      }
      for entity in hierarchy.compactMap({ model[$0] }) {
        let constraints = entity.uniquenessConstraints
        add(constraints.compactMap { unique($0, of: entity, in: table) }, of: entity.name)
      }
    }
    return (result, unsupported)
  }

  /// Returns whether a column of keys has an index by itself.
  ///
  /// The columns for owners of a to-many without inverse have one unless it is ordered: measured on
  /// stores of frameworks 1244 and 1403 to 1414, and of 1145 and 1340.
  private func isIndexed(_ column: SchemaColumn) -> Bool {
    switch column.role {
    case .toOneKey: true
    case .oneSidedOwner(let entity, let name):
      model.property(name, of: entity)?.property.relationship?.isOrdered == false
    default: false
    }
  }

  private func index(_ table: EntityTable, _ column: String) -> SchemaIndex {
    SchemaIndex(
      name: "\(table.name)_\(column)_INDEX",
      tableName: table.name,
      terms: [.init(columnName: column)]
    )
  }

  private func unique(
    _ names: [String],
    of entity: EntityDescription,
    in table: EntityTable
  ) -> SchemaIndex? {
    let columns = names.compactMap { map.column(of: $0, in: entity.name) }
    guard !columns.isEmpty, columns.count == names.count else { return nil }
    return SchemaIndex(
      name: "Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))",
      tableName: table.name,
      terms: columns.map { .init(columnName: $0, isAscending: true) },
      isUnique: true
    )
  }

  /// Returns the fetch indexes, and the older marks that Core Data turns into fetch indexes.
  private func fetchIndexes(
    of entity: EntityDescription,
    in table: EntityTable
  ) -> (indexes: [SchemaIndex], unsupported: [UnsupportedIndex]) {
    var indexes: [SchemaIndex] = []
    var unsupported: [UnsupportedIndex] = []
    let legacyNames = legacyNames(of: entity, in: table)
    var names: Set<String> = []
    // Where there is a fetch index over the same, the older mark is only its echo.
    let echoes = Set(entity.indexes.map { $0.elements.map(\.propertyName) })
    let legacyIndexes = legacyIndexes(of: entity).filter {
      !echoes.contains($0.elements.map(\.propertyName))
    }
    for description in entity.indexes + legacyIndexes
    where names.insert(description.name).inserted {
      do throws(IndexRefusal) {
        guard let index = try fetchIndex(description, of: entity, in: table) else { continue }
        let legacy = legacyNames[index.terms.map(\.columnName)]
        indexes.append(legacy.map { index.named(legacy: $0) } ?? index)
      } catch {
        guard let reason = error.reason else { continue }
        unsupported.append(
          UnsupportedIndex(
            entityName: entity.name,
            indexName: description.name,
            reason: reason
          )
        )
      }
    }
    return (indexes, unsupported)
  }

  /// Returns the older marks as the fetch indexes they become: named like the attribute, or like all
  /// attributes with `_` between them.
  private func legacyIndexes(of entity: EntityDescription) -> [FetchIndexDescription] {
    let groups =
      entity.attributes.filter(\.isIndexed).map { [$0.name] } + entity.compoundIndexes
    return groups.map { names in
      FetchIndexDescription(
        name: names.joined(separator: "_"),
        elements: names.map { .init(propertyName: $0) }
      )
    }
  }

  /// Returns the names that systems before iOS 11 gave to the indexes over some columns.
  private func legacyNames(
    of entity: EntityDescription,
    in table: EntityTable
  ) -> [[String]: String] {
    var names: [[String]: String] = [:]
    for description in legacyIndexes(of: entity) {
      let columns = description.elements.compactMap {
        map.column(of: $0.propertyName, in: entity.name)
      }
      guard columns.count == description.elements.count else { continue }
      let list = columns.joined(separator: "_")
      names[columns] = "\(table.name)_\(list)" + (columns.count == 1 ? "_INDEX" : "")
    }
    return names
  }

  private func fetchIndex(
    _ description: FetchIndexDescription,
    of entity: EntityDescription,
    in table: EntityTable
  ) throws(IndexRefusal) -> SchemaIndex? {
    if description.elements.contains(where: { $0.collation == .rTree }) {
      throw IndexRefusal(reason: .rTree)
    }
    var terms: [SchemaIndex.Term] = []
    for element in description.elements {
      terms.append(
        .init(columnName: try column(element, of: entity), isAscending: element.isAscending)
      )
    }
    if terms.isEmpty { return nil }
    // A to-one already has an index by itself.
    if description.elements.count == 1,
      model.property(description.elements[0].propertyName, of: entity.name)?
        .property.relationship != nil
    {
      return nil
    }
    var condition: String?
    if let predicate = description.partialIndexPredicate {
      condition = PartialIndexCondition.sql(predicate) { name in
        map.column(of: name, in: entity.name).map { column in
          (column, model.property(name, of: entity.name)?.property.attribute?.attributeType)
        }
      }
      if condition == nil { throw IndexRefusal(reason: .predicate) }
    }
    return SchemaIndex(
      name: "Z_\(entity.name)_\(description.name)",
      tableName: table.name,
      terms: terms,
      condition: condition
    )
  }

  /// - Throws: Without a reason where Core Data makes no index either: a to-many, or what is not
  ///   stored.
  private func column(
    _ element: FetchIndexDescription.Element,
    of entity: EntityDescription
  ) throws(IndexRefusal) -> String {
    if let column = map.column(of: element.propertyName, in: entity.name) { return column }
    if let declared = model.declaredProperty(element.propertyName, of: entity.name) {
      throw IndexRefusal(reason: declared.property.isComposite ? .composite : nil)
    }
    switch element.propertyName.lowercased() {
    case "self": return "Z_PK"
    case "entity": return "Z_ENT"
    default: throw IndexRefusal(reason: element.isExpression ? .expression : nil)
    }
  }
}

/// An error that an index is not made where Core Data would make one, with the reason.
private struct IndexRefusal: Error {
  var reason: UnsupportedIndex.Reason?
}

extension SchemaIndex {
  fileprivate func named(legacy: String) -> SchemaIndex {
    SchemaIndex(
      name: name,
      tableName: tableName,
      terms: terms,
      isUnique: isUnique,
      condition: condition,
      legacyName: legacy
    )
  }
}
