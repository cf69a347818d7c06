public import ObjectModel

/// What ``Project/check(_:)`` looks at, and what fails it.
public struct CheckOptions: Sendable {
  /// Whether locked versions are looked at as if they were new.
  public var looksAtAll = false
  /// The least severity that fails, whatever `waystone.yml` says; nil as that says.
  public var threshold: Finding.Severity?
  /// What to look at, where only a change counts.
  public var changes: ChangedFiles?
  /// The findings that were there before, and fail no more.
  public var baseline: FindingBaseline?
  /// The commit in which git has a lock, where there is none now; nil where none is known.
  public var commitWithLock: String?

  /// Everything that is new, against what `waystone.yml` says.
  public init() {}
}
