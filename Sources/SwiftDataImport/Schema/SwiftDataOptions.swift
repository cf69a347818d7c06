package import ObjectModel

/// The facts on SwiftData models that a project states, because sources alone do not contain them.
package struct SwiftDataOptions: Hashable, Sendable {
  /// The names of the classes in the app's container; empty where the sources list them.
  package var models: [String]
  /// The name of the target whose files are read; nil where all of a folder count.
  package var target: String?
  /// The conditions of the build that `#if` asks for.
  package var conditions: CompilationConditions
  /// The forms of Swift types that stores of the app show, by their keys.
  package var types: [String: TypeForm]
  /// Whether each store of a container that configurations divide holds the entities of its configuration alone.
  package var configurationUse: ConfigurationUse

  /// Options; the defaults read a release build for iOS.
  package init(
    models: [String] = [],
    target: String? = nil,
    conditions: CompilationConditions = CompilationConditions(),
    types: [String: TypeForm] = [:],
    configurationUse: ConfigurationUse = .unknown
  ) {
    self.models = models
    self.target = target
    self.conditions = conditions
    self.types = types
    self.configurationUse = configurationUse
  }
}
