internal import Waystone

/// The model of Core Data whose place the models took that an app's sources declare.
struct Predecessor {
  /// The model's name.
  let name: String
  /// The name of the sources' model that took its place.
  let successor: String
  /// The paths of it and of all other models of Core Data with an entity, from the project's folder.
  let paths: [String]
  /// The entities that its last version shares with the sources' first one.
  let sharedEntities: [String]

  /// Finds it among the models of a project: the only one of Core Data that has an entity of the sources'
  /// first version.
  init?(among models: [VersionedModel], below folder: String) {
    let swift = models.filter { $0.isOfSwift && !$0.versions.isEmpty }
    let others = models.filter { model in
      !model.isOfSwift
        && model.versions.contains { !$0.model.entities.isEmpty }
    }
    let found = others.flatMap { model -> [(name: String, successor: String, shared: [String])] in
      let last = model.current ?? model.versions.last
      return swift.compactMap { successor in
        let entities = Set(successor.versions[0].model.entities.map(\.name))
        let shared = (last?.model.entities ?? []).map(\.name).filter(entities.contains)
        return shared.isEmpty ? nil : (model.name, successor.name, shared)
      }
    }
    guard found.count == 1, let own = found.first else { return nil }
    name = own.name
    successor = own.successor
    sharedEntities = own.shared
    paths = others.map { ProjectSurvey.parts($0.path, below: folder).joined(separator: "/") }
  }

  /// Whether no other model of Core Data has an entity.
  var isAlone: Bool { paths.count == 1 }
}
