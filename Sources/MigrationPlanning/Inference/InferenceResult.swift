package import ObjectModel

/// What inference makes of two models: a mapping, or the reasons why there is none.
package struct InferenceResult: Hashable, Sendable {
  /// Whether Core Data is known to infer the mapping too; `inferred` where it is refused.
  package let kind: EdgeKind
  /// The mapping, or nil where ``refusals`` say why not.
  ///
  /// Every entity of either model is in exactly one entity mapping, abstract ones included. Those
  /// to a destination entity come first, in byte order of its name, then those that remove.
  package let mapping: MappingModel?
  /// What the step does to the data, in byte order of entities and properties.
  package var findings: [Finding]
  /// Why nothing can be inferred; empty where there is a mapping.
  package let refusals: [Finding]

  init(kind: EdgeKind, mapping: MappingModel?, findings: [Finding], refusals: [Finding]) {
    self.kind = kind
    self.mapping = mapping
    self.findings = findings
    self.refusals = refusals
  }
}
