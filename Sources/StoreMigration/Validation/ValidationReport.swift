public import ObjectModel

/// The objects of a store that break rules of its model; data, not an error.
public struct ValidationReport: Hashable, Sendable {
  /// A rule that some objects violate.
  public struct Violation: Hashable, Sendable {
    /// The kind of the rule.
    public var code: FindingCode
    /// The concrete entity of the objects; for a uniqueness constraint the one that declares it.
    public var entity: String
    /// The property, or the properties of a uniqueness constraint with commas between them.
    public var property: String
    /// The rule in words that can follow a number of objects; never a value of a row.
    public var message: String
    /// The number of objects that break it.
    public var count: Int64
    /// The five least primary keys of those objects, or all where they are fewer.
    public var primaryKeys: [Int64]
  }

  /// A rule that could not be checked.
  public struct Unchecked: Hashable, Encodable, Sendable {
    /// The entity.
    public var entity: String
    /// The property.
    public var property: String
    /// The reason.
    public var reason: String

    /// A rule, and the reason why it could not be checked.
    package init(entity: String, property: String, reason: String) {
      self.entity = entity
      self.property = property
      self.reason = reason
    }
  }

  /// The number of objects that were checked.
  public var objectCount: Int64 = 0
  /// The number of rules that were checked, one for each concrete entity and rule.
  public var ruleCount = 0
  /// The broken rules, in order of entity, property and rule.
  public var violations: [Violation] = []
  /// The rules that could not be checked.
  public var unchecked: [Unchecked] = []

  /// A report of nothing yet.
  public init() {}

  /// Whether no object breaks a rule.
  public var passed: Bool { violations.isEmpty }

  /// A line for an error or a log: the first violation, and the number of others.
  public var summary: String {
    guard let first = violations.first else { return "all objects obey the model" }
    let more = violations.count > 1 ? " (and \(violations.count - 1) more rules are broken)" : ""
    return "\(first)\(more)"
  }
}

extension ValidationReport.Violation: CustomStringConvertible {
  /// The number of objects, with the rule that they break.
  package var counted: String {
    "\(count) \(count == 1 ? "object" : "objects") \(Finding.Evidence.agreeing(message, with: count))"
  }

  /// The place, the number of objects, the rule that they break, and their keys.
  public var description: String {
    let keys = primaryKeys.map(String.init).joined(separator: ", ")
    return "\(entity).\(property): \(counted)"
      + " (primary keys \(keys)\(count > primaryKeys.count ? ", …" : ""))"
  }
}
