public import ObjectModel

/// An edge that a plan takes.
public struct Hop: Hashable, Sendable {
  /// The versions that it leaves.
  public let source: VersionGroup
  /// The versions that it leads to.
  public let destination: VersionGroup
  /// Where its mapping comes from.
  public let kind: EdgeKind
  /// How objects become objects of the destination.
  public let mapping: MappingModel
  /// What it does to the data.
  public internal(set) var findings: [Finding]
  /// One sentence that says why the plan takes it.
  public let reason: String
  /// Its part of the plan's cost.
  public let cost: PlanCost
  /// The files that its mapping comes from, where people wrote it.
  public let origins: [AuthoredEdge.Origin]
  /// What it moves; nil where no store was asked, or nobody can say.
  package let size: HopSize?

  /// What it makes of objects, in normal form.
  package var way: ComposedMapping {
    ComposedMapping(mapping, from: source, to: destination, kind: kind)
  }

  /// What it makes of objects without the actions before and after.
  package var mappingAlone: ComposedMapping {
    var mapping = mapping
    (mapping.actionsBefore, mapping.actionsAfter) = ([], [])
    return ComposedMapping(mapping, from: source, to: destination, kind: kind)
  }
}

extension Hop {
  /// Whether a person wrote what it does to objects, which are held against their model then.
  ///
  /// A hop that only acts before and after what would be inferred anyway runs as an inferred one.
  package var isMapped: Bool {
    kind == .authored && !resolved.isInferred
  }
}

extension ResolvedMapping {
  /// Whether inference would make the same of objects.
  var isInferred: Bool {
    let inferred = MappingInference.infer(from: source, to: destination)
    return inferred.mapping?.entityMappings == mapping.entityMappings
  }
}

extension [Hop] {
  /// What they cost together.
  var cost: PlanCost { reduce(PlanCost()) { $0 + $1.cost } }
}
