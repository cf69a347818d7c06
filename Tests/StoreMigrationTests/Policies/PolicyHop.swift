import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration

/// A mapping model run object by object from one store into a new one, as an object hop runs it.
final class PolicyHop {
  let database: PreparedDatabase
  let manager: MigrationManager
  let passes: [PolicyPass]
  let destination: PhysicalSchema

  /// Opens a store, and makes an empty one of another model beside it.
  ///
  /// - Parameter isResumed: Whether the files are there from an interrupted run.
  init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    in folder: String,
    registry: MigrationRegistry = MigrationRegistry(),
    batchSize: Int = 3,
    keepsKeys: Bool = true,
    isResumed: Bool = false
  ) throws {
    let path = folder + "/after.sqlite"
    let connection = try SQLiteConnection(path: path, access: isResumed ? .readWrite : .create)
    let schema = PhysicalSchema(model: destination)
    if !isResumed {
      try SchemaWriter.prepareNewFile(connection)
      let writer = SchemaWriter(schema)
      try writer.createTables(connection)
      try writer.createIndexes(connection)
    }
    try connection.execute(script: "PRAGMA synchronous = OFF")
    try ExpressionFunctions.register(on: connection)
    try connection.attach(path: folder + "/before.sqlite", as: "old", access: .readOnly)
    let scratch: SQLiteAccess = isResumed ? .readWrite : .create
    try connection.attach(path: folder + "/scratch.sqlite", as: "scratch", access: scratch)
    // As small as that, so that a thread writes the rows of small stores too.
    let database = PreparedDatabase(connection, isWrittenOnThread: true, enoughValues: 8)
    self.database = database
    let old = try SQLiteConnection(path: "", access: .inMemory)
    try ExpressionFunctions.register(on: old)
    try old.attach(path: folder + "/before.sqlite", as: "old", access: .readOnly)
    self.destination = schema
    var greatest: [String: Int64] = [:]
    let sourceContext = ManagedObjectContext(
      database: PreparedDatabase(old),
      schema: PhysicalSchema(model: source),
      configuration: .init(store: .source, schemaName: "old")
    )
    let destinationContext = ManagedObjectContext(
      database: database,
      schema: schema,
      configuration: .init(
        store: .destination,
        schemaName: "main",
        nextKey: { root in
          let table = SQL.identifier("main", "Z" + root.uppercased())
          let stored = try database.connection.integer("SELECT MAX(Z_PK) FROM \(table)") ?? 0
          let next = max(greatest[root] ?? 1000, stored) + 1
          greatest[root] = next
          return next
        }
      )
    )
    let manager = MigrationManager(
      mappingModel: mapping,
      sourceContext: sourceContext,
      destinationContext: destinationContext,
      associations: AssociationTable(database: database)
    )
    try manager.createTables()
    if isResumed { try manager.restoreUserInfo() }
    self.manager = manager
    var passes: [PolicyPass] = []
    for (index, entity) in mapping.entityMappings.enumerated() {
      let type = entity.entityMigrationPolicyClassName.flatMap { registry.policy(named: $0) }
      let pass = try MappingPass(
        index: index,
        policy: (type ?? EntityMigrationPolicy.self).init(),
        keepsKeys: keepsKeys && entity.pieces == nil && entity.deduplicationKeys.isEmpty,
        manager: manager
      )
      if isResumed { try manager.restoreState(of: pass) }
      passes.append(PolicyPass(manager: manager, pass: pass, batchSize: batchSize))
    }
    self.passes = passes
  }

  /// Runs all phases in Core Data's order.
  func run() throws {
    try database.connection.execute("BEGIN IMMEDIATE")
    for pass in passes {
      try pass.begin()
      try create(pass)
      try pass.endInstanceCreation()
    }
    for pass in passes {
      var last: Int64?
      while let batch = try pass.connectBatch(after: last) {
        try commit()
        last = batch.lastKey
      }
      try pass.endRelationshipCreation()
    }
    for pass in passes { try pass.performCustomValidation() }
    for pass in passes { try pass.end() }
    try database.connection.execute("COMMIT")
  }

  /// Runs the first phase of one mapping.
  func create(
    _ pass: PolicyPass,
    after key: Int64? = nil,
    onBatch: (Int64) throws -> Void = { _ in }
  ) throws {
    var last = key
    while let batch = try pass.createBatch(after: last) {
      try commit()
      try onBatch(batch.lastKey)
      last = batch.lastKey
    }
  }

  private func commit() throws {
    try database.connection.execute(script: "COMMIT; BEGIN IMMEDIATE")
  }

  /// The rows of a query on the new store.
  func rows(_ sql: String) throws -> [[SQLiteValue]] { try database.connection.rows(sql) }

  /// A mapping model of entity mappings between the entities of these names.
  static func mapping(
    _ entities: [(source: String, destination: String, policy: String?)],
    attributes: [String: String] = [:],
    relationships: [String: String] = [:]
  ) -> MappingModel {
    MappingModel(
      entityMappings: entities.map { source, destination, policy in
        var mapping = EntityMapping(
          mappingType: .custom,
          source: source,
          destination: destination
        )
        mapping.entityMigrationPolicyClassName = policy
        mapping.attributeMappings = attributes.map {
          PropertyMapping(name: $0, valueExpression: .source($1))
        }
        mapping.relationshipMappings = relationships.map {
          PropertyMapping(
            name: $0,
            valueExpression: .destinationInstances(forSourceRelationship: $1)
          )
        }
        return mapping
      }
    )
  }
}
