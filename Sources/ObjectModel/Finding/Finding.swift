extension FindingCode {
  /// Whether it refuses a step since rows would have no value, and only where there are rows.
  package var isOfMissingValue: Bool {
    [.requiredWithoutDefault, .defaultComputed, .unresolvedType].contains(self)
  }

  /// What is dropped as a whole, whether or not something new may be it under another name.
  package static let drops: Set<FindingCode> = [
    .entityDropped, .attributeDropped, .relationshipDropped, .suspectedRename,
  ]
}

extension Finding {
  /// Whether it says that values are read of which nobody can tell whether they are kept.
  package var leavesOpenWhatIsKept: Bool { code == .valueUsed && risk == .unknown }

  /// Whether code takes part into which nobody can see.
  package var isOfCode: Bool { risk == .unknown && !leavesOpenWhatIsKept }
}

/// Something a person should know about a model, a step or a plan; data, not an error.
public struct Finding: Hashable, Sendable {
  /// How much it asks for attention.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Good to know.
    case note
    /// Probably not meant.
    case warning
    /// Not to be shipped or run as it is.
    case error

    /// Notes come before warnings, and warnings before errors.
    public static func < (lhs: Severity, rhs: Severity) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// Which rule speaks.
  public var code: FindingCode
  /// How much it asks for attention.
  public var severity: Severity
  /// What it may cost in data, where it is about a step between versions.
  public var risk: Risk?
  /// Where it applies.
  public var place: Place
  /// One sentence that says what is so and why it matters.
  public var message: String
  /// What the person can do about it.
  public var remedy: String
  /// What the data says about it, where a store was asked.
  public var evidence: Evidence?
  /// What changes into what, where several changes at one place have one code; part of what a baseline
  /// and an acceptance know a finding by.
  public var change: String?
  /// Whether a person may let values and links change as it says (`--accept-changed-values`).
  package var isAcceptable = false

  /// A finding of a rule at a place.
  public init(
    _ code: FindingCode,
    _ severity: Severity,
    risk: Risk? = nil,
    at place: Place = Place(),
    message: String,
    remedy: String
  ) {
    self.code = code
    self.severity = severity
    self.risk = risk
    self.place = place
    self.message = message
    self.remedy = remedy
  }

  /// What a finding is about; every part may be absent.
  public struct Place: Hashable, Sendable {
    /// The file.
    public var file: String?
    /// The line in the file, from 1.
    public var line: Int?
    /// The model version, by name.
    public var version: String?
    /// The entity, by name.
    public var entity: String?
    /// The property, by name.
    public var property: String?

    /// A place with what is known of it.
    public init(
      file: String? = nil,
      line: Int? = nil,
      version: String? = nil,
      entity: String? = nil,
      property: String? = nil
    ) {
      self.file = file
      self.line = line
      self.version = version
      self.entity = entity
      self.property = property
    }

    /// `Entity.property`, or the one of them that is known.
    package var subject: String? {
      entity.map { entity in property.map { "\(entity).\($0)" } ?? entity } ?? property
    }
  }
}
