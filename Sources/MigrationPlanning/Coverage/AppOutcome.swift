public import ObjectModel

/// The outcome of the app's own migration of a store, by Core Data's means.
public struct AppOutcome: Hashable, Sendable {
  /// The kind of an outcome.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The store arrives with all that the versions do not declare lost.
    case arrives
    /// The store arrives with every value that it had, and properties that it did not have get other
    /// values than the history gives them.
    case otherDefaults
    /// The store is opened, and also keeps what the versions between would have dropped or changed.
    case keeps
    /// The store is opened, and has silently lost what the versions would have carried, or holds
    /// other values than they would have given it.
    case loses
    /// The store cannot be opened.
    case fails
    /// The outcome cannot be known: code that Waystone cannot read takes part.
    case unknown

    /// Whether the store is opened with all that it had and the versions do not declare lost.
    package var isArrival: Bool { [.arrives, .otherDefaults, .keeps].contains(self) }
  }

  /// The kind of the outcome.
  public var kind: Kind
  /// The indexes of the versions where it stops, both ends included, as far as it gets.
  package var nodes: [Int]
  /// A sentence that describes the app's migration.
  public var summary: String
  /// The losses, or the reason for a failure; where the app arrives, also the conditions for that.
  public var findings: [Finding]
  /// The findings on values that the app's own steps drop by design, where it arrives.
  package var drops: [Finding] = []
  /// Whether code of the app takes part, so that the outcome depends on that code.
  public var runsCode = false

  /// An outcome.
  package init(kind: Kind, nodes: [Int], summary: String, findings: [Finding]) {
    self.kind = kind
    self.nodes = nodes
    self.summary = summary
    self.findings = findings
  }
}

/// The means by which an app opens stores of older versions.
public enum AppRuntime: String, Hashable, Sendable, CaseIterable {
  /// A single migration from the store's version to the current one.
  case direct
  /// A migration from each version to the next, as in apps with a migration loop.
  case progressive
  /// The stages of an NSStagedMigrationManager.
  case staged
  /// SwiftData without a migration plan: a single migration to the current version.
  case swiftData = "swiftdata"
  /// SwiftData with a migration plan: its stages.
  case swiftDataPlan = "swiftdata-plan"

  /// Whether SwiftData opens the app's stores, which takes no mapping model.
  package var isOfSwiftData: Bool { self == .swiftData || self == .swiftDataPlan }
  /// Whether stages define how the app migrates.
  package var isStaged: Bool { self == .staged || self == .swiftDataPlan }
  /// Whether a store is opened straight with the current version, without regard to stages.
  package var isStraight: Bool { self == .direct || self == .swiftData }
}
