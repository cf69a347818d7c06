internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// The model of Core Data whose place the models took that an app's sources declare.
struct Predecessor {
  /// The model's name.
  let name: String
  /// The paths of it and of all other models of Core Data with an entity, from the project's folder.
  let paths: [String]
  /// The entities that its last version shares with the sources' first one.
  let sharedEntities: [String]

  /// Finds it among the models of a project: the only one of Core Data that has an entity of the sources'
  /// first version.
  init?(among models: [VersionedModel], below folder: String) {
    guard let swift = models.first(where: { $0.name == SourceVersions.modelName }),
      let first = swift.versions.first
    else { return nil }
    let entities = Set(first.model.entities.map(\.name))
    let others = models.filter { model in
      model.name != SourceVersions.modelName
        && model.versions.contains { !$0.model.entities.isEmpty }
    }
    let found = others.compactMap { model -> (name: String, shared: [String])? in
      let last = model.current ?? model.versions.last
      let shared = (last?.model.entities ?? []).map(\.name).filter(entities.contains)
      return shared.isEmpty ? nil : (model.name, shared)
    }
    guard found.count == 1, let own = found.first else { return nil }
    name = own.name
    sharedEntities = own.shared
    paths = others.map { ProjectSurvey.parts($0.path, below: folder).joined(separator: "/") }
  }

  /// Whether no other model of Core Data has an entity.
  var isAlone: Bool { paths.count == 1 }
}
