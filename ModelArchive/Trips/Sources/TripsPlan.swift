import SwiftData

/// The way of a store of any version to the current one.
enum TripsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [SchemaV1.self, SchemaV2.self, SchemaV3.self]
  }

  static var stages: [MigrationStage] { [addStops, renameTitle] }

  static let addStops = MigrationStage.lightweight(
    fromVersion: SchemaV1.self,
    toVersion: SchemaV2.self
  )
  static let renameTitle = MigrationStage.lightweight(
    fromVersion: SchemaV2.self,
    toVersion: SchemaV3.self
  )
}
