/// A step of a staged migration.
///
/// It is the counterpart of `NSLightweightMigrationStage` and `NSCustomMigrationStage`. Versions are
/// named by their checksums, as in Core Data, or by their readable names.
public struct MigrationStage: Hashable, Sendable {
  /// The kind of a stage.
  public enum Kind: Hashable, Sendable {
    /// A stage in which Core Data infers the mapping from each of these versions to the start of the
    /// next stage.
    case lightweight(versions: [String])
    /// A stage in which Core Data infers the mapping from one version to the next, and code runs before
    /// and after.
    case custom(current: String, next: String)
  }

  /// The kind of the stage.
  public var kind: Kind
  /// The purpose of the stage, in a few words.
  public var label: String?
  /// The actions before a custom stage, in its current version.
  public var willMigrate: [MigrationAction] = []
  /// The actions after a custom stage, in its next version.
  public var didMigrate: [MigrationAction] = []
  /// The place where the stage is written, if it is in a file.
  public var place = Finding.Place()

  /// A stage of a kind.
  public init(_ kind: Kind, label: String? = nil) {
    self.kind = kind
    self.label = label
  }

  /// Returns a stage that Core Data infers by itself.
  public static func lightweight(versionChecksums: [String]) -> MigrationStage {
    MigrationStage(.lightweight(versions: versionChecksums))
  }

  /// Returns a stage with code before and after.
  public static func custom(
    current: String,
    next: String,
    willMigrate: [MigrationAction] = [],
    didMigrate: [MigrationAction] = []
  ) -> MigrationStage {
    var stage = MigrationStage(.custom(current: current, next: next))
    stage.willMigrate = willMigrate
    stage.didMigrate = didMigrate
    return stage
  }

  /// The versions that the stage names.
  public var versions: [String] {
    switch kind {
    case .lightweight(let versions): versions
    case .custom(let current, let next): [current, next]
    }
  }
}
