internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// The model of Core Data whose place the models took that an app's sources declare.
struct Predecessor {
  /// Its name.
  let name: String
  /// Its path, from the project's folder.
  let path: String
  /// The entities that its last version shares with the sources' first one.
  let sharedEntities: [String]

  /// Finds it among the models of a project: the only one beside that of the sources, which has an entity of
  /// theirs.
  init?(among models: [VersionedModel], below folder: String) {
    guard models.count == 2,
      let swift = models.first(where: { $0.name == SourceVersions.modelName }),
      let other = models.first(where: { $0.name != SourceVersions.modelName }),
      let first = swift.versions.first, let last = other.current ?? other.versions.last
    else { return nil }
    let entities = Set(first.model.entities.map(\.name))
    let shared = last.model.entities.map(\.name).filter(entities.contains)
    guard !shared.isEmpty else { return nil }
    name = other.name
    path = ProjectSurvey.parts(other.path, below: folder).joined(separator: "/")
    sharedEntities = shared
  }
}
