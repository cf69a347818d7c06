public import ObjectModel

/// The results of a verification; data, not an error.
public struct VerificationReport: Hashable, Sendable {
  /// A check of the verification, with its result.
  public struct Check: Hashable, Sendable {
    /// The stable name, such as `row-entities`.
    public var name: String
    /// The checked condition, in words.
    public var summary: String
    /// The rule of the finding where the check fails, if it is one of the findings' rules.
    public var code: FindingCode?
    /// The number of checked things: rows, columns, values, references.
    public var count: Int64
    /// The number of them that fail the check; 0 where all is well.
    public var failures: Int64
    /// Whether a failure makes the store unfit; else it is something that Core Data tolerates.
    public var isFatal: Bool
    /// The places of the failures, or other remarks.
    public var details: [Detail]

    /// A check that nothing has failed yet.
    public init(
      _ name: String,
      _ summary: String,
      code: FindingCode? = nil,
      isFatal: Bool = true,
      count: Int64 = 0,
      failures: Int64 = 0,
      details: [Detail] = []
    ) {
      self.name = name
      self.summary = summary
      self.code = code
      self.isFatal = isFatal
      self.count = count
      self.failures = failures
      self.details = details
    }

    /// Whether nothing fatal was found.
    public var passed: Bool { failures == 0 || !isFatal }

    /// Adds a detail whose count is one of failures.
    package mutating func fail(_ detail: Detail) {
      failures += detail.count
      details.append(detail)
    }
  }

  /// A place, and a fact about it; never a value of a row.
  public struct Detail: Hashable, Encodable, Sendable {
    /// The entity, or nil.
    public var entity: String?
    /// The property, or nil.
    public var property: String?
    /// The fact, in words that can follow the place.
    public var message: String
    /// The number of rows or things that it concerns.
    public var count: Int64
    /// Up to five primary keys of rows that it concerns.
    public var primaryKeys: [Int64]

    /// Makes a detail at a place.
    public init(
      entity: String? = nil,
      property: String? = nil,
      _ message: String,
      count: Int64 = 1,
      primaryKeys: [Int64] = []
    ) {
      self.entity = entity
      self.property = property
      self.message = message
      self.count = count
      self.primaryKeys = primaryKeys
    }
  }

  /// The checks in the order in which they were made.
  public var checks: [Check]

  /// A report of some checks.
  public init(checks: [Check] = []) { self.checks = checks }

  /// Whether nothing fatal was found.
  public var passed: Bool { checks.allSatisfy(\.passed) }

  /// The checks that found something fatal.
  public var failures: [Check] { checks.filter { !$0.passed } }

  /// The checks that found faults which Core Data tolerates.
  public var warnings: [Check] { checks.filter { $0.failures > 0 && $0.passed } }

  /// A line for an error or a log: the first failure, and the number of others.
  public var summary: String {
    guard let first = failures.first else {
      return warnings.isEmpty ? "all checks passed" : "passed, \(warnings.count) with warnings"
    }
    let detail = first.details.first.map { ": \($0)" } ?? ""
    let more = failures.count > 1 ? " (and \(failures.count - 1) more failed checks)" : ""
    return "\(first.name)\(detail)\(more)"
  }

  /// Adds the checks of another report.
  public mutating func append(_ other: VerificationReport) { checks += other.checks }
}

extension VerificationReport.Detail: CustomStringConvertible {
  /// The place, the fact, and the keys.
  public var description: String {
    let place = [entity, property].compactMap { $0 }.joined(separator: ".")
    let keys = primaryKeys.map(String.init).joined(separator: ", ")
    return (place.isEmpty ? "" : "\(place): ") + message
      + (keys.isEmpty ? "" : " (primary keys \(keys)\(count > primaryKeys.count ? ", …" : ""))")
  }
}
