/// Where the way from one version to another comes from.
public enum EdgeKind: String, Hashable, Sendable, CaseIterable {
  /// Core Data's lightweight rules give it, so the app itself could take it.
  case inferred
  /// It follows from the two models, but Core Data refuses to infer it, or is not known to: Apple's
  /// documents are silent, or reports contradict each other.
  case extended
  /// A person wrote it: a mapping model, a hop file, a staged migration or a policy.
  case authored
}
