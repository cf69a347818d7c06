import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Objects of generated stores, held against the rows that SQL reads.
@Suite struct ObjectReadingTests {
  static let samples: [ModelVersion] = ["Letters", "Notes"].flatMap { name in
    (try? ArchiveLoader.load("\(SampleArchive.root)/\(name).xcdatamodeld").versions) ?? []
  }

  @Test func `there are samples`() { #expect(Self.samples.count > 3) }

  @Test(arguments: samples)
  func `every object of a sample reads as its row`(version: ModelVersion) throws {
    try expectRows(of: version.model, seed: 7)
  }

  @Test(arguments: 0..<25)
  func `every object of a random model reads as its row`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 104_729 + 3)
    var changing = RandomModel(&random)
    changing.evolve(&random)
    guard let model = changing.model, PhysicalSchema(model: model).unsupported.isEmpty,
      model.entities.contains(where: { !$0.isAbstract })
    else { return }
    try expectRows(of: model, seed: UInt64(seed))
  }

  private func expectRows(of model: ManagedObjectModel, seed: UInt64) throws {
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 60, seed: seed).write(to: path)
      let store = try OpenedStore(path, model, isWritable: false)
      var count = 0
      for entity in model.entities where !entity.isAbstract {
        try store.context.forEach(entityName: entity.name, includesSubentities: false) { object in
          count += 1
          for declared in model.properties(of: entity.name) {
            switch declared.property {
            case .attribute(let attribute): try expect(attribute, of: object, in: store)
            case .relationship(let relationship): try expect(relationship, of: object, in: store)
            case .fetchedProperty: break
            }
          }
          return true
        }
        store.context.trim()
      }
      #expect(count == 60)
    }
  }

  private func expect(
    _ attribute: AttributeDescription,
    of object: ManagedObject,
    in store: OpenedStore
  ) throws {
    let name = object.entity.name
    guard let table = store.schema.table(of: name),
      let column = store.schema.column(of: attribute.name, in: name)
    else { return }
    let row = try store.database.connection.rows(
      "SELECT \(SQL.identifier(column.name)) FROM \(SQL.identifier(table.name)) WHERE Z_PK = ?",
      [.integer(object.objectID.key)]
    )
    let stored = try #require(row.first?.first)
    let value = try object.value(forKey: attribute.name)
    let place = "\(name).\(attribute.name)"
    switch (value, stored) {
    case (.nothing, .null): break
    case (.scalar(.integer(let a)), .integer(let b)): #expect(a == b, "\(place)")
    case (.scalar(.boolean(let a)), .integer(let b)): #expect(a == (b == 1), "\(place)")
    case (.scalar(.real(let a)), .real(let b)): #expect(a == b, "\(place)")
    case (.scalar(.date(let a)), .real(let b)): #expect(a == b, "\(place)")
    case (.scalar(.date(let a)), .integer(let b)): #expect(a == Double(b), "\(place)")
    case (.scalar(.decimal(let a)), .real(let b)): #expect(Double(a) == b, "\(place)")
    case (.scalar(.decimal(let a)), .integer(let b)): #expect(a == "\(b)", "\(place)")
    case (.scalar(.string(let a)), .text(let b)): #expect(a == b, "\(place)")
    case (.scalar(.uri(let a)), .text(let b)): #expect(a == b, "\(place)")
    case (.scalar(.uuid(let a)), .blob(let b)): #expect(a == b, "\(place)")
    case (.scalar(.binary(let a)), .blob(let b)):
      #expect(attribute.allowsExternalBinaryDataStorage ? [1] + a == b : a == b, "\(place)")
    default: Issue.record("\(place) reads as another type")
    }
  }

  private func expect(
    _ relationship: RelationshipDescription,
    of object: ManagedObject,
    in store: OpenedStore
  ) throws {
    let name = object.entity.name
    guard let storage = store.schema.storage(of: relationship.name, in: name) else { return }
    let key = object.objectID.key
    let sql: String
    switch storage {
    case .key(let table, let column, _, _):
      sql = "SELECT \(SQL.identifier(column)) FROM \(SQL.identifier(table)) WHERE Z_PK = \(key)"
    case .inverseKey(let table, let column, let order), .ownerKey(let table, let column, let order):
      sql =
        "SELECT Z_PK FROM \(SQL.identifier(table)) WHERE \(SQL.identifier(column)) = \(key)"
        + " ORDER BY \(order.map { SQL.identifier($0) } ?? "Z_PK")"
    case .join(let table, let own, let other, let order):
      sql =
        "SELECT \(SQL.identifier(other)) FROM \(SQL.identifier(table.name))"
        + " WHERE \(SQL.identifier(own)) = \(key) ORDER BY \(SQL.identifier(order ?? other))"
    }
    let keys = try store.integers(sql).compactMap { $0 }
    let objects = try object.objects(forKey: relationship.name)
    #expect(objects.map(\.objectID.key) == keys, "\(name).\(relationship.name)")
    for other in objects {
      let isKind = store.model.isKind(other.entity.name, of: relationship.destinationEntityName)
      #expect(isKind, "\(name).\(relationship.name)")
      let again = try store.context.object(with: other.objectID)
      #expect(again === other)
    }
    let value = try object.value(forKey: relationship.name)
    switch value {
    case .list: #expect(relationship.isToMany && relationship.isOrdered)
    case .set: #expect(relationship.isToMany && !relationship.isOrdered)
    default: #expect(!relationship.isToMany)
    }
  }
}
