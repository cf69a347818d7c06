extension Finding {
  /// Whether it reports values that are read, and it is not known whether they are kept.
  package var leavesOpenWhatIsKept: Bool { code == .valueUsed && risk == .unknown }

  /// Whether the order of versions is unknown, which other findings depend on.
  package var leavesOrderOpen: Bool { severity == .error && code.has(.openOrder) }

  /// Whether code takes part whose effect Waystone cannot see.
  package var isOfCode: Bool { risk == .unknown && !leavesOpenWhatIsKept }
}

/// A fact that the user should know about a model, a step or a plan; data, not an error.
public struct Finding: Hashable, Sendable {
  /// The attention that a finding needs.
  public enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Good to know.
    case note
    /// Probably not meant.
    case warning
    /// A fault that must be fixed before a release or a run.
    case error

    /// Notes come before warnings, and warnings before errors.
    public static func < (lhs: Severity, rhs: Severity) -> Bool {
      allCases.firstIndex(of: lhs) ?? 0 < allCases.firstIndex(of: rhs) ?? 0
    }
  }

  /// The rule that made the finding.
  public var code: FindingCode
  /// The attention that it needs.
  public var severity: Severity
  /// The possible loss of data, where it is about a step between versions.
  public var risk: Risk?
  /// The place that it is about.
  public var place: Place
  /// A sentence that states the fact and why it matters.
  public var message: String {
    get { statement.text }
    set { statement = Text(newValue) }
  }
  /// The sentence on the fact, as it is made.
  package var statement: Text
  /// The user's remedy.
  public var remedy: String {
    get { advice.text }
    set { advice = Text(newValue) }
  }
  /// The user's remedy, as it is made.
  package var advice: Text
  /// The evidence in the data, where a store was asked.
  public var evidence: Evidence?
  /// The old and the new value, where several changes at one place have one code; part of the key by which
  /// a baseline and an acceptance identify a finding.
  public var change: String?
  /// Whether the user may accept that values and links change as it states (`--accept-changed-values`).
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
    self.init(code, severity, risk: risk, at: place, message: Text(message), advice: Text(remedy))
  }

  /// A finding whose texts have values beside their words.
  package init(
    _ code: FindingCode,
    _ severity: Severity,
    risk: Risk? = nil,
    at place: Place = Place(),
    message: Text,
    advice: Text
  ) {
    self.code = code
    self.severity = severity
    self.risk = risk
    self.place = place
    statement = message
    self.advice = advice
  }

  /// The place that a finding is about; every part may be absent.
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

    /// Makes a place from its known parts.
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
