public import ObjectModel

/// What the app itself would do with a store, by Core Data's own means.
public struct AppOutcome: Hashable, Sendable {
  /// How it ends.
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
    /// Nobody can say: code that is not known takes part.
    case unknown

    /// Whether the store is opened with all that it had and the versions do not declare lost.
    package var isArrival: Bool { [.arrives, .otherDefaults, .keeps].contains(self) }
  }

  /// How it ends.
  public var kind: Kind
  /// The indexes of the nodes where it stops, both ends included, as far as it gets.
  package var nodes: [Int]
  /// One sentence that says what it does.
  public var summary: String
  /// What it loses, or why it fails; where it arrives, on what that depends.
  public var findings: [Finding]
  /// What its own steps drop by design, where it arrives.
  package var drops: [Finding] = []
  /// Whether code of the app takes part, so that it ends so only if the code does what is meant.
  public var runsCode = false

  /// An outcome.
  package init(kind: Kind, nodes: [Int], summary: String, findings: [Finding]) {
    self.kind = kind
    self.nodes = nodes
    self.summary = summary
    self.findings = findings
  }
}

/// How an app opens stores of older versions.
public enum AppRuntime: String, Hashable, Sendable, CaseIterable {
  /// From the store's version straight to the current one.
  case direct
  /// From each version to the next, as apps with a migration loop do.
  case progressive
  /// By the stages of an NSStagedMigrationManager.
  case staged
  /// By SwiftData without a migration plan: straight to the current version.
  case swiftData = "swiftdata"
  /// By SwiftData with a migration plan: by its stages.
  case swiftDataPlan = "swiftdata-plan"

  /// Whether SwiftData opens the app's stores, which takes no mapping model.
  package var isOfSwiftData: Bool { self == .swiftData || self == .swiftDataPlan }
  /// Whether stages say how the app migrates.
  package var isStaged: Bool { self == .staged || self == .swiftDataPlan }
  /// Whether a store is opened straight with the current version, whatever stages there are.
  package var isStraight: Bool { self == .direct || self == .swiftData }
}
