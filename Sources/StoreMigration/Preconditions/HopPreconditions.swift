import MigrationPlanning
import ObjectModel

/// The conditions on a source's data without which a hop would fail or change values.
struct HopPreconditions {
  let mapping: ResolvedMapping

  /// The preconditions of a table hop, whose rows are not validated afterwards.
  var all: [Precondition] {
    PreconditionAnalysis(mapping).preconditions().filter(\.isRequired)
  }

  /// The preconditions of a hop that makes its objects one by one.
  ///
  /// Its objects are validated afterwards. But a number that was bounded, or read from text, then cannot
  /// be distinguished from others, nor can the only remaining link of several, or of two that disagree.
  var ofValues: [Precondition] {
    all.filter { $0.code.has(.unseenByValidation) } + PreconditionAnalysis(mapping).agreement()
  }
}
