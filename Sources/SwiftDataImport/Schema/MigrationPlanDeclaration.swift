package import ObjectModel

/// A type that conforms to `SchemaMigrationPlan`.
package struct MigrationPlanDeclaration: Hashable, Sendable {
  /// A stage, from one schema to another.
  package struct Stage: Hashable, Sendable {
    /// The name of the schema that it leaves.
    package var from: String
    /// The name of the schema that it leads to.
    package var to: String
    /// Whether code of the app runs before or after it.
    package var runsCode: Bool
    /// The place of the declaration.
    package var place: SourcePlace
  }

  /// The name of the type.
  package var name: String
  /// The names of the schemas, in their order.
  package var schemas: [String]
  /// The stages, in their order.
  package var stages: [Stage]
  /// Whether a schema of its list may be missing, as one is not understood.
  package var lacksSchemas = false
  /// Whether a stage may be missing, as one is not understood.
  package var lacksStages = false
  /// The first container of the app, where none of those that are seen is given a plan.
  package var unusedBy: SourcePlace?
  /// The place of the declaration.
  package var place: SourcePlace
  /// The findings on the plan.
  package var findings: [Finding] = []

  /// Whether something in it is not understood, so that schemas or stages may be missing.
  package var isIncomplete: Bool { lacksSchemas || lacksStages }

  /// The stages that there may be besides, where one is not understood: each may run code between two schemas that
  /// no other joins.
  package var unreadStages: [Stage] {
    guard lacksStages else { return [] }
    return zip(schemas, schemas.dropFirst()).filter { pair in
      !stages.contains { ($0.from, $0.to) == pair }
    }.map { Stage(from: $0, to: $1, runsCode: true, place: place) }
  }
}
