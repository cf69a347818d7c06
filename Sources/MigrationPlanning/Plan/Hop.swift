public import ObjectModel

/// An edge that a plan takes.
public struct Hop: Hashable, Sendable {
  /// The versions that it leaves.
  public let source: VersionGroup
  /// The versions that it leads to.
  public let destination: VersionGroup
  /// The kind of the hop's edge.
  public let kind: EdgeKind
  /// The mapping that makes objects of the destination.
  public let mapping: MappingModel
  /// The effects on the data.
  public internal(set) var findings: [Finding]
  /// A sentence on why the plan takes the hop.
  public let reason: String
  /// The hop's part of the plan's cost.
  public let cost: PlanCost
  /// The files of an authored hop's mapping; empty for an inferred one.
  public let origins: [AuthoredEdge.Origin]
  /// The rows and bytes that the hop moves; nil where no store was read, or the size is not known.
  package let size: HopSize?

  /// The hop's mapping in normal form.
  package var composedMapping: ComposedMapping {
    ComposedMapping(mapping, from: source, to: destination, kind: kind)
  }

  /// The hop's mapping in normal form, without the actions before and after.
  package var mappingAlone: ComposedMapping {
    var mapping = mapping
    (mapping.actionsBefore, mapping.actionsAfter) = ([], [])
    return ComposedMapping(mapping, from: source, to: destination, kind: kind)
  }
}

extension Hop {
  /// Whether the hop's mapping of objects is authored; the run then validates the objects.
  ///
  /// A hop that only acts before and after an inferred mapping runs as an inferred one.
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
  /// The sum of the hops' costs.
  var cost: PlanCost { reduce(PlanCost()) { $0 + $1.cost } }
}
