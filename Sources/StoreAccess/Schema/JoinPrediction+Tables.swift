import ObjectModel

extension JoinPrediction {
  /// Returns the tables, and the names in them that the model does not settle.
  func tables() -> (tables: [JoinTable], unsettled: [UnsettledName]) {
    let (columns, suffixSettlers) = columnNames()
    var unsettled: [UnsettledName] = []
    let tables = pairs.map { pair in
      let table = table(pair, columns)
      if let settler = pair.settler {
        unsettled.append(
          UnsettledName(
            kind: .masterRelationship,
            relationships: pair.sides,
            tableName: table.name,
            columnName: nil,
            settler: settler
          )
        )
      }
      return table
    }
    for (pair, table) in zip(pairs, tables) {
      for side in pair.sides {
        guard let settler = suffixSettlers[side],
          let clash = clashes.first(where: { $0.open.contains(side) })
        else { continue }
        unsettled.append(
          UnsettledName(
            kind: .columnSuffix,
            relationships: clash.relationships,
            tableName: table.name,
            columnName: columns[side],
            settler: settler
          )
        )
      }
    }
    return (tables, unsettled)
  }

  /// Returns the name of the column with the keys to which each relationship leads.
  private func columnNames() -> (
    names: [PropertyReference: String], settlers: [PropertyReference: UnsettledName.Settler]
  ) {
    var columns: [PropertyReference: String] = [:]
    for pair in pairs {
      columns[pair.master] = Self.baseName(pair.master, pair.other ?? pair.master, numbering)
      if let other = pair.other {
        columns[other] = Self.baseName(other, pair.master, numbering)
      }
    }
    var settlers: [PropertyReference: UnsettledName.Settler] = [:]
    for clash in clashes {
      let known = clash.relationships.compactMap { names.suffixes[$0] }
      let isKnown =
        known.count == clash.relationships.count
        && Set(known.map(\.number)).count == known.count
      for (index, side) in clash.relationships.enumerated() {
        let suffix = isKnown && !clash.open.isEmpty ? names.suffixes[side] : nil
        let number = suffix?.number ?? index
        if number > 0 { columns[side] = (columns[side] ?? "") + String(number) }
        if clash.open.contains(side) { settlers[side] = suffix?.settler ?? .guess }
      }
    }
    return (columns, settlers)
  }

  private func table(_ pair: Pair, _ columns: [PropertyReference: String]) -> JoinTable {
    func key(_ side: PropertyReference, _ name: String) -> SchemaColumn {
      SchemaColumn(
        name: name,
        declaredType: "INTEGER",
        role: .joinKey(entity: side.entityName, relationship: side.propertyName)
      )
    }
    func order(_ side: PropertyReference, _ column: SchemaColumn) -> SchemaColumn? {
      let relationship = model.property(side.propertyName, of: side.entityName)?.property
        .relationship
      guard relationship?.isOrdered == true else { return nil }
      return SchemaColumn(
        name: "Z_FOK_" + column.name.dropFirst(2),
        declaredType: "INTEGER",
        role: .joinOrder(entity: side.entityName, relationship: side.propertyName)
      )
    }
    let master = pair.master
    let number = numbering.number(master.entityName)
    let destination = key(master, columns[master] ?? "")
    let owner = pair.other.map { key($0, columns[$0] ?? "") } ?? key(master, "REFLEXIVE")
    return JoinTable(
      name: "Z_\(number)\(SchemaName.uppercased(master.propertyName))",
      master: master,
      other: pair.other,
      ownerColumn: owner,
      destinationColumn: destination,
      ownerOrderColumn: pair.other.flatMap { order($0, owner) },
      destinationOrderColumn: order(master, destination)
    )
  }
}
