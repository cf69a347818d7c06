/// The migrator of users' stores that a release depends on.
///
/// A gap of the other one alone is information, and blocks no release.
public enum Reliance: String, Hashable, Sendable, CaseIterable {
  /// The app, by Core Data's or SwiftData's own migration.
  case app
  /// Waystone, in place of the app's own migration.
  case waystone
  /// The app for some stores, and Waystone for others.
  case both

  /// Whether what the app does with a store may hold a release.
  package var includesApp: Bool { self != .waystone }
  /// Whether what a run of Waystone lacks may hold a release.
  package var includesWaystone: Bool { self != .app }
}
