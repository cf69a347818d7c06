import ObjectModel

extension PhysicalSchema {
  /// Returns the facts that a proof of a store's pages gathers of its rows, so that no later query is needed:
  /// whether each key of a relationship has a row, and the sums of all values.
  ///
  /// - Parameter sums: Whether values are summed up, for a comparison with another store.
  package func interest(sums: Bool) -> PageVerification.Interest {
    let references = tables.flatMap { table in
      table.columns.compactMap { column -> PageVerification.Interest.Reference? in
        guard case .toOneKey(let entity, let name) = column.role,
          let target = model.property(name, of: entity)?.property.relationship?
            .destinationEntityName,
          let other = self.table(of: target)?.name
        else { return nil }
        return .init(table: table.name, column: column.name, target: other)
      }
    }
    let links = joinTables.flatMap { join in
      [(join.ownerColumn, join.master), (join.destinationColumn, join.other ?? join.master)]
        .compactMap { column, end -> PageVerification.Interest.Reference? in
          table(of: end.entityName).map {
            .init(table: join.name, column: column.name, target: $0.name)
          }
        }
    }
    return PageVerification.Interest(references: references + links, sums: sums)
  }
}
