public import Foundation
public import MigrationPlanning
public import StoreMigration

/// What ``Project/coverage(_:)`` looks at.
public struct CoverageOptions: Sendable {
  /// The stores that a trial makes, one of each version.
  public struct Trials: Hashable, Sendable {
    /// The rows of each, shared among the entities.
    public var rows: Int
    /// What their data depend on.
    public var seed: UInt64

    /// Stores of so many rows.
    public init(rows: Int = 500, seed: UInt64 = 1) {
      self.rows = rows
      self.seed = seed
    }
  }

  /// How the app opens stores of older versions; nil as `waystone.yml` says, else directly.
  public var runtime: AppRuntime?
  /// The version that all shall arrive at.
  public var version = VersionName.current
  /// How many of a hundred shipped versions must arrive in the app; nil as `waystone.yml` says.
  public var minimumPercent: Int?
  /// What to look at, where only a change counts.
  public var changes: ChangedFiles?
  /// Where stores are migrated to see whether that works, in a temporary folder; nil where not.
  public var trials: Trials?
  /// Whether the edges between all versions are looked at, and the least path between every two, rather than
  /// what becomes of the versions that were shipped alone.
  public var allEdges = false
  /// Whether the report says what each edge does and in what its versions differ; it then has those that the
  /// app alone would take only where all are looked at.
  public var describesEdges = true
  /// Whether trials run all SQL of mapping files, not only what `waystone.yml` allows.
  public var allowsSQL = false
  /// Asked to stop the trials by a signal handler or another task.
  public var cancellation = Cancellation()
  /// Stores, or folders of stores, besides the versions.
  public var storeURLs: [URL] = []
  /// The same by their paths, as a person wrote them.
  package var stores: [String] = []

  /// Every shipped version on its way to the current one, without trials.
  public init() {}
}
