public import ObjectModel

/// The options of ``Project/check(_:)``: its scope, and the severity that fails.
public struct CheckOptions: Sendable {
  /// Whether locked versions are checked as if they were new.
  public var looksAtAll = false
  /// The least severity that fails, instead of that of `waystone.yml`; nil for that one.
  public var threshold: Finding.Severity?
  /// The changed files that limit the check; nil for all files.
  public var changes: ChangedFiles?
  /// The findings that were there before, and fail no more.
  public var baseline: FindingBaseline?
  /// The commit in which git has a lock, where there is none now; nil where none is known.
  public var commitWithLock: String?

  /// Options of a check of everything new, with the settings of `waystone.yml`.
  public init() {}
}
