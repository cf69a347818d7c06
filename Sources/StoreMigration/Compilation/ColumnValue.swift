import MigrationPlanning
import ObjectModel
import StoreAccess

/// The source of a destination column's value, for the row `s` of a source table.
package enum ColumnValue: Hashable, Sendable {
  /// The value NULL.
  case null
  /// A column of the source row, bit for bit.
  case column(String)
  /// The same SQL literal for every row.
  case constant(String)
  /// A column of the source row, or a SQL literal where it is NULL.
  case defaulted(String, String)
  /// Any SQL expression over the source row `s`.
  case expression(String)

  /// The SQL expression, the source row being `s`.
  package var sql: String {
    switch self {
    case .null: "NULL"
    case .column(let name): "s.\(SQL.identifier(name))"
    case .constant(let literal): literal
    case .defaulted(let name, let literal): "COALESCE(s.\(SQL.identifier(name)), \(literal))"
    case .expression(let sql): sql
    }
  }
}

extension ColumnValue {
  /// Makes the value of a destination attribute's column from its origin; nil where no column of
  /// the source row decides it.
  ///
  /// - Parameter entity: The source entity whose rows are read.
  init?(
    _ origin: ValueOrigin,
    of attribute: AttributeDescription,
    from entity: String,
    in source: PhysicalSchema
  ) {
    if case .constant(let value) = origin {
      let isExternal = attribute.allowsExternalBinaryDataStorage
      self = value.map { .constant(ValueConversion.literal($0, isExternal: isExternal)) } ?? .null
      return
    }
    guard origin.isOfStoredValue, let name = origin.unchanged.carriedProperty,
      let old = source.model.property(name, of: entity)?.property.attribute,
      let column = source.column(of: name, in: entity)?.name
    else { return nil }
    let conversion = ValueConversion(origin, from: old, to: attribute)
    switch (conversion.steps.first, conversion.steps.count) {
    case (nil, _): self = .column(column)
    case (.fill(let value)?, 1):
      self = .defaulted(column, ValueConversion.literal(value, isExternal: false))
    default: self = .expression(conversion.sql(ColumnValue.column(column).sql))
    }
  }
}
