public import StoreVerification

/// The description of a run: all that `resume` needs to make the same plan again.
public struct RunDescription: Codable, Hashable, Sendable {
  /// The run's own name, unique in its workspace.
  public var run: String
  /// The store to migrate.
  public var store: String
  /// The output; nil where the store itself is replaced.
  public var output: String?
  /// The model archive, as it was given.
  public var models: String
  /// The version of the store, by qualified name.
  public var from: String
  /// The version wanted, by qualified name.
  public var to: String
  /// The fingerprint of the plan, the tool's version included.
  public var planFingerprint: String
  /// The fingerprint of the schemas of all hops, settled names included.
  public var schemaFingerprint: String
  /// The store's identity when the run began.
  public var sourceIdentity: String
  /// Whether the store was in write-ahead-log mode.
  public var usesWriteAheadLog: Bool
  /// The settings of the run.
  public var settings: Settings
  /// The account of the readable content, where the run salvages a damaged store.
  public var salvage: SalvageAccount?
  /// The names of the kept copies of logs and journals that SQLite does not read whole; the copies are
  /// beside the backup.
  package var unreadCopies: [String]?

  /// The parts of ``MigrationOptions`` that a resumed run keeps.
  public struct Settings: Codable, Hashable, Sendable {
    /// The level of verification.
    public var verification: VerificationLevel = .standard
    /// Whether names that the model does not settle are guessed.
    public var acceptsUnprovenNames = false
    /// Whether values that a hop would change may be changed.
    public var acceptsChangedValues = false
    /// Whether a store whose hashes are of no version is taken for the plan's source, because its
    /// tables and columns are.
    package var assumesSourceVersion = false
    /// A store that Core Data made at the version wanted.
    package var sample: String?
    /// The path of the certificate to write; verification must not be `none`.
    package var certificate: String?
    /// Whether the outcome has a certificate, even if none is written to a file.
    public var certifies = false
    /// The recipe of the plan.
    package var planning = PlanInputs()
    /// Whether content of the store's own tables that the model does not explain may be dropped.
    public var acceptsUnexplainedLoss = false
    /// Whether columns, tables and indexes that go are left in the file for a later cleanup, where a
    /// hop changes the file in place.
    public var defersCleanup = false
    /// Whether leftovers of earlier migrations are removed; for a plan without hops.
    package var finishesCleanup = false
    /// Whether hops that are proven to be one mapping together run in one pass.
    public var fusesHops = true
    /// Whether a store whose file is damaged is migrated as far as it can be read; for an output.
    public var acceptsDamagedSource = false

    /// Standard verification, and nothing accepted.
    public init() {}

    /// Whether the run counts the objects, values and links that it carries, for its outcome or a file.
    var isCertified: Bool { certifies || certificate != nil }
  }
}

extension RunDescription {
  /// Returns the name of a new run: the second it began in, so that names sort by age, a piece of the
  /// plan's fingerprint, and a number by which two runs of one second differ.
  static func name(planFingerprint: String, second: Int, number: UInt32) -> String {
    "\(second)-\(planFingerprint.prefix(8))-\(String(number, radix: 16))"
  }

  /// Whether the name can only be that of a file.
  var hasPlausibleName: Bool { Self.isPlausible(name: run) }

  /// Returns whether a name can only be that of a file.
  static func isPlausible(name: String) -> Bool {
    !name.isEmpty && name.utf8.count < 100
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// The second since 1970 in which the run began, by its name; 0 where it has another form.
  public var second: Int { Self.second(ofRun: run) }

  static func second(ofRun name: String) -> Int {
    // The year 9999: no clock is ahead of it.
    Int(name.prefix { $0 != "-" }).flatMap { 0...253_402_300_799 ~= $0 ? $0 : nil } ?? 0
  }
}

extension VerificationLevel {
  /// Returns the level of verification of a resumed run, whose journal began with this level.
  /// - Parameter wanted: The level that the user wants now; `none` leaves it to the journal.
  func resumed(with wanted: VerificationLevel) -> VerificationLevel {
    switch (self, wanted) {
    case (_, .none): self
    case (.full, _), (_, .full): .full
    case (.none, .standard), (.standard, .standard): .standard
    }
  }
}
