import StoreAccess

/// A writer of the rows of a many-to-many table, in order of its primary key's first column.
struct JoinRowWriter {
  private let table: JoinTable
  private let links: RelationshipLinks

  init(_ table: JoinTable, links: RelationshipLinks) {
    self.table = table
    self.links = links
  }

  /// Inserts all rows.
  ///
  /// - Complexity: O(*links*) in constant memory, but for the links of one object at a time.
  func write(to connection: borrowing SQLiteConnection) throws(SQLiteError) {
    if table.isReflexive {
      try writeReflexive(to: connection)
      return
    }
    guard let pairs = links.manyToMany(table) else { return }
    let columns = [
      table.ownerColumn, table.destinationColumn, table.ownerOrderColumn,
      table.destinationOrderColumn,
    ].compactMap { $0?.name }
    let statement = try connection.prepare(insert(columns))
    let ownerOrder = table.ownerOrderColumn == nil ? nil : 3
    let destinationOrder =
      table.destinationOrderColumn == nil ? nil : ownerOrder == nil ? 3 : 4
    for index in 0..<pairs.owners.count {
      let owner = pairs.owners.member(index)
      for link in pairs.assignment.links(ofFirst: index) {
        try statement.bind(owner.key, at: 1)
        try statement.bind(pairs.destinations.member(link.index).key, at: 2)
        // The owner's place in the inverse's list, and the destination's in the master's.
        if let ownerOrder {
          try statement.bind(OrderKey.key(atRank: link.rankOfSelf), at: ownerOrder)
        }
        if let destinationOrder {
          try statement.bind(OrderKey.key(atRank: link.rank), at: destinationOrder)
        }
        try statement.run()
      }
    }
  }

  /// Writes one row for each direction of each link.
  private func writeReflexive(to connection: borrowing SQLiteConnection) throws(SQLiteError) {
    guard let (population, circle) = links.reflexive(table) else { return }
    let statement = try connection.prepare(
      insert([table.ownerColumn.name, table.destinationColumn.name])
    )
    for index in 0..<population.count {
      for partner in circle.partners(of: index) {
        try statement.bind(population.member(index).key, at: 1)
        try statement.bind(population.member(partner).key, at: 2)
        try statement.run()
      }
    }
  }

  private func insert(_ columns: [String]) -> String {
    "INSERT INTO \(SQL.identifier(table.name)) "
      + "(\(columns.map { SQL.identifier($0) }.joined(separator: ", "))) VALUES "
      + "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
  }
}
