/// The versions that a lock is to get.
public enum LockChoice: Hashable, Sendable {
  /// The versions that `shipped:` in `waystone.yml` names.
  ///
  /// Where it names none, a first lock gets the versions before the current one, without the current one and
  /// models of tests, and an existing lock gets none. Where no model has any before the current one, a first
  /// lock gets the only version of each.
  case shipped
  /// Versions by their names.
  case named([VersionName])
  /// All, the current one included.
  case all
}
