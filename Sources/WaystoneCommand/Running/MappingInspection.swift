internal import MigrationPlanning
internal import MigrationReporting
internal import ModelImport
internal import ObjectModel
internal import Waystone

/// A mapping file that an argument names, with the versions that it joins.
struct MappingInspection {
  /// The mapping.
  let mapping: AuthoredMapping
  /// The versions that it joins, where it is bound to any.
  let bound: MappingBinding.Bound?
  /// What is to be said of the file and where it belongs.
  let findings: [Finding]

  /// Whether an argument is meant as a mapping file rather than as a store.
  static func isMapping(_ path: String) -> Bool { MappingFinder.isMapping(path) }

  /// Reads the mappings in a file, several for a staged migration, and binds them to the versions of
  /// an archive.
  static func read(
    _ path: String,
    in loaded: LoadedArchive,
    console: Console
  ) throws -> [MappingInspection] {
    if StagedImporter.isStaged(path) {
      return try loaded.mapped.staged(console.resolved(path), shown: console.shortened).map {
        edge in
        let mapping = AuthoredMapping(
          name: edge.origins.first?.name ?? path,
          path: path,
          form: .stage,
          mapping: edge.mapping,
          source: .init(hashes: edge.source, isWhole: true),
          destination: .init(hashes: edge.destination, isWhole: true)
        )
        return MappingInspection(mapping, shownAs: path, in: loaded)
      }
    }
    return try loaded.mapped.read(console.resolved(path), shown: console.shortened)
      .map { MappingInspection($0, shownAs: path, in: loaded) }
  }

  private init(_ mapping: AuthoredMapping, shownAs path: String, in loaded: LoadedArchive) {
    var mapping = mapping
    mapping.path = path
    let binding = MappingBinding([mapping], to: loaded.archive.models)
    self.mapping = mapping
    bound = binding.bound.first
    // Without models there is nothing that the mapping could be stale against.
    findings = loaded.archive.models.isEmpty ? mapping.findings : binding.findings
  }

  /// The mapping as a report.
  func report(names: VersionNames) -> MappingReport {
    MappingReport(
      path: mapping.path,
      mapping: mapping,
      versions: bound.map { (names.name(of: $0.source), names.name(of: $0.destination)) },
      findings: findings
    )
  }
}
