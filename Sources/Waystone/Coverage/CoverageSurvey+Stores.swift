internal import Files
internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

extension CoverageSurvey {
  /// Adds the paths of stores, and of all stores below folders.
  ///
  /// - Throws: ``WaystoneError`` where nothing is at a path; what cannot be read is a finding.
  mutating func addStores(at paths: [String]) throws {
    for path in paths {
      let resolved = project.folder.resolved(path)
      guard let status = try InputFile.status(resolved, shownAs: path) else {
        throw WaystoneError(
          .missingFile,
          "There is no \(path).",
          recovery: "Name a store, or a folder of stores."
        )
      }
      guard status.kind == .folder else {
        add(store: path)
        continue
      }
      let found = StoreFinder(below: resolved)
      guard !found.isIncomplete else {
        throw WaystoneError(
          .badArgument,
          "\(path) holds more than 100,000 files.",
          recovery: "Name the folder of stores itself."
        )
      }
      for name in found.stores { add(store: "\(path)/\(name)") }
      for gap in found.gaps {
        let place = gap.path.isEmpty ? path : "\(path)/\(gap.path)"
        findings.append(
          Finding(
            .storeNotCovered,
            .error,
            at: Finding.Place(file: place),
            message: "\(place) cannot be read: \(gap.error.reason).",
            remedy: gap.error.recovery
          )
        )
      }
      guard found.stores.isEmpty, found.gaps.isEmpty else { continue }
      findings.append(
        Finding(
          .storeNotCovered,
          .error,
          at: Finding.Place(file: path),
          message: "No store is below the folder.",
          remedy: "Name a folder in or below which stores lie, or leave it out."
        )
      )
    }
  }

  /// Adds the path of one store.
  private mutating func add(store path: String) {
    do {
      let project = project
      let request = try PlanningRequest(store: path, to: options.version.text, in: project)
      var asked = MigrationOptions()
      asked.registry = project.registry
      // Sums of values serve the verification of a run.
      asked.settings.verification = .none
      // Answers to the plan's questions are not queried again.
      let migration = MigrationRequest(request, in: project, options: asked)
      try request.asking(asked) { evidence in
        let file = project.folder.resolved(path)
        let store = (
          path, try FileSystem.size(of: file) ?? 0, request.store?.columnNames, evidence
        )
        let isThere = request.source == request.destination
        let index = parts.firstIndex {
          $0.graph.nodes == request.graph.nodes || isThere && $0.leads(to: request.destination)
        }
        if let index {
          parts[index].add(isThere ? parts[index].destination : request.source, store: store) {
            Self.refusals(of: $0, migration, evidence, shownAs: path)
          }
        } else {
          // Among versions put together, the edges of the graph count.
          var part = try part(path, request.graph, to: request.destination, bundled: nil)
          part.add(request.source, store: store) {
            Self.refusals(of: $0, migration, evidence, shownAs: path)
          }
          parts.append(part)
        }
      }
    } catch {
      let failure = WaystoneError(error)
      findings.append(
        Finding(
          .storeNotCovered,
          .error,
          at: Finding.Place(file: path),
          message: failure.message.replacing(project.folder.resolved(path), with: path),
          remedy: failure.recovery
        )
      )
    }
  }

  /// Returns the findings for which a run of a store's plan does not begin.
  private static func refusals(
    of plan: MigrationPlan,
    _ request: MigrationRequest,
    _ evidence: StoreEvidence?,
    shownAs store: String
  ) -> [Finding] {
    do {
      return try request.check(plan, evidence).refusals.compactMap { refusal in
        guard !refusal.isOfPlan, var finding = refusal.finding else { return nil }
        // The rows' own are those of the plan's hops.
        if !plan.allFindings.contains(finding) { finding.place.file = store }
        return finding
      }
    } catch {
      let failure = WaystoneError(error)
      return [
        Finding(
          .storeNotCovered,
          .error,
          at: Finding.Place(file: store, version: plan.source.name),
          message: failure.message.replacing(request.planning.store?.readable ?? "", with: store),
          remedy: failure.recovery
        )
      ]
    }
  }
}
