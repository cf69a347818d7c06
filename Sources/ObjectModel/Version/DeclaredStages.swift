/// The stages by which an app's own code migrates a model, as its sources declare them.
package struct DeclaredStages: Hashable, Sendable {
  /// The model's name.
  package var modelName: String
  /// The name of the plan.
  package var name: String
  /// The file of the plan.
  package var path: String
  /// The stages in their order, whose versions are named by their checksums.
  package var stages: [MigrationStage]
  /// Whether all of the plan is understood, so that what the app does follows from the stages.
  package var isComplete: Bool
  /// The names of two schemas of the plan that have the same hashes, with which the app ends at its start;
  /// empty where all differ.
  package var equalSchemas: [String] = []

  /// The stages of a plan.
  package init(
    modelName: String,
    name: String,
    path: String,
    stages: [MigrationStage],
    isComplete: Bool
  ) {
    self.modelName = modelName
    self.name = name
    self.path = path
    self.stages = stages
    self.isComplete = isComplete
  }
}

extension DeclaredStages {
  /// Returns the stages from the first version that a model has, as of the commits that are read; no store of the
  /// model is of an earlier one.
  package func stages(from model: VersionedModel) -> [MigrationStage] {
    let known = Set(model.versions.map(\.model.versionChecksum))
    for (index, stage) in stages.enumerated() {
      let rest = stages[(index + 1)...]
      switch stage.kind {
      case .custom(let current, _) where known.contains(current): return [stage] + rest
      case .custom(_, let next):
        if known.contains(next) { return [.lightweight(versionChecksums: [next])] + rest }
      case .lightweight(let versions):
        let own = versions.drop { !known.contains($0) }
        if !own.isEmpty { return [.lightweight(versionChecksums: Array(own))] + rest }
      }
    }
    return stages
  }
}
