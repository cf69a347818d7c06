internal import Files
package import ObjectModel
import XMLParsing

/// A loader of all models below a path.
///
/// Hidden files and folders are passed over, and nothing inside of an `.xcdatamodel` counts but its
/// own content: Xcode does the same. A model that is there both as Xcode's source and compiled is
/// one model; where the two disagree, the source counts and a finding reports the difference.
/// Several models of one name get the names of their folders besides, as in `Store (Old)`. A
/// checkout of Waystone below the path is passed over, and so is a project with a `waystone.yml` of its own,
/// unless there is no other model.
package enum ArchiveLoader {
  /// Returns the models in an `.xcdatamodel`, an `.xcdatamodeld`, a `.mom`, a `.momd`, or anywhere
  /// below a folder.
  ///
  /// Symbolic links are followed; a folder reached twice is read once, at the path that comes first
  /// in byte order. Files are read on all processors; the result does not depend on their number.
  /// - Throws: ``ModelImportError`` for the first file or folder that the system does not give, and
  ///   where no version can be understood; where others can, that version is a finding and one of
  ///   its model's unreadable ones. A model in a form that is not read is a finding too, and so is a
  ///   doubtful current version.
  /// - Complexity: O(*n*) in the entries below the path and the bytes of the models.
  package static func load(_ path: String) throws(ModelImportError) -> ModelArchive {
    let path = FilePath(path)
    var walk = ArchiveWalk()
    var obstacle: ModelImportError?
    do throws(ModelImportError) { try walk.read(path) } catch { obstacle = error }
    if walk.discoveries.isEmpty, walk.hasPassedProject, obstacle == nil {
      walk = ArchiveWalk(entersProjects: true)
      do throws(ModelImportError) { try walk.read(path) } catch { obstacle = error }
    }
    let archive = try read(walk.discoveries, below: path)
    // The models found before the obstacle count, and so does a fault in one of them.
    if let obstacle { throw obstacle }
    if archive.models.isEmpty, archive.findings.isEmpty {
      throw ModelImportError(
        .notAModel,
        file: path.string,
        message: try path.kind == .folder
          ? "The folder holds no .xcdatamodeld, .xcdatamodel, .momd or .mom."
          : "The file is no model.",
        recovery: "Name the folder that holds the app's models."
      )
    }
    return archive
  }

  /// Returns models of several paths, those of one name with the folder that distinguishes them.
  package static func distinguishingNamesakes(_ models: [VersionedModel]) -> [VersionedModel] {
    ModelNamesakes(root: FilePath("/")).named(models)
  }

  private static func read(
    _ discoveries: [ArchiveWalk.Discovery],
    below root: FilePath
  ) throws(ModelImportError) -> ModelArchive {
    let paths = discoveries.flatMap { discovery in
      if case .model(let model) = discovery { model.versions } else { [FilePath]() }
    }
    XMLTree.prepare()
    let entities = ReadEntities()
    let results = ParallelMap.map(paths) { path in
      Result { () throws(ModelImportError) in
        try ModelImporter.importModel(at: path, sharing: entities)
      }
    }
    var failure: ModelImportError?
    for case .failure(let error) in results {
      guard error.isOfContent else { throw error }
      failure = failure ?? error
    }
    let isAnyRead = results.contains { if case .success = $0 { true } else { false } }
    if let failure, !isAnyRead { throw failure }
    var remaining = results[...]
    var models: [VersionedModel] = []
    var findings: [Finding] = []
    for discovery in discoveries {
      switch discovery {
      case .finding(let finding): findings.append(finding)
      case .model(let found):
        let count = found.versions.count
        let (model, new) = found.assembled(Array(remaining.prefix(count)))
        remaining = remaining.dropFirst(count)
        models.append(model)
        findings += new
      }
    }
    models.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    var pairing = ModelPairing(models)
    pairing.pair()
    return ModelArchive(
      models: ModelNamesakes(root: root).named(pairing.models),
      findings: findings + pairing.findings
    )
  }
}
