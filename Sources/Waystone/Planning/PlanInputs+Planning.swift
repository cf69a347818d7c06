package import MigrationPlanning
internal import ModelCoding
internal import ObjectModel
package import StoreMigration

extension PlanInputs {
  /// The inputs of a plan that a run keeps.
  init(_ plan: MigrationPlan, for request: MigrationRequest) {
    self.init()
    options = request.options.planning
    if !plan.hops.isEmpty { path = [plan.source.name] + plan.hops.map(\.destination.name) }
    configuration = request.project.configuration?.path
    mappings = request.project.mapped.givenMappings
    recoveredModel = request.planning.store?.recoveredCache.map { Hexadecimal.string($0) }
    part = request.planning.part
    isOfEmptyStore = request.planning.isOfEmptyStore ? true : nil
  }

  /// Makes the plan again, along the path that it had.
  ///
  /// Whether it is the same is for the caller to see, by its fingerprint.
  ///
  /// - Parameters:
  ///   - from: The qualified name of the version that it starts from.
  ///   - end: The qualified name of the version that it leads to.
  ///   - archive: The models, with the mappings that ``mappings`` names.
  /// - Throws: ``WaystoneError``, or `PlanningError`, where the models have no such plan any more.
  package func plan(
    from start: String,
    to end: String,
    in archive: MappedArchive
  ) throws -> MigrationPlan {
    var request: PlanningRequest
    if let bytes = recoveredModel.flatMap({ Hexadecimal.bytes($0) }) {
      request = try PlanningRequest(
        recovering: ModelCache.decode(bytes).model,
        to: archive.names.version(end),
        store: nil,
        in: archive
      )
    } else if let part {
      request = try PlanningRequest(
        part: part,
        of: archive.names.version(start),
        to: archive.names.version(end),
        store: nil,
        in: archive
      )
    } else {
      request = try PlanningRequest(from: start, to: end, in: archive, resolved: { $0 })
    }
    if isOfEmptyStore == true { request.takeEmptyStore() }
    let planner = MigrationPlanner(graph: request.graph)
    return path.isEmpty
      ? try planner.plan(from: request.source, to: request.destination, options: options)
      : try planner.plan(
        along: path,
        from: request.source,
        to: request.destination,
        options: options
      )
  }
}
