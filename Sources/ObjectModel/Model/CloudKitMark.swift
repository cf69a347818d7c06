/// The marks "Used with CloudKit" that Xcode's editor keeps in a model, which no version hash has.
package struct CloudKitMark: Hashable, Sendable {
  /// Whether the model as a whole has it.
  package var isOnModel = false
  /// The names of the configurations that have it.
  package var configurations: Set<String> = []

  /// Makes an empty mark.
  package init() {}

  /// Whether neither the model nor a configuration has it.
  package var isEmpty: Bool { !isOnModel && configurations.isEmpty }
}
