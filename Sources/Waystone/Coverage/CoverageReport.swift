public import MigrationPlanning
public import ObjectModel

/// What becomes of every version that was shipped: in the app itself, and with Waystone.
public struct CoverageReport: Hashable, Sendable {
  /// The versions of one model, the edges between them and the path of each version.
  public struct Model: Hashable, Sendable {
    /// The model's name.
    public var name: String
    /// The versions, those that hash alike as one, in their order.
    public var nodes: [Node]
    /// The names of all versions, oldest first.
    package var order: [String] = []
    /// The edges that matter to a reader: consecutive and authored ones, those on a path, and those that the
    /// app itself would take, unless ``CoverageOptions/describesEdges`` leaves them out.
    package var edges: [Edge]
    /// How many edges there are in all; nil where not all were looked at.
    package var counts: EdgeCounts?
    /// The path of each version that is looked at, oldest first.
    public var paths: [Path]
    /// The indexes of the nodes where Waystone's path stops, both ends included, between every two
    /// versions that have one; nil where only ``paths`` are known.
    package var routes: [[Int]]?

    /// A model of which nothing is known yet.
    package init(name: String) {
      self.name = name
      nodes = []
      edges = []
      paths = []
    }
  }

  /// Versions that hash alike.
  public struct Node: Hashable, Sendable {
    /// The names, the one by which the node is called first.
    public var names: [String]
    /// The files or folders that the versions were read from, in the order of the names.
    public var files: [String]
    /// Whether it is the version that stores are brought to.
    public var isCurrent: Bool
    /// Whether it was shipped.
    public var isShipped: Bool

    /// A node with its names.
    package init(names: [String], files: [String], isCurrent: Bool, isShipped: Bool) {
      self.names = names
      self.files = files
      self.isCurrent = isCurrent
      self.isShipped = isShipped
    }

    /// The name that stands for the node.
    public var name: String { names.first ?? "" }
  }

  /// An edge, possible or refused.
  package struct Edge: Hashable, Sendable {
    /// The index of the node that it leaves.
    package var source: Int
    /// The index of the node that it leads to.
    package var destination: Int
    /// `inferred`, `extended` or `authored`; nil where it is refused.
    package var kind: String?
    /// Whether it joins consecutive versions.
    package var isConsecutive: Bool
    /// Whether it means what the walk between its ends means; nil where it is refused.
    package var verdict: EdgeVerdict?
    /// The greatest risk of its findings.
    package var worst: Risk
    /// What it does, or why it is refused; empty where edges are not described.
    ///
    /// Notes on an edge over several versions that concern no value are left out unless all edges are looked at.
    package var findings: [Finding]
    /// The files that say how, where people wrote it.
    package var mappings: [String]
    /// What differs between its ends; empty where edges are not described, and of edges over several versions
    /// unless all are looked at.
    package var changes: [Change]

    /// An edge.
    package init(source: Int, destination: Int, kind: String?, isConsecutive: Bool) {
      self.source = source
      self.destination = destination
      self.kind = kind
      self.isConsecutive = isConsecutive
      worst = .exact
      findings = []
      mappings = []
      changes = []
    }
  }

  /// One thing in which the ends of an edge differ.
  package struct Change: Hashable, Sendable {
    /// The entity; nil where the model as a whole differs.
    package var entity: String?
    /// What happens to it.
    package var action: ModelChange.Action
    /// What happens, after the word for it.
    package var sentence: String

    /// A change.
    package init(_ entity: String?, _ action: ModelChange.Action, _ sentence: String) {
      self.entity = entity
      self.action = action
      self.sentence = sentence
    }

    /// All of it in one line.
    package var text: String {
      let word = action.word.prefix { $0 != " " }
      return "\(entity ?? "the model"): \(word) \(sentence)"
    }
  }

  /// How many edges a model has, of each verdict.
  package struct EdgeCounts: Hashable, Sendable {
    /// All edges from older to newer versions.
    package var all = 0
    /// Those that mean what the walk means, consecutive ones included.
    package var equivalent = 0
    /// Those that are known to mean something else.
    package var notEquivalent = 0
    /// Those of which nobody can say.
    package var unknown = 0
    /// Those that there is no mapping for.
    package var refused = 0

    /// No edges.
    package init() {}

    /// The edges with these verdicts; one that is nil is refused.
    package init(_ verdicts: [EdgeVerdict?]) {
      all = verdicts.count
      for verdict in verdicts {
        switch verdict {
        case .equivalent: equivalent += 1
        case .notEquivalent: notEquivalent += 1
        case .unknown: unknown += 1
        case nil: refused += 1
        }
      }
    }
  }

