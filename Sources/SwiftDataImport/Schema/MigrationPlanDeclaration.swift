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
  /// Whether something in it is not understood, so that schemas or stages may be missing.
  package var isIncomplete: Bool { lacksSchemas || lacksStages }
  /// The first container of the app, where none of those that are seen is given a plan.
  package var unusedBy: SourcePlace?
  /// The place of the declaration.
  package var place: SourcePlace
  /// The findings on the plan.
  package var findings: [Finding] = []
}
