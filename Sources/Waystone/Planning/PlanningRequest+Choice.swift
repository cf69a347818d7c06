internal import Files
internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess

extension PlanningRequest {
  /// A version of a store, and the version wanted, of one model.
  struct Ends {
    let source: ModelVersion
    let wanted: ModelVersion
  }

  /// Returns both ends for a store, of the one model that it can be of where several have its hashes.
  ///
  /// A model is excluded where the store lacks its columns. Else the store's file name decides, as Core Data's
  /// container names a file after its model. That only one model has a path shows nothing of the store.
  ///
  /// - Throws: ``WaystoneError``, `ambiguousVersion`, where nothing decides and the models lead to versions of
  ///   different hashes.
  static func ends(
    of store: StoreInspection,
    to end: String,
    in loaded: MappedArchive
  ) throws -> Ends? {
    let names = loaded.names
    let found = Array(store.identification.versions.reversed())
    var ends: [Ends] = []
    for source in found where !ends.contains(where: { $0.source.modelName == source.modelName }) {
      let model = source.modelName
      // Each model has a current version, but a name may be of one model alone.
      let wanted =
        end == VersionName.current.text
        ? try names.version(end, preferring: model) : try? names.version(end, preferring: model)
      if let wanted, wanted.modelName == model { ends.append(Ends(source: source, wanted: wanted)) }
    }
    guard ends.count > 1 else { return ends.first }
    if Set(ends.map(\.wanted.model.entityVersionHashes)).count == 1 { return ends.first }
    let agreeing = ends.filter { StructuralMatch(version: $0.source, real: store.schema).agrees }
    if !agreeing.isEmpty { ends = agreeing }
    let file = FileSystem.name(of: store.path).prefix { $0 != "." }.lowercased()
    let named = ends.filter { $0.source.modelName.lowercased() == file }
    if let own = named.first ?? ends.first, named.count == 1 || ends.count == 1 { return own }
    let list = ends.map { names.name(of: $0.source) }.joined(separator: " and ")
    let choices = ends.map { "--to \(names.name(of: $0.wanted).shellWord)" }
    throw WaystoneError(
      .ambiguousVersion,
      "\(store.path) has the hashes of \(list), and nothing shows of which model it is.",
      recovery: "Name the version that it leads to: \(choices.joined(separator: " or "))."
    )
  }
}
