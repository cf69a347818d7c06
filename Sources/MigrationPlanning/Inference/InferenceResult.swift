package import ObjectModel

/// A result of inference between two models: a mapping, or the reasons why there is none.
package struct InferenceResult: Hashable, Sendable {
  /// Whether Core Data is known to infer the mapping too; `inferred` where it is refused.
  package let kind: EdgeKind
  /// The mapping; nil where ``refusals`` give the reasons.
  ///
  /// Every entity of either model is in exactly one entity mapping, abstract ones included. Mappings to
  /// a destination entity come first, in byte order of its name, then those that remove objects.
  package let mapping: MappingModel?
  /// The effects of the step on the data, in byte order of entities and properties.
  package var findings: [Finding]
  /// The reasons for a refusal; empty where there is a mapping.
  package let refusals: [Finding]
}
