public import Foundation
public import MigrationPlanning
public import StoreMigration

/// The options of ``Project/coverage(_:)``.
public struct CoverageOptions: Sendable {
  /// The stores that a trial makes, one of each version.
  public struct Trials: Hashable, Sendable {
    /// The rows of each, shared among the entities.
    public var rows: Int
    /// The seed of their data.
    public var seed: UInt64

    /// Stores of so many rows.
    public init(rows: Int = 500, seed: UInt64 = 1) {
      self.rows = rows
      self.seed = seed
    }
  }

  /// The method by which the app opens stores of older versions; nil for the one of `waystone.yml`, else
  /// directly.
  public var runtime: AppRuntime?
  /// The version to which all paths lead.
  public var version = VersionName.current
  /// The percentage of shipped versions that must arrive in the app; nil for the one of `waystone.yml`.
  public var minimumPercent: Int?
  /// The changed files that limit the paths examined; nil for all paths.
  public var changes: ChangedFiles?
  /// The trials, which migrate stores in a temporary folder; nil for none.
  public var trials: Trials?
  /// Whether the edges between all versions are evaluated, and the least path between every two, rather than
  /// the paths of the shipped versions alone.
  public var allEdges = false
  /// Whether the report describes each edge and the differences of its versions; edges that only the app
  /// would take are in it only where all are evaluated.
  public var describesEdges = true
  /// Whether trials run all SQL of mapping files, not only what `waystone.yml` allows.
  public var allowsSQL = false
  /// Asked to stop the trials by a signal handler or another task.
  public var cancellation = Cancellation()
  /// Stores, or folders of stores, besides the versions.
  public var storeURLs: [URL] = []
  /// The paths of further stores, or folders of stores, as the user wrote them.
  package var stores: [String] = []

  /// Options for the path of every shipped version to the current one, without trials.
  public init() {}
}
