public import ObjectModel

/// What ``Project/check(_:)`` has to say: of mappings, one by one, and of all together.
public struct CheckReport: Hashable, Sendable {
  /// A mapping that was looked at.
  public struct Mapping: Hashable, Sendable {
    /// The file.
    public var path: String
    /// The version that it leaves, where it is bound.
    public var from: String?
    /// The version that it leads to, where it is bound.
    public var to: String?
    /// What is to be said of it.
    public var findings: [Finding]

    /// A mapping with what was found.
    package init(path: String, from: String?, to: String?, findings: [Finding]) {
      self.path = path
      self.from = from
      self.to = to
      self.findings = findings
    }
  }

  /// What was shipped and locked, where that was checked too.
  public struct Versions: Hashable, Sendable {
    /// The path of the lock, from the project's folder.
    public var lockPath: String
    /// How many versions are locked; nil where there is no lock.
    public var lockedCount: Int?
    /// The names of the versions that are new: not locked; before a first lock, neither shipped nor before the
    /// current version.
    public var newVersions: [String]
    /// The number of the other versions, which count as shipped.
    public var shippedCount = 0
    /// The number of changes by which older steps drop data, which are not listed before a first lock.
    public var historyLosses = 0
  }

  /// The form of a Swift type that a store shows and `waystone.yml` does not state.
  public struct Learned: Hashable, Sendable {
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
  }

  /// The mappings.
  public var mappings: [Mapping]
  /// The forms of Swift types that stores show and `waystone.yml` does not state.
  public var learned: [Learned] = []
  /// What is to be said of several together, and of the project.
  public var findings: [Finding]
  /// What is found and accepted.
  public var accepted: [AcceptedFinding] = []
  /// How the baseline is called whose findings are left out; nil where there is none.
  public internal(set) var baselineName: String?
  /// How many findings are left out, since the baseline has them.
  public internal(set) var known = 0
  /// How many findings the baseline has that are there no more.
  public internal(set) var gone = 0
  /// The commit that files are compared with, where only what changed counts.
  public internal(set) var changedSince: String?
  /// How many findings are left out, since they are on what did not change.
  public internal(set) var leftOut = 0
  /// What was shipped and locked; nil where only mappings were checked.
  public var versions: Versions?
  /// The least severity that fails; nil where the project does not say, so that warnings fail on
  /// mappings and errors on all else.
  public var threshold: Finding.Severity?

  /// A check of some mappings.
  package init(mappings: [Mapping], findings: [Finding]) {
    self.mappings = mappings
    self.findings = findings
  }

  /// Everything that was found and not accepted, each with the file that it is about where one is
  /// known.
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

  /// What makes the answer no.
  public var failures: [Finding] {
    let shared = findings.filter { $0.severity >= projectThreshold }
    return mappings.flatMap(\.findings).filter { $0.severity >= threshold ?? .warning } + shared
  }

  /// Whether nothing makes the answer no.
  public var isClean: Bool { failures.isEmpty }
}

extension Finding {
  /// Whether it says that something is not as it was locked.
  package var breaksLock: Bool {
    switch code {
    case .shippedVersionRehashed, .shippedVersionEdited, .lockedOrderChanged,
      .lockedVersionMissing, .frozenSchemaDrifted, .currentSchemaChanged, .lockedCodingChanged:
      severity == .error
    default: false
    }
  }
}
