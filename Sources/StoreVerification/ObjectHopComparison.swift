package import MigrationPlanning
import ObjectModel
package import StoreAccess

/// A comparison of an authored hop's objects with their sources, as far as the mapping defines them.
///
/// Objects are paired by the associations that the hop recorded. Carried attributes and constants
/// are compared, and carried links must be there; values of expressions and of code cannot be
/// predicted, and the report names them.
package struct ObjectHopComparison {
  let source: PhysicalSchema
  let result: PhysicalSchema
  let resolved: ResolvedMapping
  /// Whether objects have the keys of their sources, so that another comparison covers all but
  /// values of expressions.
  let isOfTables: Bool

  /// Makes the comparison for a hop from one schema to another.
  ///
  /// - Parameter isOfTables: Whether objects have the keys of their sources.
  package init(
    _ mapping: ResolvedMapping,
    from source: PhysicalSchema,
    to result: PhysicalSchema,
    isOfTables: Bool
  ) {
    self.source = source
    self.result = result
    self.isOfTables = isOfTables
    resolved = mapping
  }

  var mapping: MappingModel { resolved.mapping }

  /// Compares the databases `main` and `result` of a connection, with `scratch` beside them.
  ///
  /// - Parameter externalData: The folder of the source's external files.
  package func compare(
    _ connection: borrowing SQLiteConnection,
    externalData: String
  ) throws -> VerificationReport {
    try ExternalBytes.register(on: connection, folder: externalData)
    var checks = Checks(hasPolicies: hasPolicies, leftOut: leftOutCheck)
    for (index, entity) in mapping.entityMappings.enumerated() {
      guard let old = entity.sourceEntityName, let new = entity.destinationEntityName,
        source.model[old]?.isAbstract == false,
        let before = source.table(of: old), let after = result.table(of: new)
      else { continue }
      guard entity.entityMigrationPolicyClassName == nil else { continue }
      try compareRows(index, entity, before, connection, &checks)
      guard let resolution = resolved.entities[index] else { continue }
      try compareAttributes(index, resolution, before, after, connection, &checks)
      for name in resolution.given {
        try compareLinks(index, resolution, name, connection, &checks)
      }
    }
    try compareObjects(connection, &checks)
    return VerificationReport(checks: checks.all)
  }

  /// The check that lists the places that are not compared.
  package var leftOutCheck: VerificationReport.Check {
    var check = VerificationReport.Check(
      "not-compared",
      "what the mapping computes, or leaves to code, is not compared with the source",
      isFatal: false
    )
    check.details = leftOut
    return check
  }

  /// The places that are not compared, with reasons.
  package var leftOut: [VerificationReport.Detail] {
    resolved.entities.compactMap(\.self).flatMap { resolution -> [VerificationReport.Detail] in
      let (entity, new) = (resolution.mapping, resolution.destination)
      guard source.model[resolution.source]?.isAbstract == false else { return [] }
      if let name = entity.entityMigrationPolicyClassName {
        return [.init(entity: new, "is made by the policy \(name) (\(entity.name))")]
      }
      var details: [VerificationReport.Detail] = []
      if !isCounted(entity) {
        details.append(
          .init(entity: new, "which objects \(entity.name) makes depends on its filter or parts")
        )
      }
      for attribute in result.model.attributes(of: new)
      where result.column(of: attribute.name, in: new) != nil {
        guard case .unknown(let reason) = expectation(of: attribute, resolution) else { continue }
        if isOfTables, resolution.derived.contains(attribute.name) { continue }
        details.append(.init(entity: new, property: attribute.name, reason))
      }
      if isOfTables { return details }
      for name in resolution.given {
        guard let reason = reasonToLeaveOut(name, resolution) else { continue }
        details.append(.init(entity: new, property: name, reason))
      }
      return details
    }
  }

  /// Returns whether each object of the source entity makes something.
  private func isCounted(_ entity: EntityMapping) -> Bool {
    entity.sourcePredicate == nil && entity.pieces == nil
  }

  private var hasPolicies: Bool {
    mapping.entityMappings.contains { $0.entityMigrationPolicyClassName != nil }
  }

  /// The checks, which are not fatal where code other than the engine's may have had its reasons.
  struct Checks {
    var rows: VerificationReport.Check
    var attributes: VerificationReport.Check
    var links: VerificationReport.Check
    var leftOut: VerificationReport.Check

    init(hasPolicies: Bool, leftOut: VerificationReport.Check) {
      self.leftOut = leftOut
      func check(_ name: String, _ summary: String) -> VerificationReport.Check {
        VerificationReport.Check(name, summary, isFatal: !hasPolicies)
      }
      rows = check("mapped-rows", "the objects are those that the entity mappings make")
      attributes = check("mapped-attributes", "each value that is carried equals the source's")
      links = check("mapped-links", "each link that is carried is there")
    }

    var all: [VerificationReport.Check] { [rows, attributes, links, leftOut] }
  }

  private func main(_ table: String) -> String { SQL.scan("main", table, as: "s") }

  private func result(_ table: String) -> String { SQL.scan("result", table, as: "d") }

  // MARK: Rows

  /// Checks that each row of the source entity made an object, where no filter or key chooses among
  /// them.
  private func compareRows(
    _ index: Int,
    _ entity: EntityMapping,
    _ table: EntityTable,
    _ connection: borrowing SQLiteConnection,
    _ checks: inout Checks
  ) throws {
    guard let old = entity.sourceEntityName, let number = source.entityNumber(old),
      isCounted(entity)
    else { return }
    let rows = try connection.count(
      "SELECT COUNT(*) FROM \(main(table.name)) WHERE Z_ENT = \(number)"
    )
    let made = try connection.count(
      "SELECT COUNT(DISTINCT source_key) FROM scratch.association WHERE mapping = \(index)"
    )
    checks.rows.count += rows
    guard rows != made else { return }
    checks.rows.fail(
      .init(
        entity: old,
        "\(made) of \(rows) rows became objects by \(entity.name)",
        count: abs(rows - made)
      )
    )
  }

  /// Checks that all objects of an entity were made by its mappings, where no code made any.
  private func compareObjects(
    _ connection: borrowing SQLiteConnection,
    _ checks: inout Checks
  ) throws {
    guard !hasPolicies else { return }
    for name in result.entityNames {
      guard let number = result.entityNumber(name), let table = result.table(of: name),
        result.model[name]?.isAbstract == false
      else { continue }
      let objects = try connection.count(
        "SELECT COUNT(*) FROM \(result(table.name)) WHERE Z_ENT = \(number)"
      )
      let made = try connection.count(
        "SELECT COUNT(*) FROM (SELECT DISTINCT destination_key FROM scratch.association "
          + "WHERE destination_entity = \(number))"
      )
      checks.rows.count += objects
      guard objects != made else { continue }
      checks.rows.fail(
        .init(
          entity: name,
          "there are \(objects) objects, and the entity mappings made \(made)",
          count: abs(objects - made)
        )
      )
    }
  }

  // MARK: Attributes

  private func compareAttributes(
    _ index: Int,
    _ entity: ResolvedEntityMapping,
    _ before: EntityTable,
    _ after: EntityTable,
    _ connection: borrowing SQLiteConnection,
    _ checks: inout Checks
  ) throws {
    let new = entity.destination
    let pairs =
      "scratch.association a CROSS JOIN \(main(before.name)) ON s.Z_PK = a.source_key "
      + "LEFT JOIN \(result(after.name)) ON d.Z_PK = a.destination_key"
    for attribute in result.model.attributes(of: new) {
      guard let column = result.column(of: attribute.name, in: new) else { continue }
      guard case .value(let expected) = expectation(of: attribute, entity) else { continue }
      let difference = "d.Z_PK IS NULL OR d.\(SQL.identifier(column.name)) IS NOT (\(expected))"
      let counts = try connection.counts(
        "SELECT COUNT(*), COUNT(CASE WHEN \(difference) THEN 1 END) FROM \(pairs) "
          + "WHERE a.mapping = \(index)"
      )
      checks.attributes.count += counts[0]
      let failures = counts[1]
      guard failures > 0 else { continue }
      checks.attributes.fail(
        .init(
          entity: new,
          property: attribute.name,
          "\(failures) objects differ from what \(entity.mapping.name) carries",
          count: failures,
          primaryKeys: try StoreVerifier.keys(
            connection,
            "SELECT a.destination_key FROM \(pairs) WHERE a.mapping = \(index) "
              + "AND (\(difference)) LIMIT 5"
          )
        )
      )
    }
  }

  private enum Expectation {
    case value(String)
    case unknown(String)
  }

  private func expectation(
    of attribute: AttributeDescription,
    _ entity: ResolvedEntityMapping
  ) -> Expectation {
    if entity.derived.contains(attribute.name) {
      return .unknown("is derived, and the mapping does not set it")
    }
    let (mapping, keys) = (entity.mapping, entity.mapping.deduplicationKeys)
    if !keys.isEmpty, !keys.contains(attribute.name) {
      return .unknown("is that of one of several objects that \(mapping.name) makes one")
    }
    let origin = entity.attributes[attribute.name] ?? .nothing
    if case .constant(let value) = origin {
      let isExternal = attribute.allowsExternalBinaryDataStorage
      return .value(
        value.map { ExpectedConversion.literal($0, isExternal: isExternal) } ?? "NULL"
      )
    }
    guard origin.isOfStoredValue, let name = origin.unchanged.carriedProperty,
      let old = source.model.property(name, of: entity.source)?.property.attribute,
      let column = source.column(of: name, in: entity.source)?.name
    else { return .unknown("is computed by \(mapping.name)") }
    let conversion = ExpectedConversion(origin, from: old, to: attribute)
    return .value(conversion.sql("s.\(SQL.identifier(column))"))
  }
}
