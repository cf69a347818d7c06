internal import ObjectModel
internal import SwiftDataImport

/// The models that an app's sources declare as they are and at commits, brought together by their names.
///
/// A model is the same at two commits where the sources give it the same name there; else where it has entities
/// of the other. A commit at which a model does not exist has no version of it.
struct SourceHistory {
  /// The declarations at a commit, or of the files as they are.
  private struct Reading {
    let reference: String?
    let isNow: Bool
    var archive: SourceArchive
  }

  /// A model with what later commits show of it.
  private struct Known {
    var name: String
    var entities: Set<String>
  }

  /// Whether only the files as they are are read, so that each of their schemas is a version.
  let isAlone: Bool
  private var readings: [Reading] = []
  private var known: [Known] = []

  /// An empty history.
  init(isAlone: Bool) { self.isAlone = isAlone }

  /// Adds the declarations at a commit; the oldest comes first.
  mutating func add(_ archive: SourceArchive, reference: String?, isNow: Bool) {
    readings.append(Reading(reference: reference, isNow: isNow, archive: archive))
  }

  /// The declarations of the files as they are; nil where only commits are read.
  var working: SourceArchive? { readings.first(where: \.isNow)?.archive }

  /// Gives each model the name that it has in all of the history.
  mutating func name() {
    if readings.allSatisfy({ $0.archive.models.count < 2 }) {
      for index in readings.indices {
        for model in readings[index].archive.models.indices {
          readings[index].archive.models[model].name = SourceModel.defaultName
        }
      }
      known = [Known(name: SourceModel.defaultName, entities: [])]
      return
    }
    for index in readings.indices.reversed() {
      readings[index].archive.models = named(readings[index].archive.models)
    }
  }

  /// Returns the models of a commit with the names that later ones give them.
  private mutating func named(_ models: [SourceModel]) -> [SourceModel] {
    var models = models
    let own = models.map { $0.name ?? SourceModel.defaultName }
    var found: [Int?] = own.map { name in known.firstIndex { $0.name == name } }
    for index in models.indices where found[index] == nil {
      let entities = models[index].entityNames
      let free = known.indices.filter { !found.contains($0) }
      let best = free.max {
        known[$0].entities.intersection(entities).count
          < known[$1].entities.intersection(entities).count
      }
      if let best, !known[best].entities.isDisjoint(with: entities) { found[index] = best }
    }
    for index in models.indices {
      let entities = models[index].entityNames
      if let place = found[index] {
        known[place].entities.formUnion(entities)
        models[index].name = known[place].name
      } else {
        known.append(Known(name: own[index], entities: entities))
        models[index].name = own[index]
      }
    }
    return models
  }

  /// Returns the versions, model by model, the oldest first.
  ///
  /// - Parameter path: The folder of the sources.
  func versions(below path: String) -> [SourceVersions.Version] {
    known.map(\.name).flatMap { name in
      readings.flatMap { reading -> [SourceVersions.Version] in
        // Each commit means the schema that was current at it.
        let own = reading.archive.models.filter { $0.name == name }.flatMap(\.schemas)
        return (isAlone ? own : own.suffix(1)).map { schema in
          SourceVersions.Version(
            modelName: name,
            name: reading.reference ?? schema.name ?? SourceVersions.currentName,
            schema: schema,
            path: reading.reference.map { "\(path)@\($0)" } ?? path
          )
        }
      }
    }
  }
}
