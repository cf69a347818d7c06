/// A model that an app's sources declare: the versions of the objects in one of its stores.
package struct SourceModel: Sendable {
  /// The name of the model whose store has SwiftData's own name, and of one that is alone.
  package static let defaultName = "SwiftData"

  /// The name that the sources give its store, its plan or its schemas; nil where they give none.
  package var name: String?
  /// The schemas, the oldest first; the last one is that of new stores, whose models a container may list itself.
  package var schemas: [SourceSchema] = []
  /// The migration plan, where there is one.
  package var plan: MigrationPlanDeclaration?
  /// The stores that the sources give SwiftData's containers of it; empty where they make none.
  package var stores: [SourceStore] = []

  /// The schema of new stores.
  package var current: SourceSchema? { schemas.last }

  /// The schemas that later declarations replace.
  package var past: ArraySlice<SourceSchema> {
    let last = schemas.lastIndex { $0.name != nil } ?? schemas.startIndex
    return schemas[..<last]
  }

  /// The names of the entities of all schemas.
  package var entityNames: Set<String> { Set(schemas.flatMap(\.entities.keys)) }
}
