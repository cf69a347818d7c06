/// The schema predicted for a model held against the schema that a file has.
package struct SchemaComparison: Hashable, Sendable {
  /// A column of a table.
  package struct Place: Hashable, Sendable {
    /// The table.
    package var tableName: String
    /// The column.
    package var columnName: String

    package init(tableName: String, columnName: String) {
      self.tableName = tableName
      self.columnName = columnName
    }
  }

  /// A column with another declared type.
  package struct TypeDifference: Hashable, Sendable {
    /// The column.
    package var place: Place
    /// The type predicted.
    package var predicted: String
    /// The type in the file.
    package var real: String
  }

  /// A row of `Z_PRIMARYKEY` that differs from the model.
  package struct EntityDifference: Hashable, Sendable {
    /// The number.
    package var number: Int
    /// The predicted row, or nil where the model has no such number.
    package var predicted: PrimaryKeyTable.Row?
    /// The row in the file, or nil where there is none.
    package var real: PrimaryKeyTable.Row?
    /// Whether only the name is another, and no other entity's: Core Data may leave the old one when
    /// it renames an entity (measured on a store of a public app).
    package var isStaleName = false
  }

  /// The degree to which a prediction explains a file.
  package enum Level: Int, Hashable, Sendable, Comparable {
    /// A table or column is not what it should be: which column holds what is not certain.
    case unexplained
    /// All tables and columns are there, but an index or trigger is missing or another.
    case explained
    /// The differences are only those that Core Data's own migrations leave behind: the order of
    /// columns, stale indexes, and the forms of older systems.
    case tolerable
    /// The schemas are the same.
    case identical

    package static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
  }

  /// Tables predicted that the file lacks.
  package var missingTables: [String] = []
  /// Tables of Core Data's shape that the model does not explain.
  package var extraTables: [String] = []
  /// Tables and views that Core Data did not make.
  package var foreignTables: [String] = []
  /// Tables that Core Data makes for every model.
  package var internalTables: [String] = []
  /// Columns predicted that the file lacks.
  package var missingColumns: [Place] = []
  /// Columns that the model does not explain.
  package var extraColumns: [Place] = []
  /// Columns that SQLite computes, which Core Data never makes and which no copy of a row can write.
  package var generatedColumns: [Place] = []
  /// Tables whose primary key is not the one that Core Data declares, so that keys may recur or lack.
  package var differentKeys: [String] = []
  /// Columns with another declared type.
  package var differentTypes: [TypeDifference] = []
  /// Tables whose columns are in another order, which has no meaning.
  package var reorderedTables: [String] = []
  /// Indexes predicted that the file lacks in any form.
  package var missingIndexes: [String] = []
  /// Indexes that the model does not explain; in-place migrations leave them.
  package var extraIndexes: [String] = []
  /// Indexes of the right name with another text.
  package var differentIndexes: [String] = []
  /// Indexes predicted that the file has under the name of before iOS 11.
  package var legacyIndexes: [String] = []
  /// Indexes of join tables that the file lacks, where it lacks all of them: systems before iOS 9 made
  /// none (measured on stores of frameworks 419 to 519).
  package var absentJoinIndexes: [String] = []
  /// Indexes over the owners of relationships without inverse that the file lacks: which systems made
  /// them is not known.
  package var absentOwnerIndexes: [String] = []
  /// Uniqueness indexes predicted that the file has as a clause of CREATE TABLE.
  package var inlineConstraints: [String] = []
  /// Triggers of derived attributes that the file lacks.
  package var missingTriggers: [String] = []
  /// Triggers of the right name with another text.
  package var differentTriggers: [String] = []
  /// Triggers that the model does not explain.
  package var extraTriggers: [String] = []
  /// Rows of `Z_PRIMARYKEY` with a wrong name or parent, missing rows and rows too many.
  package var entityDifferences: [EntityDifference] = []

  /// The rows of `Z_PRIMARYKEY` by which rows of entities would be taken for others.
  package var contradictions: [EntityDifference] {
    entityDifferences.filter { !$0.isStaleName }
  }

  /// Numbers of renamed entities whose rows of `Z_PRIMARYKEY` still have the old name.
  package var staleEntityNames: [Int] = []

  /// The degree to which the prediction explains the file.
  package var level: Level {
    let isExplained =
      missingTables.isEmpty && extraTables.isEmpty && missingColumns.isEmpty
      && extraColumns.isEmpty && generatedColumns.isEmpty && differentKeys.isEmpty
      && differentTypes.isEmpty
      && entityDifferences.isEmpty
    guard isExplained else { return .unexplained }
    guard
      missingIndexes.isEmpty && differentIndexes.isEmpty && missingTriggers.isEmpty
        && differentTriggers.isEmpty
    else { return .explained }
    let isIdentical =
      reorderedTables.isEmpty && extraIndexes.isEmpty && legacyIndexes.isEmpty
      && inlineConstraints.isEmpty && absentJoinIndexes.isEmpty && absentOwnerIndexes.isEmpty
      && staleEntityNames.isEmpty
    return isIdentical ? .identical : .tolerable
  }
}
