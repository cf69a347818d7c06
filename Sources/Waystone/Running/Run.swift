internal import Files
public import Foundation
package import MigrationPlanning
public import ObjectModel
public import StoreMigration

/// A run that was interrupted: killed, out of disk, or asked to stop.
public struct Run: Sendable {
  /// The task of the run; nil where no run is unfinished.
  public let description: RunDescription?
  private let path: String
  private let archive: ModelArchive?

  /// Finds the unfinished run at a destination.
  ///
  /// - Parameters:
  ///   - url: The store that the run replaces, or its output.
  ///   - models: The models, where a program put them together or in an order of its own; else those
  ///     are read that the run began with.
  /// - Throws: ``WaystoneError``: `missingFile` where there is neither a store nor a run, `mismatch`
  ///   where the journal is none.
  public init(resuming url: URL, with models: ModelArchive? = nil) throws(WaystoneError) {
    self = try WaystoneError.converting {
      let path = try url.filePath
      return try Run(at: path, shownAs: path, with: models)
    }
  }

  /// Finds the unfinished run at an absolute path.
  ///
  /// - Parameter shown: The path that messages show.
  /// - Throws: As ``init(resuming:with:)``.
  package init(at path: String, shownAs shown: String, with models: ModelArchive? = nil) throws {
    self.path = path
    archive = models
    description = try Self.unfinished(at: path, shownAs: shown)
  }

  /// The store that the run replaces, or its output.
  public var url: URL { URL(filePath: path) }

  /// Whether there is anything left to do.
  public var isUnfinished: Bool { description != nil }

  /// Resumes the run from the last checkpoint, after models, plan, store and checkpoint were compared with
  /// the journal.
  ///
  /// - Parameter options: The policies, handlers, edges and SQL that the run needs, and its observers; the
  ///   rest is as the run began.
  /// - Returns: The outcome, or nil where nothing was left to do.
  /// - Throws: ``WaystoneError``, `mismatch` where one of them differs from the journal.
  @discardableResult
  public func resume(
    _ options: MigrationOptions = MigrationOptions()
  ) throws(WaystoneError) -> MigrationOutcome? {
    guard let description else { return nil }
    return try WaystoneError.converting {
      try options.checkURLs()
      let mapped = try mapped(description, options)
      return try resume(
        description.plan(in: mapped, shownAs: path),
        in: Project(mapped, configuration: nil, folder: WorkingFolder("/")),
        options
      )
    }
  }

  /// Resumes the run by its plan, for the verb, a batch and the library.
  ///
  /// - Parameters:
  ///   - plan: The plan that the run began with, made again.
  ///   - project: The project that it was made in, whose configuration may allow SQL.
  /// - Returns: The outcome, or nil where nothing is left to do, as another process ended the run.
  /// - Throws: The errors of `StoreMigrator.resume`.
  package func resume(
    _ plan: MigrationPlan,
    in project: Project,
    _ options: MigrationOptions
  ) throws -> MigrationOutcome? {
    var options = options
    options.allowedSQL = project.allowedSQL(of: plan, beside: options.allowedSQL)
    do {
      return try StoreMigrator(plan: plan, options: options).resume(path)
    } catch let error as MigrationError where error.code == .nothingToDo {
      return nil
    }
  }

  private func mapped(
    _ description: RunDescription,
    _ options: MigrationOptions
  ) throws -> MappedArchive {
    let recipe = description.settings.planning
    let archive: ModelArchive
    if let given = self.archive {
      archive = given
    } else {
      guard recipe.configuration == nil, !description.models.isEmpty else {
        throw WaystoneError(
          .badArgument,
          recipe.configuration.map { "The run has its models from \($0)." }
            ?? "The run has its models from a program.",
          recovery: "Hand over those models, in their order, or run `waystone resume`."
        )
      }
      archive = try ModelArchive(contentsOf: URL(filePath: description.models))
    }
    return try MappedArchive(archive).binding(recipe.mappings, options.edges)
  }

  /// Returns the task of the unfinished run at a destination; nil where none is unfinished.
  ///
  /// - Throws: ``WaystoneError`` where there is not even a store.
  private static func unfinished(at path: String, shownAs shown: String) throws -> RunDescription? {
    do {
      return try StoreMigrator.unfinishedRun(at: path)
    } catch let error as MigrationError where error.code == .nothingToDo {
      // A run that was killed at its very end may have left its folder.
      StoreMigrator.removeIdleWorkspace(of: path)
      guard try FileSystem.exists(path) else {
        throw WaystoneError(
          .missingFile,
          "There is neither a store nor a run at \(shown).",
          recovery: "Name the output of the run, or the store that it replaces."
        )
      }
      return nil
    }
  }
}

extension RunDescription {
  /// Makes the plan that the run began with again.
  ///
  /// - Parameters:
  ///   - archive: The models and mappings that it began with.
  ///   - shown: The path that messages show for the run's destination.
  /// - Throws: ``WaystoneError``, or an error of planning, where the models have no such plan any more.
  package func plan(in archive: MappedArchive, shownAs shown: String) throws -> MigrationPlan {
    if settings.finishesCleanup {
      return try StoreModel(ofStoreAt: store, shownAs: shown, in: archive.archive)
        .planWithoutHops()
    }
    return try settings.planning.plan(from: from, to: to, in: archive)
  }
}
