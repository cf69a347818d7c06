import MigrationPlanning
import ObjectModel

/// The conditions on a source's data without which a hop would fail or change values.
struct LegPreconditions {
  let mapping: ResolvedMapping

  /// Those of a hop that runs table by table, whose rows nobody looks at again.
  var all: [Precondition] {
    PreconditionDeduction(mapping).preconditions().filter(\.isRequired)
  }

  /// Those of a hop that makes its objects one by one.
  ///
  /// Its objects are held against their model once they are made. A number that was bounded, or read out
  /// of what is none, then looks like any other, and so does the one link that is left of several, or of
  /// two that disagree.
  var ofValues: [Precondition] {
    let codes: Set<FindingCode> = [
      .typeNarrowed, .unreadableValue, .becomesToOne, .inverseChanged, .inverseDisagrees,
      .destinationChanged, .linksDropped, .expressionGivesNothing,
      .expressionDoesNotFit, .expressionFails, .externalStorageToggled,
    ]
    return all.filter { codes.contains($0.code) } + PreconditionDeduction(mapping).agreement()
  }
}
