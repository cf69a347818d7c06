private import Foundation
internal import MigrationPlanning
internal import MigrationReporting
internal import ModelImport
internal import ObjectModel

/// A mapping file that an argument names, with the versions that it joins.
struct MappingInspection {
  /// The mapping.
  let mapping: AuthoredMapping
  /// The versions that it joins, where it is bound to any.
  let bound: MappingBinding.Bound?
  /// What is to be said of the file and where it belongs.
  let findings: [Finding]

  /// Whether an argument is meant as a mapping file rather than as a store.
  static func isMapping(_ path: String) -> Bool {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    return [".xcmappingmodel", "/xcmapping.xml", ".cdm"].contains { path.hasSuffix($0) }
  }

  /// Reads the file and binds it to the versions of an archive.
  init(_ path: String, in loaded: LoadedArchive, console: Console) throws {
    var mapping = try MappingImporter.importMapping(at: console.resolved(path))
    mapping.path = path
    for index in mapping.findings.indices where mapping.findings[index].place.file != nil {
      mapping.findings[index].place.file = path
    }
    let binding = MappingBinding([mapping], to: loaded.archive.models)
    self.mapping = mapping
    bound = binding.bound.first
    // Without models there is nothing that the mapping could be stale against.
    findings = loaded.archive.models.isEmpty ? mapping.findings : binding.findings
  }

  /// The mapping as a report.
  func report(path: String, names: VersionNames) -> MappingReport {
    MappingReport(
      path: path,
      mapping: mapping,
      versions: bound.map { (names.name(of: $0.source), names.name(of: $0.destination)) },
      findings: findings
    )
  }
}
