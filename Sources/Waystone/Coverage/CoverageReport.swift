public import MigrationPlanning
public import ObjectModel

/// A report on every version that was shipped: its outcome in the app itself, and with Waystone.
public struct CoverageReport: Hashable, Sendable {
  /// The versions of one model, the edges between them and the path of each version.
  public struct Model: Hashable, Sendable {
    /// The model's name.
    public var name: String
    /// The versions in their order; those with the same hashes are one group.
    public var nodes: [Node]
    /// The names of all versions, oldest first.
    package var order: [String] = []
    /// The edges that matter to a reader: consecutive and authored ones, those on a path, and those that the
    /// app itself would take, unless ``CoverageOptions/describesEdges`` leaves them out.
    package var edges: [Edge]
    /// The number of edges, by verdict; nil where not all were evaluated.
    package var counts: EdgeCounts?
    /// The path of each version in the report, oldest first.
    public var paths: [Path]
    /// The paths of Waystone between every two versions that have one, as indexes in ``nodes``, both ends
    /// included; nil where only ``paths`` are known.
    package var routes: [[Int]]?

    /// A model without any content yet.
    package init(name: String) {
      self.name = name
      nodes = []
      edges = []
      paths = []
    }
  }

  /// A group of versions with the same hashes.
  public struct Node: Hashable, Sendable {
    /// The names of the versions; the first is the one that reports use.
    public var names: [String]
    /// The files or folders that the versions were read from, in the order of the names.
    public var files: [String]
    /// Whether it is the version that stores are brought to.
    public var isCurrent: Bool
    /// Whether it was shipped.
    public var isShipped: Bool

    /// A group of versions, with their names.
    package init(names: [String], files: [String], isCurrent: Bool, isShipped: Bool) {
      self.names = names
      self.files = files
      self.isCurrent = isCurrent
      self.isShipped = isShipped
    }

    /// The first of the names.
    public var name: String { names.first ?? "" }
  }

  /// An edge, possible or refused.
  @dynamicMemberLookup package struct Edge: Hashable, Sendable {
    /// The edge in a few words, whose members are the edge's.
    package var summary: EdgeSummary
    /// The findings on its effects, or the reasons why it is refused; empty where edges are not described.
    ///
    /// Notes on an edge over several versions that concern no value are left out unless all edges are
    /// evaluated.
    package var findings: [Finding] = []
    /// The differences of its ends; empty where edges are not described, and for edges over several versions
    /// unless all are evaluated.
    package var changes: [Change] = []

    /// An edge that is not described.
    package init(_ summary: EdgeSummary) { self.summary = summary }

    /// A member of the summary.
    package subscript<Value>(dynamicMember member: KeyPath<EdgeSummary, Value>) -> Value {
      summary[keyPath: member]
    }
  }

  /// A difference between the ends of an edge.
  package struct Change: Hashable, Sendable {
    /// The entity; nil where the model as a whole differs.
    package var entity: String?
    /// The kind of the change.
    package var action: ModelChange.Action
    /// The sentence that follows the word for the kind.
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

  /// The number of a model's edges, by verdict.
  package struct EdgeCounts: Hashable, Encodable, Sendable {
    /// All edges from older to newer versions.
    package var all = 0
    /// The number of edges that are equivalent to the history, consecutive ones included.
    package var equivalent = 0
    /// The number of edges that are not equivalent to it.
    package var notEquivalent = 0
    /// The number of edges whose verdict is unknown.
    package var unknown = 0
    /// The number of refused edges, which have no mapping.
    package var refused = 0

    /// Counts of no edges.
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

  /// A path to the current version, of one version or of one store.
  public struct Path: Hashable, Sendable {
    /// The index of its source in the model's list of version groups.
    public var source: Int
    /// The index of its destination in the model's list of version groups.
    public var destination: Int
    /// The store, where it is a store's.
    public var store: String?
    /// The names of the shipped versions whose stores take it, which have the same hashes; none where it
    /// is a store's.
    public var versions: [String] = []
    /// The outcome in the app itself.
    public var app: AppOutcome
    /// The indexes of the versions where Waystone stops, both ends included; nil where there is no path.
    public var nodes: [Int]?
    /// The findings on its hops, or the reasons why there is no path.
    public var findings: [Finding]
    /// The findings for which a run on the store, or on any store of its versions, is refused.
    package var refusals: [Finding] = []
    /// The number of findings, from the first one on, that are also listed at the edges of its hops; 0 where
    /// edges are not described.
    package var hopFindingCount = 0
    /// The greatest risk of its hops; nil where there is no path.
    public var worst: Risk?
    /// The number of bytes written for each 100 MB of store; nil where there is no path.
    public var bytesPerHundredMegabytes: Int?
    /// The trial of the path; nil where none was wanted.
    public var trial: Trial?
    /// The findings that the project lets pass.
    public var accepted: [AcceptedFinding] = []
    /// The causes, not accepted, for which the version does not arrive.
    package var openCauses: [Finding] = []
    /// The causes of a gap as an acceptance must name them: by version and code.
    package var acceptable: [Finding] = []

    /// A path with its ends, and no hops yet.
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
    /// Whether the store was migrated, or the migration failed after it had begun.
    public var wasRun = true
    /// The number of rows that the store had.
    public var rows: Int
    /// The reason why it failed; nil where it did not.
    public var failure: String?
    /// The things tried, one entity, property, step or policy each.
    public var exercises: [Exercise] = []
    /// The findings on its failure, or on the things left untried.
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

  /// A part of a migration that a trial may exercise, and how often it did.
  public struct Exercise: Hashable, Encodable, Sendable {
    /// The kind of a thing tried.
    public enum Kind: String, Hashable, Encodable, Sendable, CaseIterable {
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

    /// The kind of the thing.
    public var kind: Kind
    /// `Entity`, `Entity.property`, `v1 → v2`, or the policy's class.
    public var name: String
    /// The number of times it was tried.
    public var count: Int
  }

  /// The method by which the app opens stores.
  public var runtime: AppRuntime
  /// Whether neither the caller nor `waystone.yml` nor sources give the runtime.
  public var isRuntimeAssumed = false
  /// The migrator of users' stores that a release depends on.
  public var reliance = Reliance.app
  /// The models.
  public var models: [Model]
  /// The findings on all models together.
  public var findings: [Finding]
  /// The findings of all together that the project lets pass.
  public var accepted: [AcceptedFinding] = []
  /// The least severity of a finding that makes a gap.
  public var threshold = Finding.Severity.error
  /// The percentage of shipped versions that must arrive in the app; nil where none is set.
  public var minimumPercent: Int?
  /// Whether paths were to be tried.
  package var wantsTrials = false
  /// The paths that were to be tried, and that no trial proves to arrive; none where no trials were wanted.
  package var untriedPaths: [Path] {
    wantsTrials
      ? models.flatMap(\.paths).filter { $0.nodes?.count != 1 && $0.trial?.isGood != true } : []
  }
  /// The commit that files are compared with, where only changes count.
  public var changedSince: String?

  /// A report without models.
  package init(runtime: AppRuntime) {
    self.runtime = runtime
    models = []
    findings = []
  }
}
