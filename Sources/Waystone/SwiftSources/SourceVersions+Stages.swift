internal import ObjectModel
internal import SwiftDataImport

extension SourceVersions {
  /// The stages of the app's migration plans, one for each model that has a plan.
  var stages: [DeclaredStages] { (working?.models ?? []).compactMap(stages) }

  /// Returns the stages of a model's migration plan; nil where it has none.
  ///
  /// SwiftData's error for a store of a version that no stage names is that of
  /// `NSStagedMigrationManager`, so that its stages are taken for those: a custom stage joins two versions,
  /// and all others are infered. A stage with closures runs handlers that no program but the app has.
  private func stages(of model: SourceModel) -> DeclaredStages? {
    guard let plan = model.plan, let modelName = model.name else { return nil }
    let checksums = Dictionary(
      model.schemas.compactMap { schema in
        schema.isWhole
          ? schema.name.flatMap { name in schema.model.map { (name, $0.versionChecksum) } } : nil
      },
      uniquingKeysWith: { first, _ in first }
    )
    let custom = plan.stages.filter(\.runsCode) + plan.unreadStages
    var stages: [MigrationStage] = []
    var run: [String] = []
    func endRun() {
      if !run.isEmpty { stages.append(.lightweight(versionChecksums: run)) }
      run = []
    }
    for name in plan.schemas {
      let isEnd = custom.contains { $0.to == name }
      if let stage = custom.first(where: { $0.from == name }) {
        endRun()
        guard let current = checksums[stage.from], let next = checksums[stage.to] else { continue }
        var made = MigrationStage.custom(
          current: current,
          next: next,
          willMigrate: [.handler("\(plan.name), \(stage.from) to \(stage.to)")]
        )
        made.place = stage.place.finding()
        made.label = "\(stage.from) to \(stage.to)"
        stages.append(made)
      } else if let checksum = checksums[name], !isEnd {
        run.append(checksum)
      }
    }
    endRun()
    let isComplete =
      !plan.isIncomplete && !stages.isEmpty && plan.schemas.allSatisfy { checksums[$0] != nil }
    var declared = DeclaredStages(
      modelName: modelName,
      name: plan.name,
      path: Self.path(of: plan.place.file, in: path),
      stages: stages,
      isComplete: isComplete
    )
    var names: [String: String] = [:]
    for name in plan.schemas {
      guard let checksum = checksums[name] else { continue }
      guard let other = names.updateValue(name, forKey: checksum), other != name else { continue }
      declared.equalSchemas = [other, name]
      break
    }
    return declared
  }
}
