/// The facts on SwiftData models that a project states, because sources alone do not contain them.
package struct SwiftDataOptions: Hashable, Sendable {
  /// The names of the classes in the app's container; empty where the sources list them.
  package var models: [String]
  /// The conditions that `#if` evaluates for the build.
  package var conditions: CompilationConditions

  /// Options; the defaults read a release build for iOS.
  package init(
    models: [String] = [],
    conditions: CompilationConditions = CompilationConditions()
  ) {
    self.models = models
    self.conditions = conditions
  }
}
