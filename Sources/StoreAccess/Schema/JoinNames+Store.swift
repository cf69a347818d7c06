package import ObjectModel

extension JoinNames {
  /// Reads the open choices out of a store of that very model.
  ///
  /// A choice that the store does not reveal, as where a table is not there, stays open.
  ///
  /// - Parameters:
  ///   - tables: The names of the columns of each table of the store.
  ///   - model: The model of the store: entity numbers are part of the names.
  ///   - settler: Whether it is the store itself, or a sample.
  package init(
    settledBy tables: [String: [String]],
    model: ManagedObjectModel,
    as settler: UnsettledName.Settler = .realStore
  ) {
    let numbering = EntityNumbering(model: model)
    let open = JoinPrediction(model: model, numbering: numbering, names: .predicted)
    for pair in open.pairs where pair.settler != nil {
      let there = pair.sides.filter { tables[Self.tableName($0, numbering)] != nil }
      // Both or none: the table of another pair, or a store of another model.
      if there.count == 1 { masters[there[0]] = settler }
    }
    let settled = JoinPrediction(model: model, numbering: numbering, names: self)
    for clash in settled.clashes {
      for pair in settled.pairs {
        guard let columns = tables[Self.tableName(pair.master, numbering)] else { continue }
        for side in pair.sides where clash.relationships.contains(side) {
          let target = side == pair.master ? pair.other ?? side : pair.master
          let name = JoinPrediction.baseName(side, target, numbering)
          let numbers = columns.compactMap { Self.suffix(of: $0, after: name) }
          if numbers.count == 1 {
            suffixes[side] = Suffix(number: numbers[0], settler: settler)
          }
        }
      }
    }
  }

  private static func tableName(
    _ master: PropertyReference,
    _ numbering: EntityNumbering
  ) -> String {
    let number = numbering.number(master.entityName)
    return "Z_\(number)\(SchemaName.uppercased(master.propertyName))"
  }

  private static func suffix(of column: String, after name: String) -> Int? {
    if column == name { return 0 }
    guard column.hasPrefix(name) else { return nil }
    let digits = column.dropFirst(name.count)
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
      number > 0
    else { return nil }
    return number
  }
}
