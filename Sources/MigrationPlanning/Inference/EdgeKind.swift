/// The origin of an edge between two versions.
public enum EdgeKind: String, Hashable, Sendable, CaseIterable {
  /// Core Data's lightweight rules give it, so the app itself could take it.
  case inferred
  /// The edge follows from the two models, but Core Data refuses to infer it, or is not known to infer
  /// it.
  ///
  /// Apple's documents are silent, or reports contradict each other.
  case extended
  /// The edge is written by hand: a mapping model, a hop file, a staged migration or a policy.
  case authored
}
