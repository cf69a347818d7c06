import ObjectModel

extension SchemaComparison {
  /// Compares.
  ///
  /// - Complexity: O(*n* log *n*) in the tables, columns, indexes and triggers of both.
  package init(predicted: PhysicalSchema, real: StoreSchema) {
    let realTables = Dictionary(real.tables.map { ($0.name, $0) }) { first, _ in first }
    let expected =
      predicted.tables.map { ($0.name, $0.columns) }
      + predicted.joinTables.map { ($0.name, $0.columns) }
    for (name, columns) in expected {
      if let table = realTables[name] {
        compare(columns, with: table)
      } else {
        missingTables.append(name)
      }
    }
    let names = Set(expected.map(\.0))
    for table in real.tables where !names.contains(table.name) { sort(table) }
    compareIndexes(predicted.indexes, real, realTables)
    let joins = Set(predicted.joinTables.map(\.indexName))
    if joins.isSubset(of: missingIndexes) {
      absentJoinIndexes = missingIndexes.filter(joins.contains)
      missingIndexes.removeAll(where: joins.contains)
    }
    let owners = Set(predicted.tables.flatMap(\.ownerIndexNames))
    absentOwnerIndexes = missingIndexes.filter(owners.contains)
    missingIndexes.removeAll(where: owners.contains)
    compareTriggers(predicted.triggers, real.triggers)
    compareEntities(predicted, real.entityRows)
  }

  /// Sorts a table that was not predicted into the list of its kind.
  private mutating func sort(_ table: StoreSchema.Table) {
    let columns = table.columns.map(\.name)
    let isEntityTable = Array(columns.prefix(3)) == ["Z_PK", "Z_ENT", "Z_OPT"]
    let isJoinTable =
      table.name.hasPrefix("Z_") && table.name.dropFirst(2).first?.isNumber == true
    if SystemTable.isInternal(table.name) {
      internalTables.append(table.name)
    } else if !table.isVirtual && (isEntityTable || isJoinTable) {
      extraTables.append(table.name)
    } else {
      foreignTables.append(table.name)
    }
  }

  private mutating func compare(_ columns: [SchemaColumn], with table: StoreSchema.Table) {
    let real = Dictionary(table.columns.map { ($0.name, $0) }) { first, _ in first }
    for column in columns {
      let place = Place(tableName: table.name, columnName: column.name)
      guard let found = real[column.name] else {
        missingColumns.append(place)
        continue
      }
      if found.declaredType != column.declaredType {
        differentTypes.append(
          TypeDifference(
            place: place,
            predicted: column.declaredType,
            real: found.declaredType
          )
        )
      }
    }
    let keys = Set(columns.filter(\.isKey).map(\.name))
    if keys != Set(table.columns.filter { $0.keyPosition > 0 }.map(\.name)) {
      differentKeys.append(table.name)
    }
    generatedColumns += table.generatedColumns.map { Place(tableName: table.name, columnName: $0) }
    let names = columns.map(\.name)
    let known = Set(names)
    let realNames = table.columns.map(\.name)
    for name in realNames where !known.contains(name) {
      extraColumns.append(Place(tableName: table.name, columnName: name))
    }
    if realNames.filter(known.contains) != names.filter({ real[$0] != nil }) {
      reorderedTables.append(table.name)
    }
  }

  private mutating func compareIndexes(
    _ predicted: [SchemaIndex],
    _ real: StoreSchema,
    _ tables: [String: StoreSchema.Table]
  ) {
    let found = Dictionary(real.indexes.map { ($0.name, $0) }) { first, _ in first }
    var explained: Set<String> = []
    for index in predicted {
      if let object = found[index.name] {
        explained.insert(index.name)
        if Self.normalized(object.sql) != Self.normalized(index.sql) {
          differentIndexes.append(index.name)
        }
        // A file that was upgraded may have both.
        if let legacy = index.legacyName, found[legacy] != nil, legacy != index.name {
          explained.insert(legacy)
          extraIndexes.append(legacy)
        }
      } else if let legacy = index.legacy, let object = found[legacy.name],
        Self.normalized(object.sql) == Self.normalized(legacy.sql)
      {
        explained.insert(legacy.name)
        legacyIndexes.append(index.name)
      } else if index.isUnique,
        tables[index.tableName]?.inlineConstraints.contains(index.terms.map(\.columnName))
          == true
      {
        inlineConstraints.append(index.name)
      } else {
        missingIndexes.append(index.name)
      }
    }
    let internalTables = Set(self.internalTables)
    for index in real.indexes
    where !explained.contains(index.name) && !internalTables.contains(index.tableName) {
      extraIndexes.append(index.name)
    }
  }

  private mutating func compareTriggers(
    _ predicted: [SchemaTrigger],
    _ real: [StoreSchema.Object]
  ) {
    let found = Dictionary(real.map { ($0.name, $0) }) { first, _ in first }
    for trigger in predicted {
      guard let object = found[trigger.name] else {
        missingTriggers.append(trigger.name)
        continue
      }
      if Self.normalized(object.sql) != Self.normalized(trigger.sql) {
        differentTriggers.append(trigger.name)
      }
    }
    let names = Set(predicted.map(\.name))
    extraTriggers = real.map(\.name).filter { !names.contains($0) }
  }

  private mutating func compareEntities(
    _ predicted: PhysicalSchema,
    _ rows: [PrimaryKeyTable.Row]
  ) {
    let found = Dictionary(grouping: rows, by: \.entityNumber)
    for row in predicted.primaryKeyRows(greatestKeys: [:]) {
      let number = Int(row.entityNumber)
      let there = found[row.entityNumber] ?? []
      // A table that is not Core Data's own may have a number twice.
      for second in there.dropFirst() {
        entityDifferences.append(
          EntityDifference(number: number, predicted: row, real: second)
        )
      }
      let real = there.first
      let isSameParent = real?.superentityNumber == row.superentityNumber
      if isSameParent, real?.name == row.name { continue }
      let isOther = real.map { predicted.model[$0.name] != nil } ?? false
      if isSameParent, !isOther, real?.name == predicted.model[row.name]?.renamingIdentifier {
        staleEntityNames.append(number)
      } else {
        entityDifferences.append(
          EntityDifference(
            number: number,
            predicted: row,
            real: real,
            isStaleName: isSameParent && !isOther && real?.name.isEmpty == false
          )
        )
      }
    }
    let last = Int64(predicted.entityNames.count)
    let firstInternal = Int64(SystemTable.firstInternalEntityNumber)
    for row in rows
    where (row.entityNumber > last || row.entityNumber < 1) && row.entityNumber < firstInternal {
      entityDifferences.append(
        EntityDifference(number: Int(clamping: row.entityNumber), predicted: nil, real: row)
      )
    }
  }

  /// Returns the text without what SQLite adds when it renames, and without doubled spaces.
  private static func normalized(_ sql: String) -> String {
    sql.split(separator: " ").joined(separator: " ").filter { $0 != "\"" }
  }
}
