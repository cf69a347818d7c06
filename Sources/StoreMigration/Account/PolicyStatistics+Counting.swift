import MigrationPlanning
import ObjectModel
import StoreAccess

extension PolicyStatistics {
  /// Counts the objects that a mapping's policies made, in the databases `main`, the source's, and
  /// `scratch`, which has the hop's associations.
  ///
  /// - Complexity: One reading of the associations, and of the table of each source entity.
  static func all(
    of mapping: MappingModel,
    source: PhysicalSchema,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [PolicyStatistics] {
    let association = SQL.identifier("scratch", AssociationTable.name)
    var works: [PolicyStatistics] = []
    for (index, entity) in mapping.entityMappings.enumerated() {
      guard let policy = entity.entityMigrationPolicyClassName,
        let old = entity.sourceEntityName, let new = entity.destinationEntityName,
        let number = source.entityNumber(old), let table = source.table(of: old)?.name,
        source.model[old]?.isAbstract == false
      else { continue }
      let objects = "\(SQL.scan("main", table)) WHERE Z_ENT = \(number)"
      let made =
        "SELECT DISTINCT destination_entity, destination_key FROM \(association) "
        + "WHERE mapping = \(index)"
      let known = "SELECT source_key FROM \(association) WHERE source_entity = \(number)"
      works.append(
        PolicyStatistics(
          policy: policy,
          mapping: entity.name,
          source: old,
          destination: new,
          given: try connection.count("SELECT COUNT(*) FROM \(objects)"),
          made: try connection.count("SELECT COUNT(*) FROM (\(made))"),
          withoutTrace: try connection.count(
            "SELECT COUNT(*) FROM \(objects) AND Z_PK NOT IN (\(known))"
          )
        )
      )
    }
    return works
  }
}
