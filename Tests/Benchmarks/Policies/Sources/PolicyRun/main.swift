import Foundation
import Waystone

/// Counts the words of each note twice, in Swift.
final class NotePolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    let note = try manager.createDefaultInstance(forSource: sInstance)
    if case .scalar(.integer(let words)) = try sInstance.value(forKey: "words") {
      try note?.setValue(.scalar(.integer(words / 2)), forKey: "words")
    }
  }
}

/// A mapping that carries everything that has the same name in both models.
func mapping(
  _ entity: String,
  from source: ManagedObjectModel,
  to destination: ManagedObjectModel,
  withLinks: Bool
) -> EntityMapping {
  var mapping = EntityMapping(mappingType: .custom, source: entity, destination: entity)
  mapping.attributeMappings = destination.attributes(of: entity).compactMap { attribute in
    source.property(attribute.name, of: entity).map { _ in
      PropertyMapping(name: attribute.name, valueExpression: .source(attribute.name))
    }
  }
  guard withLinks else { return mapping }
  mapping.relationshipMappings = destination.relationships(of: entity).map {
    PropertyMapping(
      name: $0.name,
      valueExpression: .destinationInstances(forSourceRelationship: $0.name)
    )
  }
  return mapping
}

// usage: PolicyRun policy|sql STORE OUTPUT MODELS none|standard
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 5, let level = VerificationLevel(rawValue: arguments[4]) else {
  print("usage: PolicyRun policy|sql STORE OUTPUT MODELS none|standard")
  throw CancellationError()
}
let models = try ModelArchive(contentsOf: URL(filePath: arguments[3]))
let versions = models.models[0].versions
let (first, last) = (versions[0].model, versions[1].model)
let isCoded = arguments[0] == "policy"
let names = isCoded ? ["Note"] : ["Note", "Notebook", "Tag"]
var entities = names.map { mapping($0, from: first, to: last, withLinks: !isCoded) }
var options = MigrationOptions()
options.outputURL = URL(filePath: arguments[2])
options.settings.verification = level
options.settings.acceptsUnprovenNames = true
if isCoded {
  entities[0].entityMigrationPolicyClassName = "NotePolicy"
  options.register(NotePolicy.self)
}
options.edges = [
  AuthoredEdge(
    source: first.entityVersionHashes,
    destination: last.entityVersionHashes,
    mapping: MappingModel(entityMappings: entities),
    origins: []
  )
]
options.planning.acceptLoss = .any
options.planning.acceptUnknown = true
// The run is measured, which asks them itself.
options.asksRows = false
let store = try Store(reading: URL(filePath: arguments[1]))
let plan = try models.plan(for: store, to: VersionName(versions[1].qualifiedName), options)
try plan.migrate(store, options)
