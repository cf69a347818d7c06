/// The versions that a lock is to get.
public enum LockChoice: Hashable, Sendable {
  /// Those that `shipped:` in `waystone.yml` names. Where it names none: what comes before the
  /// current version for the first lock, which that itself and models of tests stay out of, and
  /// nothing for a lock that is there.
  case shipped
  /// Versions by their names.
  case named([VersionName])
  /// All, the current one included.
  case all
}
