import ObjectModel
import StoreAccess

extension StoreVerifier {
  /// Returns the checks of tables, columns, indexes, triggers and entity numbers against the predicted
  /// ones.
  func schemaChecks() -> [VerificationReport.Check] {
    let comparison = SchemaComparison(predicted: schema, real: real)
    return [
      tableCheck(comparison), columnCheck(comparison), indexCheck(comparison),
      triggerCheck(comparison), entityCheck(comparison), leftoverCheck(comparison),
    ]
  }

  private func tableCheck(_ comparison: SchemaComparison) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "tables",
      "the tables are those of the model",
      code: .schemaDiffers,
      count: Int64(schema.tables.count + schema.joinTables.count + SystemTable.allCases.count)
    )
    for name in comparison.missingTables { check.fail(.init("the table \(name) is missing")) }
    for name in comparison.extraTables where !leftovers.tables.contains(name) {
      check.fail(.init("the model does not explain the table \(name)"))
    }
    // Stores of systems before iOS 9 have no model cache.
    for table in [SystemTable.primaryKey, .metadata]
    where columns[table.rawValue] == nil {
      check.fail(.init("the table \(table.rawValue) is missing"))
    }
    return check
  }

  private func columnCheck(_ comparison: SchemaComparison) -> VerificationReport.Check {
    let count = schema.tables.map(\.columns.count) + schema.joinTables.map(\.columns.count)
    var check = VerificationReport.Check(
      "columns",
      "the columns and their types are those of the model",
      code: .schemaDiffers,
      count: Int64(count.reduce(0, +))
    )
    for place in comparison.missingColumns {
      check.fail(.init("\(place.tableName) has no column \(place.columnName)"))
    }
    for place in comparison.extraColumns where !leftovers.columns.contains(place) {
      check.fail(
        .init("the model does not explain the column \(place.columnName) of \(place.tableName)")
      )
    }
    for name in comparison.differentKeys {
      check.fail(.init("\(name) does not have the primary key that Core Data declares"))
    }
    for difference in comparison.differentTypes {
      check.fail(
        .init(
          "the column \(difference.place.columnName) of \(difference.place.tableName) is "
            + "\(difference.real) instead of \(difference.predicted)"
        )
      )
    }
    return check
  }

  private func indexCheck(_ comparison: SchemaComparison) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "indexes",
      "the indexes of the model are there",
      code: .schemaDiffers,
      count: Int64(schema.indexes.count)
    )
    let lacking = Set(tolerated(comparison))
    for name in comparison.missingIndexes where !lacking.contains(name) {
      check.fail(.init("the index \(name) is missing"))
    }
    for name in comparison.differentIndexes {
      check.fail(.init("the index \(name) is another than the model's"))
    }
    return check
  }

  /// Returns the indexes that a store may lack.
  ///
  /// A version adds fetch indexes without another hash. One that keeps values apart must be there.
  private func tolerated(_ comparison: SchemaComparison) -> [String] {
    guard !requiresIndexes else { return [] }
    let fetched = schema.indexes.filter { index in
      !index.isUnique && index.terms.contains { $0.isAscending != nil }
    }
    let names = Set(fetched.map(\.name))
    return comparison.missingIndexes.filter { names.contains($0) }
  }

  private func triggerCheck(_ comparison: SchemaComparison) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "triggers",
      "the triggers of derived attributes are there",
      code: .schemaDiffers,
      count: Int64(schema.triggers.count)
    )
    for name in comparison.missingTriggers { check.fail(.init("the trigger \(name) is missing")) }
    for name in comparison.differentTriggers {
      check.fail(.init("the trigger \(name) is another than the model's"))
    }
    return check
  }

  private func entityCheck(_ comparison: SchemaComparison) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "entity-numbers",
      "Z_PRIMARYKEY numbers the model's entities as Core Data does",
      code: .schemaDiffers,
      count: Int64(schema.entityNames.count)
    )
    for difference in comparison.contradictions {
      let number = difference.number
      switch (difference.predicted, difference.real) {
      case (let predicted?, nil):
        check.fail(.init(entity: predicted.name, "there is no row of its number \(number)"))
      case (let predicted?, _?):
        check.fail(.init(entity: predicted.name, "number \(number) has another name or parent"))
      case (nil, _): check.fail(.init("the model has no entity of number \(number)"))
      }
    }
    return check
  }

  private func leftoverCheck(_ comparison: SchemaComparison) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "leftovers",
      "what Core Data's own migrations leave behind, and older systems' forms",
      code: .schemaDiffers,
      isFatal: false
    )
    let names: [([String], String)] = [
      (comparison.extraIndexes, "is an index that the model does not explain"),
      (comparison.extraTriggers, "is a trigger that the model does not explain"),
      (comparison.reorderedTables, "has its columns in another order"),
      (
        tolerated(comparison),
        "is a fetch index that the store lacks; it changes no version hash, so that no app adds it"
      ),
      (comparison.legacyIndexes, "is an index under the name of an older system"),
      (comparison.inlineConstraints, "is an index as a clause of its table"),
      (comparison.absentJoinIndexes, "is an index that systems before iOS 9 did not make"),
      (comparison.absentOwnerIndexes, "is an index that not all systems make"),
    ]
    for name in Leftovers(comparison).intersection(leftovers).names {
      check.fail(
        .init(
          "\(name) waits for the cleanup that a migration deferred, or is the app's own"
        )
      )
    }
    for (names, text) in names {
      for name in names { check.fail(.init("\(name) \(text)")) }
    }
    for difference in comparison.entityDifferences where difference.isStaleName {
      check.fail(.init(entity: difference.predicted?.name, "Z_PRIMARYKEY has an older name of it"))
    }
    check.count = check.failures
    for name in comparison.foreignTables {
      check.details.append(.init("\(name) is a table that Core Data did not make"))
    }
    return check
  }
}
