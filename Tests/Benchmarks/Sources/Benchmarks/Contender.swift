/// A program that brings a store of the first version to the last, or does the least that it could cost.
enum Contender: String, CaseIterable {
  case copy = "copy + fsync"
  case vacuum = "VACUUM INTO"
  case pass = "SQL by hand, one pass"
  case fused = "Waystone"
  case fusedVerified = "Waystone, verified"
  case stepwise = "Waystone, a checkpoint each"
  case stepwiseVerified = "Waystone, a checkpoint each, verified"
  case django = "Django"
  case alembic = "Alembic"
  case sqliteUtils = "sqlite-utils"

  /// The contenders of PyPI, which migrate step by step a copy that is made before.
  static let peers: [Contender] = [.django, .alembic, .sqliteUtils]

  /// Whether its result is of the last version; else it costs the same for any number of hops.
  var isMigrating: Bool { self != .copy && self != .vacuum }
  var isPeer: Bool { Self.peers.contains(self) }

  /// The options of `waystone migrate` beyond those of every contender; nil for others.
  var migrateOptions: [String]? {
    switch self {
    case .fused: ["--verify", "none"]
    case .fusedVerified: ["--verify", "standard"]
    case .stepwise: ["--no-fuse", "--verify", "none"]
    case .stepwiseVerified: ["--no-fuse", "--verify", "standard"]
    default: nil
    }
  }

  /// The script of a peer below `Peers`.
  var script: String? {
    switch self {
    case .django: "django_peer.py"
    case .alembic: "alembic_peer.py"
    case .sqliteUtils: "sqlite_utils_peer.py"
    default: nil
    }
  }
}
