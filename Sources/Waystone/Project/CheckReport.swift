public import ObjectModel

/// The report of ``Project/check(_:)``: findings on single mappings, and on the project.
public struct CheckReport: Hashable, Sendable {
  /// A mapping that was checked.
  public struct Mapping: Hashable, Sendable {
    /// The file.
    public var path: String
    /// The version that it leaves, where it is bound.
    public var from: String?
    /// The version that it leads to, where it is bound.
    public var to: String?
    /// The findings on the mapping.
    public var findings: [Finding]

    /// Makes the report on a mapping.
    package init(path: String, from: String?, to: String?, findings: [Finding]) {
      self.path = path
      self.from = from
      self.to = to
      self.findings = findings
    }
  }

  /// The shipped and locked versions, where they were checked too.
  public struct Versions: Hashable, Sendable {
    /// The path of the lock, from the project's folder.
    public var lockPath: String
    /// The number of locked versions; nil where there is no lock.
    public var lockedCount: Int?
    /// The names of the versions that are new: not locked; before a first lock, neither shipped nor before the
    /// current version.
    public var newVersions: [String]
    /// The number of the other versions, which count as shipped.
    public var shippedCount = 0
    /// The number of changes that drop data in older steps, which are not listed before a first lock.
    public var historyLosses = 0
  }

  /// The form of a Swift type that a store shows and `waystone.yml` does not state.
  public struct Learned: Hashable, Encodable, Sendable {
    /// The Swift type.
    public var type: String
    /// The form, as `swiftdata: types:` states it: `Integer 64`.
    public var form: String
    /// The form that was assumed; nil where none was.
    public var assumed: String?
    /// The store.
    public var store: String
    /// Whether the model that the store carries has it, rather than a hash that fits no other form.
    public var isOfModel: Bool
    /// A property of the type.
    public var property: String
    /// The line for `waystone.yml`.
    public var line: String

    enum CodingKeys: String, CodingKey {
      case type, form, assumed, store, property, line
      case isOfModel = "fromModel"
    }
  }

  /// The mappings.
  public var mappings: [Mapping]
  /// The forms of Swift types that stores show and `waystone.yml` does not state.
  public var learned: [Learned] = []
  /// The findings on several together, and on the project.
  public var findings: [Finding]
  /// The accepted findings.
  public var accepted: [AcceptedFinding] = []
  /// The name of the baseline whose findings are left out; nil where there is none.
  public internal(set) var baselineName: String?
  /// The number of findings that are left out because the baseline has them.
  public internal(set) var known = 0
  /// The number of findings of the baseline that no longer exist.
  public internal(set) var gone = 0
  /// The commit that files are compared with, where only what changed counts.
  public internal(set) var changedSince: String?
  /// The number of findings that are left out because they are on unchanged files.
  public internal(set) var leftOut = 0
  /// The shipped and locked versions; nil where only mappings were checked.
  public var versions: Versions?
  /// The least severity that fails; nil where the project does not set it, so that warnings fail on mappings
  /// and errors on all else.
  public var threshold: Finding.Severity?

  /// A check of some mappings.
  package init(mappings: [Mapping], findings: [Finding]) {
    self.mappings = mappings
    self.findings = findings
  }

  /// The findings that are not accepted, each with its file where one is known.
  public var allFindings: [Finding] {
    mappings.flatMap { mapping in
      mapping.findings.map { finding in
        var finding = finding
        finding.place.file = finding.place.file ?? mapping.path
        return finding
      }
    } + findings
  }

  /// The least severity that fails beside mappings.
  package var projectThreshold: Finding.Severity {
    threshold ?? (versions == nil ? .warning : .error)
  }

  /// The findings that fail the check.
  public var failures: [Finding] {
    let shared = findings.filter { $0.severity >= projectThreshold }
    return mappings.flatMap(\.findings).filter { $0.severity >= threshold ?? .warning } + shared
  }

  /// Whether nothing makes the answer no.
  public var isClean: Bool { failures.isEmpty }
}

extension Finding {
  /// Whether it reports a difference from the lock.
  package var breaksLock: Bool { severity == .error && code.has(.breaksLock) }
}
