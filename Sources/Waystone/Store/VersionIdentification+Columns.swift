internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess

extension VersionIdentification {
  /// Returns the identification with the version last whose columns the store has, of versions that hash alike.
  ///
  /// No version hash sees the name or the type of a derived attribute, but its column has both.
  /// - Complexity: O(*v* · *p*) in the versions that hash alike and the properties of one; two layouts of tables.
  func settled(by schema: StoreSchema) -> VersionIdentification {
    guard match == .equalVersions, let last = versions.last,
      versions.contains(where: { !$0.model.hasColumns(of: last.model) })
    else { return self }
    let layouts = Dictionary(grouping: versions.reversed(), by: \.model.derivedColumns)
    // The latest of each layout speaks for it.
    let candidates = versions.filter { layouts[$0.model.derivedColumns]?.first == $0 }
    let best = StructuralMatch.nearest(to: schema, among: candidates, count: 1).first
    guard let best, best.comparison.level >= .explained else { return self }
    return settled(on: best.version)
  }
}
