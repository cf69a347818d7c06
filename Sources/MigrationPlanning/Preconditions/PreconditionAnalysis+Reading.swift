import ObjectModel

extension PreconditionAnalysis {
  /// Adds the questions whether the values that expressions or code read from a row are readable.
  ///
  /// Values that are only carried are not read: they are copied as they are. A filter also reads the
  /// rows that it leaves out.
  func askForReadable(_ row: Row, _ gathered: inout Gathered) {
    let filter = attributes(of: ReadSet(filterOf: row.mapping), row)
    let values = attributes(of: ReadSet(leavingOutCarried: row.resolution), row)
    for (reads, isFiltered) in [(filter, false), (values, true)] {
      for (entity, attribute, byCode) in reads {
        let subject =
          isFiltered && entity == row.source
          ? row.subject([.carried([attribute.name])])
          : Precondition.Subject(entity, [.carried([attribute.name])])
        gathered.add(
          .unreadableValue,
          entity,
          attribute.name,
          .readable(attribute.attributeType, byCode: byCode),
          subject
        )
      }
    }
  }

  /// Returns the stored attributes that are read, with the concrete entities whose rows have them, and
  /// whether only code reads them.
  private func attributes(
    of reads: ReadSet,
    _ row: Row
  ) -> [(entity: String, attribute: AttributeDescription, byCode: Bool)] {
    var found: [(entity: String, attribute: AttributeDescription, byCode: Bool)] = []
    for path in reads.paths {
      found += attributes(at: path, from: row.source).map { ($0, $1, false) }
    }
    if reads.readsAll {
      found += source.properties(of: row.source).compactMap { declared in
        declared.property.attribute.map { (row.source, $0, true) }
      }
    }
    var seen: Set<[String]> = []
    return found.filter { entity, attribute, _ in
      attribute.isPersistent && seen.insert([entity, attribute.name]).inserted
    }
  }

  /// Returns the attribute that a path ends at, of each concrete entity that may have it.
  private func attributes(
    at path: [String],
    from start: String
  ) -> [(entity: String, attribute: AttributeDescription)] {
    var entity = start
    for name in path where !name.hasPrefix("@") {
      switch source.property(name, of: entity)?.property {
      case .attribute(let attribute)?:
        let concrete =
          entity == start
          ? [start]
          : source.hierarchyNames(below: entity).filter { source[$0]?.isAbstract == false }
        return concrete.map { ($0, attribute) }
      case .relationship(let relationship)?: entity = relationship.destinationEntityName
      case .fetchedProperty?, nil: return []
      }
    }
    return []
  }
}
