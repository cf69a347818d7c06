internal import Files
private import Foundation
internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess
internal import StoreGeneration
internal import StoreMigration
private import Synchronization

extension CoverageSurvey {
  /// Migrates a store of each path with the real engine, and records the parts that it tried.
  ///
  /// A given store is read at its path; for each version one is made. A failure is reported at its
  /// path, and the others continue.
  /// - Throws: An error where no temporary folder can be made, or the run is asked to stop.
  mutating func run(_ trials: CoverageOptions.Trials) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("waystone-coverage-\(UUID().uuidString)")
    do throws(FileError) { try FileSystem.createFolder(folder.path) } catch {
      throw WaystoneError(
        .cannotCreate,
        "No temporary folder can be made for the trials: \(error.message).",
        recovery: "Set TMPDIR to a folder that can be written."
      )
    }
    defer { try? FileManager.default.removeItem(at: folder) }
    for (place, part) in parts.enumerated() {
      for (index, plan) in part.plans.enumerated() {
        guard let plan, !plan.hops.isEmpty else { continue }
        let own = folder.appendingPathComponent("\(place)-\(index)")
        try FileSystem.createFolder(own.path)
        defer { try? FileManager.default.removeItem(at: own) }
        self.trials[[place, index]] = try trial(
          of: part.paths[index],
          by: plan,
          in: part,
          folder: own.path,
          generator: StoreGenerator(
            model: plan.source.model,
            rows: trials.rows,
            seed: trials.seed
          )
        )
      }
    }
  }

  private func trial(
    of path: CoverageReport.Path,
    by plan: MigrationPlan,
    in part: ModelCoverage,
    folder: String,
    generator: StoreGenerator
  ) throws -> CoverageReport.Trial {
    if let refusal = path.refusals.first {
      // The path reports it, and a run would only end at it.
      let store = project.folder.resolved(path.store ?? "")
      let rows = try? StorePopulation(of: store, model: plan.source.model).rows.values.reduce(0, +)
      var trial = CoverageReport.Trial(
        isVerified: false,
        rows: rows ?? 0,
        failure: refusal.message
      )
      trial.wasRun = false
      return trial
    }
    let calls = PolicyCalls()
    do {
      let source: String
      if let store = path.store {
        source = project.folder.resolved(store)
      } else {
        source = "\(folder)/made.sqlite"
        try generator.write(to: source)
      }
      let population = try StorePopulation(of: source, model: plan.source.model)
      var trial = CoverageReport.Trial(
        isVerified: false,
        rows: population.rows.values.reduce(0, +)
      )
      let missing = unresolvedNames(plan)
      if !missing.isEmpty {
        trial.wasRun = false
        trial.failure = "The program lacks code that mappings name."
        trial.exercises =
          Self.exercises(population, hasArrived: false)
          + Self.exercises(of: plan, in: part, path, nil)
        return trial
      }
      let conditions =
        path.store == nil ? try Self.conditions(of: plan, in: part, askedOf: source) : []
      var recovery: String?
      do {
        var options = options(folder, calls, to: plan.destination)
        // Made-up data that does not fit is reported by the path's own findings; a given store is tried
        // as `migrate` runs it.
        options.settings.acceptsChangedValues = path.store == nil
        options.allowedSQL = project.allowedSQL(
          of: plan,
          beside: self.options.allowsSQL ? .all : .none
        )
        let outcome = try StorePlan(
          plan,
          for: Store(at: source),
          models: project.mapped.modelsText
        ).run(options)
        // Unproven names are reported at the path.
        trial.findings = outcome.findings.filter { $0.code != .unprovenName }
        // A step that no object took is not tried.
        trial.isVerified = outcome.verification.passed && trial.rows > 0
        if !outcome.verification.passed { trial.failure = outcome.verification.summary }
      } catch let error as MigrationError where error.code == .interrupted {
        throw error
      } catch {
        let failure = WaystoneError(error)
        trial.failure = failure.message
        recovery = failure.recovery
      }
      trial.exercises =
        Self.exercises(population, hasArrived: trial.isVerified)
        + Self.exercises(of: plan, in: part, path, trial.isVerified ? calls : nil)
        + (trial.isVerified ? conditions : [])
      trial.findings += Self.findings(of: trial, path, plan, recovery)
      return trial
    } catch let error as MigrationError where error.code == .interrupted {
      throw error
    } catch {
      let failure = WaystoneError(error)
      var trial = CoverageReport.Trial(isVerified: false, rows: 0, failure: failure.message)
      trial.wasRun = false
      let what: Finding.Text? = path.store.map { "\($0) was not tried" }
      trial.findings = [
        Finding(
          .trialFailed,
          .error,
          at: Finding.Place(version: plan.source.name),
          message: (what ?? "No store of \(version: plan.source.name) was tried")
            + ": \(failure.message)",
          advice: "\(failure.recovery)"
        )
      ]
      return trial
    }
  }

  private func options(
    _ folder: String,
    _ calls: PolicyCalls,
    to destination: VersionGroup
  ) -> MigrationOptions {
    var options = MigrationOptions()
    options.output = "\(folder)/result.sqlite"
    options.registry = project.registry
    // Names that neither the model nor a sample settles are those that the store was made with.
    options.settings.sample = project.samplePath(for: destination)
    options.settings.acceptsUnprovenNames = true
    options.cancellation = self.options.cancellation
    options.onEvent = { event in
      if case .called(let policy, let objects) = event { calls.add(policy, objects) }
    }
    return options
  }

  /// Returns the parts of a store's model that the store has, which are tried where it has arrived.
  private static func exercises(
    _ population: StorePopulation,
    hasArrived: Bool
  ) -> [CoverageReport.Exercise] {
    func sorted(
      _ counts: [String: Int],
      _ kind: CoverageReport.Exercise.Kind
    ) -> [CoverageReport.Exercise] {
      counts.keys.sorted(by: ByteOrder.precedes).map {
        CoverageReport.Exercise(kind: kind, name: $0, count: hasArrived ? counts[$0] ?? 0 : 0)
      }
    }
    func named(_ counts: [PropertyReference: Int]) -> [String: Int] {
      Dictionary(counts.map { ($0.key.description, $0.value) }, uniquingKeysWith: +)
    }
    return sorted(population.rows, .entity) + sorted(named(population.values), .attribute)
      + sorted(named(population.links), .relationship)
  }

  /// Returns the steps that a migration took or might have taken, and the policies that it called.
  ///
  /// - Parameter calls: The calls of policies; nil where the migration was not run.
  private static func exercises(
    of plan: MigrationPlan,
    in part: ModelCoverage,
    _ path: CoverageReport.Path,
    _ calls: PolicyCalls?
  ) -> [CoverageReport.Exercise] {
    let taken = plan.hops.map { [$0.source.index, $0.destination.index] }
    let between = Set(part.graph.order.between(path.source, path.destination))
    let written = part.authoredEdges(among: between)
      .map { [$0.source, $0.destination] }.filter { !taken.contains($0) }
    let count = calls == nil ? 0 : 1
    func name(_ pair: [Int]) -> String {
      "\(part.graph.nodes[pair[0]].name) → \(part.graph.nodes[pair[1]].name)"
    }
    let edges =
      taken.map { CoverageReport.Exercise(kind: .edge, name: name($0), count: count) }
      + written.map { CoverageReport.Exercise(kind: .edge, name: name($0), count: 0) }
    let policies = Set(plan.hops.flatMap(\.mapping.policyNames)).sorted(by: ByteOrder.precedes)
    return edges
      + policies.map {
        CoverageReport.Exercise(
          kind: .policy,
          name: $0,
          count: Int(clamping: calls?.count(of: $0) ?? 0)
        )
      }
  }

  /// Returns the conditions that a plan's hops have, by the rows of a made store that break each, which
  /// the run then changed as if the user accepted it.
  private static func conditions(
    of plan: MigrationPlan,
    in part: ModelCoverage,
    askedOf store: String
  ) throws -> [CoverageReport.Exercise] {
    let questions = try StorePreconditionChecker(reading: store, model: plan.source.model)
    let evidence = StoreEvidence(graph: part.graph, source: plan.source, checker: questions)
    return plan.hops.flatMap { hop -> [CoverageReport.Exercise] in
      let edge = part.graph.edge(from: hop.source, to: hop.destination)
      return zip(edge.findings, evidence.findings(of: edge)).compactMap { asked, decided in
        guard asked.risk == .conditional else { return nil }
        let rows = decided.evidence.flatMap { $0.verdict == .refuted ? $0.rows : nil } ?? 0
        let place = asked.place.subject.map { " \($0)" } ?? ""
        return CoverageReport.Exercise(
          kind: .condition,
          name: asked.code.rawValue + place,
          count: Int(clamping: rows)
        )
      }
    }
  }

  private static func findings(
    of trial: CoverageReport.Trial,
    _ path: CoverageReport.Path,
    _ plan: MigrationPlan,
    _ recovery: String?
  ) -> [Finding] {
    var findings: [Finding] = []
    let place = Finding.Place(version: plan.source.name)
    if let failure = trial.failure {
      // Made-up data need not meet what a step asks of them.
      let conditions = path.findings.filter { $0.risk == .conditional }.map(\.code.rawValue)
      let named = Set(conditions).sorted().joined(separator: ", ")
      let isMade = path.store == nil
      let advice =
        conditions.isEmpty
        ? "Look at `waystone migrate` with such a store."
        : "The path depends on the data (\(named)). Try a store that meets them: `waystone coverage "
          + "STORE --run`."
      findings.append(
        Finding(
          .trialFailed,
          .error,
          at: place,
          message:
            "\(isMade ? "A store made for" : path.store ?? "") \(version: plan.source.name) did not "
            + "arrive: \(failure)",
          advice: "\((isMade ? nil : recovery) ?? advice)"
        )
      )
    }
    // Parts that a failed trial left untried do not depend on its rows.
    guard trial.failure == nil else { return findings }
    for policy in trial.exercises where policy.kind == .policy && policy.count == 0 {
      findings.append(
        Finding(
          .notExercised,
          .warning,
          at: place,
          message: "The policy \(policy.name) was called with no object.",
          remedy: "Try with more rows, or with a store of your own."
        )
      )
    }
    if trial.rows == 0 {
      findings.append(
        Finding(
          .notExercised,
          .warning,
          at: place,
          message: "No step was tried: the store of \(version: plan.source.name) has no rows.",
          advice: "Try a store of your own: `waystone coverage STORE --run`."
        )
      )
    }
    let unmet = trial.unmetConditions
    if !unmet.isEmpty {
      findings.append(
        Finding(
          .notExercised,
          .note,
          at: place,
          message:
            "No row of the made store broke the condition of \(unmet.joined(separator: ", ")): what becomes "
            + "of such rows is not proven.",
          remedy: "Try a store of your own that has such rows: `waystone coverage STORE --run`."
        )
      )
    }
    let untried = trial.exercises
      .filter { $0.count == 0 && $0.kind != .policy && $0.kind != .condition }.map(\.name)
    if !untried.isEmpty {
      let shown = untried.prefix(8).joined(separator: ", ")
      findings.append(
        Finding(
          .notExercised,
          .note,
          at: place,
          message: "The store had nothing of \(shown)"
            + (untried.count > 8 ? " and \(untried.count - 8) more." : "."),
          remedy: "Try with more rows, or with a store of your own."
        )
      )
    }
    return findings
  }
}

/// The number of calls of policies, counted on the thread that runs the migration.
private final class PolicyCalls: Sendable {
  private let counts = Mutex<[String: Int64]>([:])

  func add(_ policy: String, _ objects: Int64) {
    counts.withLock { $0[policy, default: 0] += objects }
  }

  func count(of policy: String) -> Int64 { counts.withLock { $0[policy] ?? 0 } }
}
