import MigrationPlanning
import ObjectModel
import StoreAccess

extension PreconditionQueries {
  /// Returns the number of rows, and of those that violate the condition, where the proof has them;
  /// nil where the rows must be queried.
  func known(_ kind: Precondition.Kind, _ part: Part) -> RowCount? {
    guard part.condition == nil, part.pieces.isEmpty,
      let table = schema.table(of: part.entity)?.name, let proof,
      let rows = proof.rows[table], rows.isCountedByEntity
    else { return nil }
    let all = part.numbers.reduce(0) { $0 + (rows.countByEntity[Int64($1)] ?? 0) }
    if case .noRows = kind { return RowCount(all: all, against: all) }
    let column = part.values.first.flatMap { value in
      rows.values.keys.first { value == "s.\(SQL.identifier($0))" }
    }
    guard let column else { return nil }
    func present() -> Int64? {
      rows.values[column]?.countByEntity.map { counts in
        part.numbers.reduce(0) { $0 + (counts[Int64($1)] ?? 0) }
      }
    }
    switch kind {
    case .noValues: return present().map { RowCount(all: all, against: $0) }
    case .present: return present().map { RowCount(all: all, against: all - $0) }
    case .readable(let type, _):
      return Self.isPlain(column, as: type, rows) ? RowCount(all: all, against: 0) : nil
    case .referencesExist(let entity):
      guard let target = schema.table(of: entity)?.name else { return nil }
      let reference = PageVerification.Interest.Reference(
        table: table,
        column: column,
        target: target
      )
      return proof.wholeReferences.contains(reference) ? RowCount(all: all, against: 0) : nil
    default: return nil
    }
  }

  /// Returns whether a column holds nothing but values that SQLite reads as a type, and NULL.
  private static func isPlain(
    _ column: String,
    as type: AttributeType,
    _ rows: PageVerification.Rows
  ) -> Bool {
    let plain: [(type: AttributeType, columns: Set<String>)] = [
      (.double, rows.plainNumbers), (.string, rows.plainTexts), (.uuid, rows.plainUUIDs),
      (.binary, rows.plainBlobs),
    ]
    return plain.contains { known, columns in
      columns.contains(column)
        && ValueConversion.cannotRead("v", as: type) == ValueConversion.cannotRead("v", as: known)
    }
  }
}
