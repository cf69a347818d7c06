import Files
import MigrationPlanning
import ModelImport
import ObjectModel
import Waystone

extension NSMappingModel {
  /// Finds the mapping model between two versions among those in some bundles: a `.cdm`, an `.xcmappingmodel`,
  /// or a hop file.
  ///
  /// - Parameters:
  ///   - bundles: The folders to search; nil for the program's own, and for the one that the source model was
  ///     read from.
  ///   - sourceModel: The version that the mapping begins at.
  ///   - destinationModel: The version that it leads to.
  /// - Returns: Nil where there is none.
  public convenience init?(
    from bundles: [Bundle]?,
    forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let source = sourceModel, let destination = destinationModel else { return nil }
    var folders = ModelPlaces.folders(of: bundles).map(\.path)
    if bundles == nil, let path = source.archive?.path, !path.isEmpty {
      folders += path.split(separator: "\n").map(String.init)
    }
    let archive = Self.archive(source, destination)
    let (first, last) = (source.model.entityVersionHashes, destination.model.entityVersionHashes)
    for folder in folders {
      guard let paths = try? Self.mappings(in: folder), !paths.isEmpty,
        let mapped = try? MappedArchive(archive).binding(mappings: paths),
        let edge = mapped.authored.first(where: { $0.source == first && $0.destination == last })
      else { continue }
      self.init(edge.mapping, edge: edge)
      return
    }
    return nil
  }

  /// Reads a mapping model.
  ///
  /// - Returns: Nil where it cannot be read.
  public convenience init?(contentsOf url: URL?) {
    guard let url, let read = try? MappingImporter.importMapping(at: url.path) else { return nil }
    self.init(read.mapping)
  }

  /// Returns the mapping that Core Data infers between two versions.
  ///
  /// - Throws: An `NSError`, ``NSInferredMappingModelError`` with the reason, where none can be inferred.
  public static func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let result = MappingInference.infer(from: sourceModel.model, to: destinationModel.model)
    guard let mapping = result.mapping else {
      throw NSError.coreData(
        NSInferredMappingModelError,
        result.refusals.first?.message ?? "No mapping can be inferred.",
        recovery: result.refusals.first?.remedy ?? "Write a mapping model."
      )
    }
    return NSMappingModel(mapping)
  }

  /// Returns the mappings right in a folder.
  private static func mappings(in folder: String) throws -> [String] {
    guard try FileSystem.exists(folder) else { return [] }
    if ["momd", "xcdatamodeld"].contains(URL(fileURLWithPath: folder).pathExtension) {
      return try MappedArchive.mappings(besides: [folder])
    }
    return try Folder(following: folder).names().sorted()
      .map { "\(folder)/\($0)" }.filter(MappingFinder.isMapping)
  }

  /// Returns the archive of two versions.
  static func archive(
    _ source: NSManagedObjectModel,
    _ destination: NSManagedObjectModel
  ) -> ModelArchive {
    func version(_ model: NSManagedObjectModel) -> ModelVersion? {
      let hashes = model.model.entityVersionHashes
      return model.archive?.versions.first { $0.model.entityVersionHashes == hashes }
    }
    let (first, last) = (version(source), version(destination))
    let name = first?.modelName ?? last?.modelName ?? "Model"
    let isNamed = first != nil && last != nil && first?.name != last?.name
    var model = VersionedModel(name: name, versions: [])
    model.versions = [
      ModelVersion(
        modelName: name,
        name: isNamed ? first?.name ?? "" : "source",
        model: source.model
      ),
      ModelVersion(
        modelName: name,
        name: isNamed ? last?.name ?? "" : "destination",
        model: destination.model,
        isCurrent: true
      ),
    ]
    return ModelArchive(models: [model])
  }
}
