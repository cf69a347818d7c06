package import ObjectModel

/// The stages that migrate through a model's versions in their order, checked when made.
///
/// Counterpart of `NSStagedMigrationManager`, which refuses the same: every stage names versions
/// that exist, no version is in two stages, but for one that ends a custom stage and begins the
/// next, and the stages follow the order of versions. Consecutive lightweight stages are one
/// inference from the first version straight to where the next custom stage begins, as there.
package struct StagedMigrationManager: Hashable, Sendable {
  /// The stages in their order.
  package let stages: [MigrationStage]
  /// The model whose versions they name.
  package let model: VersionedModel
  /// The positions of each stage's versions.
  let positions: [[Int]]

  /// Checks stages against a model's versions.
  ///
  /// - Throws: ``StagedMigrationError`` for the first stage at fault.
  package init(_ stages: [MigrationStage], model: VersionedModel) throws(StagedMigrationError) {
    guard !stages.isEmpty else {
      throw StagedMigrationError(
        code: .empty,
        message: "There is no stage.",
        recovery: "Name at least one."
      )
    }
    var positions: [[Int]] = []
    for (index, stage) in stages.enumerated() {
      var own: [Int] = []
      for name in stage.versions {
        guard let position = Self.position(of: name, in: model) else {
          throw Self.error(
            .unknownVersion,
            index,
            stage,
            "names \(name.prefix(60)), which is no version of \(model.name).",
            "Name a version or its checksum: `waystone versions --format json` shows them."
          )
        }
        own.append(position)
      }
      guard !own.isEmpty else {
        throw Self.error(.empty, index, stage, "names no version.", "Name at least one.")
      }
      positions.append(own)
    }
    self.stages = stages
    self.model = model
    self.positions = positions
    try checkOrder()
  }

  /// The model whose versions all stages name, of several.
  ///
  /// - Throws: ``StagedMigrationError`` of the model that has most of them.
  package init(
    _ stages: [MigrationStage],
    models: [VersionedModel]
  ) throws(StagedMigrationError) {
    func count(_ model: VersionedModel) -> Int {
      stages.flatMap(\.versions).count { Self.position(of: $0, in: model) != nil }
    }
    let best = models.max { count($0) < count($1) }
    try self.init(stages, model: best ?? VersionedModel(name: "the archive", versions: []))
  }

  /// Returns the place of a version by its checksum or name.
  private static func position(of name: String, in model: VersionedModel) -> Int? {
    let version = model.versions.last {
      $0.isCalled(name) || $0.model.versionChecksum == name
    }
    return version.flatMap { model.place(ofHashes: $0.model.entityVersionHashes) }
  }

  private func checkOrder() throws(StagedMigrationError) {
    var last = -1
    for (index, stage) in stages.enumerated() {
      var own = positions[index]
      if case .custom = stage.kind, index > 0, case .custom = stages[index - 1].kind,
        own[0] == last
      {
        own.removeFirst()
      }
      for position in own {
        let name = model.versions[position].name
        guard position != last, !positions[..<index].joined().contains(position) else {
          throw Self.error(
            .duplicateVersion,
            index,
            stage,
            "names \(name) again.",
            "A version is in one stage only, but may end a custom stage and begin the next."
          )
        }
        guard position > last else {
          throw Self.error(
            .brokenOrder,
            index,
            stage,
            "leads back to \(name) from \(model.versions[last].name).",
            "Put the stages and their versions into the order of the versions."
          )
        }
        last = position
      }
    }
  }

  private static func error(
    _ code: StagedMigrationError.Code,
    _ index: Int,
    _ stage: MigrationStage,
    _ message: String,
    _ recovery: String
  ) -> StagedMigrationError {
    let name = stage.label.map { "Stage \(index + 1) (\($0))" } ?? "Stage \(index + 1)"
    return StagedMigrationError(
      code: code,
      stage: index + 1,
      line: stage.place.line,
      message: "\(name) \(message)",
      recovery: recovery
    )
  }
}

extension StagedMigrationManager {
  /// Returns the custom stages as edges: the inferred mapping, with the actions before and after it.
  ///
  /// Lightweight stages need none, as the graph infers them by itself. A stage whose inference is
  /// refused is an edge that is refused for the same reasons.
  /// - Parameter origin: The file that the stages come from.
  /// - Complexity: O(*p*) in the properties of the stages' versions.
  package func edges(origin: AuthoredEdge.Origin) -> [AuthoredEdge] {
    stages.enumerated().compactMap { index, stage in
      guard case .custom = stage.kind else { return nil }
      let source = model.versions[positions[index][0]].model
      let destination = model.versions[positions[index][1]].model
      let result = MappingInference.infer(
        from: source,
        to: destination,
        span: positions[index][1] == positions[index][0] + 1 ? .step : .shortcut
      )
      var mapping = result.mapping ?? MappingModel(entityMappings: [])
      mapping.actionsBefore = stage.willMigrate
      mapping.actionsAfter = stage.didMigrate
      if let label = stage.label { mapping.notes.append(label) }
      var edge = AuthoredEdge(
        source: source.entityVersionHashes,
        destination: destination.entityVersionHashes,
        mapping: mapping,
        origins: [origin]
      )
      edge.refusals = result.refusals
      let hasActions = !stage.willMigrate.isEmpty || !stage.didMigrate.isEmpty
      edge.findings = result.findings.map { finding in
        guard hasActions, finding.code.has(.drop), finding.severity > .note else {
          return finding
        }
        var finding = finding
        finding.remedy =
          "Nothing is lost if an action of the stage (\(origin.fileName)) moves the data: then accept the finding, "
          + "with that as the reason."
        return finding
      }
      return edge
    }
  }
}
