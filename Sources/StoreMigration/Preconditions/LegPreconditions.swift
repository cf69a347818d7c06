import MigrationPlanning
import ObjectModel
import StoreAccess

/// The conditions on a source's data without which a hop would fail or change values.
struct LegPreconditions {
  let source: PhysicalSchema
  let destination: PhysicalSchema
  let mapping: MappingModel

  /// Those of a hop that runs table by table, whose rows nobody looks at again.
  var all: [Precondition] {
    PreconditionDeduction(mapping, from: source.model, to: destination.model)
      .preconditions().filter(\.isRequired)
  }

  /// Those of a hop that makes its objects one by one: these are held against their model once they
  /// are made, and only a number that is bounded, or was read out of what is none, then looks like
  /// any other.
  var ofValues: [Precondition] {
    all.filter { [.typeNarrowed, .typeWidened, .unreadableValue].contains($0.code) }
  }
}