  /// One version's way, or one store's, to the current version.
  public struct Path: Hashable, Sendable {
    /// The index of the node that it leaves.
    public var source: Int
    /// The index of the node that it leads to.
    public var destination: Int
    /// The store, where it is a store's.
    public var store: String?
    /// The names of the shipped versions whose stores take it, which have the same hashes; none where it
    /// is a store's.
    public var versions: [String] = []
    /// What the app itself would do.
    public var app: AppOutcome
    /// The indexes of the nodes where Waystone stops, both ends included; nil where there is no path.
    public var nodes: [Int]?
    /// What the hops do, or what blocks the way.
    public var findings: [Finding]
    /// Those of the findings for which a run on the store does not begin; none where the path is no store's.
    package var refusals: [Finding] = []
    /// How many of the findings, the first ones, are told at the edges of its hops; none where edges are not
    /// described.
    package var hopFindingCount = 0
    /// The greatest risk on the way; nil where there is no path.
    public var worst: Risk?
    /// How many bytes are written for each 100 MB of store; nil where there is no path.
    public var bytesPerHundredMegabytes: Int?
    /// What came of a store that was made and migrated; nil where that was not asked for.
    public var trial: Trial?
    /// The findings that the project lets pass.
    public var accepted: [AcceptedFinding] = []
    /// Why the version does not arrive, as far as nobody accepts that.
    package var openCauses: [Finding] = []
    /// The same of what makes a gap, as an acceptance must name it: by its version and code.
    package var acceptable: [Finding] = []

    /// A path of which only the ends are known.
    package init(source: Int, destination: Int, app: AppOutcome) {
      self.source = source
      self.destination = destination
      self.app = app
      findings = []
    }
  }

  /// A migration that was run to see whether it works.
  public struct Trial: Hashable, Sendable {
    /// Whether the result was verified.
    public var isVerified: Bool
    /// Whether the store was migrated, or the migration failed on its way; not where it never began.
    public var wasRun = true
    /// How many rows the store had.
    public var rows: Int
    /// Why it failed.
    public var failure: String?
    /// What was tried, one entity, property, step or policy each.
    public var exercises: [Exercise] = []
    /// That it failed, or what it has left untried.
    public var findings: [Finding] = []

    /// A trial.
    package init(isVerified: Bool, rows: Int, failure: String? = nil) {
      self.isVerified = isVerified
      self.rows = rows
      self.failure = failure
    }

    /// Whether the migration ran, its result was verified, and the store had rows to migrate.
    public var isGood: Bool { isVerified && failure == nil }

    /// The conditions of the path that no row of the store broke, so that the trial proves nothing of them.
    package var unmetConditions: [String] {
      exercises.filter { $0.kind == .condition && $0.count == 0 }.map(\.name)
    }
  }

  /// Something that a trial may try, and how often it did.
  public struct Exercise: Hashable, Sendable {
    /// What it is.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      /// An entity, tried by its objects.
      case entity
      /// An attribute, tried by values that are not NULL.
      case attribute
      /// A relationship, tried by links.
      case relationship
      /// A step between two versions, tried by stores that take it.
      case edge
      /// A policy, tried by objects that it was called with.
      case policy
      /// A condition on the rows of a store that a path has, tried by rows that do not meet it; only where the
      /// store was made.
      case condition
    }

    /// What it is.
    public var kind: Kind
    /// `Entity`, `Entity.property`, `v1 → v2`, or the policy's class.
    public var name: String
    /// How often it was tried.
    public var count: Int

    /// Something that was tried as often.
    package init(kind: Kind, name: String, count: Int) {
      self.kind = kind
      self.name = name
      self.count = count
    }
  }

  /// How the app is said to open stores.
  public var runtime: AppRuntime
  /// Whether neither the caller nor `waystone.yml` nor sources give the runtime.
  public var isRuntimeAssumed = false
  /// The migrator of users' stores that a release depends on.
  public var reliance = Reliance.app
  /// The models.
  public var models: [Model]
  /// What is to be said of all together.
  public var findings: [Finding]
  /// The findings of all together that the project lets pass.
  public var accepted: [AcceptedFinding] = []
  /// The least severity of a finding that makes a gap.
  public var threshold = Finding.Severity.error
  /// How many of a hundred shipped versions must arrive in the app, where somebody says so.
  public var minimumPercent: Int?
  /// Whether paths were to be tried.
  package var wantsTrials = false
  /// The paths that were to be tried, and of which no trial shows that they arrive; none where no
  /// trials were wanted.
  package var untriedPaths: [Path] {
    wantsTrials
      ? models.flatMap(\.paths).filter { $0.nodes?.count != 1 && $0.trial?.isGood != true } : []
  }
  /// The commit since which changes are looked at, where only these are.
  public var changedSince: String?

  /// A report without models.
  package init(runtime: AppRuntime) {
    self.runtime = runtime
    models = []
    findings = []
  }
}
