package import MigrationPlanning
internal import ModelImport
package import ObjectModel

/// A mapping file that an argument names, with the versions that it joins.
package struct MappingInspection: Sendable {
  /// The mapping.
  package let mapping: AuthoredMapping
  /// The versions that it joins, where it is bound to any.
  package let bound: MappingBinding.Bound?
  /// The findings on the file and its versions.
  package let findings: [Finding]

  /// Returns whether an argument is meant as a mapping file rather than as a store.
  package static func isMapping(_ path: String) -> Bool { MappingFinder.isMapping(path) }

  /// Returns whether an argument is meant as a file of stages, which may have several mappings or none.
  package static func isOfStages(_ path: String) -> Bool { StagedImporter.isStaged(path) }

  /// Reads the mappings in a file, several for a staged migration, and binds them to the versions of
  /// an archive.
  package static func read(_ path: String, in project: Project) throws -> [MappingInspection] {
    let folder = project.folder
    if StagedImporter.isStaged(path) {
      let edges = try project.mapped.staged(folder.resolved(path), shown: folder.shortened)
      return edges.map { edge in
        let mapping = AuthoredMapping(
          name: edge.origins.first?.name ?? path,
          path: path,
          form: .stage,
          mapping: edge.mapping,
          source: .init(hashes: edge.source, isWhole: true),
          destination: .init(hashes: edge.destination, isWhole: true)
        )
        return MappingInspection(mapping, shownAs: path, in: project)
      }
    }
    return try project.mapped.read(folder.resolved(path), shown: folder.shortened)
      .map { MappingInspection($0, shownAs: path, in: project) }
  }

  private init(_ mapping: AuthoredMapping, shownAs path: String, in project: Project) {
    var mapping = mapping
    mapping.path = path
    let binding = MappingBinding([mapping], to: project.archive.models)
    self.mapping = mapping
    bound = binding.bound.first
    guard project.mapped.mappingPaths.contains(project.folder.resolved(path)) else {
      // Without models there is nothing that the mapping could be stale against.
      findings = project.archive.models.isEmpty ? mapping.findings : binding.findings
      return
    }
    // All files together that run between its versions decide whether it can run.
    let refusals = project.authored.flatMap(\.refusals)
    findings =
      binding.findings.filter { $0.code != .unusableMapping }
      + refusals.filter { $0.code == .unusableMapping && $0.place.file == path }
  }
}
