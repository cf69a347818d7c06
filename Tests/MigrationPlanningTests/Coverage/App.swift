import MigrationPlanning
import MigrationTestSupport
import ObjectModel

/// An app with a model of a few versions, `v1` and on, in the words of ``ModelSketch``.
struct App {
  let model: VersionedModel
  var mappings: [AuthoredMapping] = []

  init(_ sketches: String...) throws {
    model = VersionedModel(
      name: "Notes",
      versions: try sketches.enumerated().map { index, sketch in
        ModelVersion(
          modelName: "Notes",
          name: "v\(index + 1)",
          model: try ModelSketch.model(sketch)
        )
      }
    )
  }

  /// Letters whose `title` becomes `heading`, before the name is used again.
  static func letters() throws -> App {
    try App(
      "Letter { title: String? }",
      "Letter { heading: String? was title }",
      "Letter { heading: String?; title: String? was formOfAddress }"
    )
  }

  /// Adds a mapping of one entity between two versions, with values in the place of copies.
  mutating func add(
    _ source: Int,
    _ destination: Int,
    _ form: AuthoredMapping.Form = .mappingModel,
    entity: String = "Letter",
    values: [String: Expression] = [:],
    named name: String = "Step"
  ) {
    let (first, last) = (model.versions[source - 1].model, model.versions[destination - 1].model)
    var mapping = EntityMapping(mappingType: .transform, source: entity, destination: entity)
    mapping.sourceEntityVersionHash = first.entityVersionHashes[entity]
    mapping.destinationEntityVersionHash = last.entityVersionHashes[entity]
    mapping.attributeMappings = last.attributes(of: entity).map {
      PropertyMapping(name: $0.name, valueExpression: values[$0.name] ?? .source($0.name))
    }
    mappings.append(
      AuthoredMapping(
        name: name,
        path: "/models/\(name).\(form.rawValue)",
        form: form,
        mapping: MappingModel(entityMappings: [mapping]),
        source: .init(first),
        destination: .init(last)
      )
    )
  }

  /// Adds a mapping model that asks by an entity mapping's name, of which there are two for the destination,
  /// what becomes of an entity's links.
  mutating func addLinks(
    _ source: Int,
    _ destination: Int,
    of entity: String,
    _ relationship: String,
    by mapping: String
  ) {
    let (first, last) = (model.versions[source - 1].model, model.versions[destination - 1].model)
    var mappings = last.entities.map { entity in
      var copy = EntityMapping(
        mappingType: .transform,
        source: entity.name,
        destination: entity.name
      )
      copy.name = "\(entity.name)To\(entity.name)"
      copy.sourceEntityVersionHash = first.entityVersionHashes[entity.name]
      copy.destinationEntityVersionHash = last.entityVersionHashes[entity.name]
      copy.attributeMappings = first.attributes(of: entity.name).map {
        PropertyMapping(name: $0.name, valueExpression: .source($0.name))
      }
      return copy
    }
    let place = mappings.firstIndex { $0.sourceEntityName == entity } ?? 0
    mappings[place].relationshipMappings = [
      PropertyMapping(
        name: relationship,
        valueExpression: .function(
          .variable("manager"),
          selector: Expression.destinationInstancesForEntityMapping,
          arguments: [.constant(.string(mapping)), .source(relationship)]
        )
      )
    ]
    // A second one of the destination, as where objects are split: the name tells which is meant.
    if var other = mappings.first(where: { $0.name == mapping }) {
      other.name += "Again"
      other.sourcePredicate = .any([])
      mappings.append(other)
    }
    self.mappings.append(
      AuthoredMapping(
        name: "Links",
        path: "/models/Links.xcmappingmodel",
        form: .mappingModel,
        mapping: MappingModel(entityMappings: mappings),
        source: .init(first),
        destination: .init(last)
      )
    )
  }

  /// Returns the app's outcome between two versions.
  func outcome(
    _ runtime: AppRuntime = .direct,
    from source: Int = 1,
    to destination: Int? = nil,
    stages: [MigrationStage]? = nil
  ) throws -> AppOutcome {
    let origin = AuthoredEdge.Origin(name: "Notes", path: "/Notes.staged.yml", form: .stage)
    let manager = try stages.map { try StagedMigrationManager($0, model: model) }
    let all =
      MappingBinding(mappings, to: [model]).edges + (manager?.edges(origin: origin) ?? [])
    let graph = VersionGraph(model, authored: all)
    let migration = AppMigration(
      graph: graph,
      bundled: MappingBinding(mappings.filter(\.form.isCoreData), to: [model]).edges,
      runtime: runtime,
      stages: manager.map { ($0, origin) }
    )
    let end = destination ?? model.versions.count
    let nodes = (graph.nodes[source - 1], graph.nodes[end - 1])
    let plain = migration.outcome(from: nodes.0, to: nodes.1)
    let surveyed = migration.outcome(from: nodes.0, to: nodes.1, survey: graph.survey())
    guard plain == surveyed else { throw Disagreement() }
    return plain
  }

  /// A survey must not change what is found.
  struct Disagreement: Error {}
}
