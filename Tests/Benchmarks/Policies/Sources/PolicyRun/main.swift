import Foundation
import Synchronization
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

/// The time that the check of the store takes, in seconds of the clock and of the processor.
final class CheckTime: Sendable {
  private struct Times {
    var began: (clock: ContinuousClock.Instant, processor: Double)?
    var seconds = 0.0
    var processorSeconds = 0.0
  }

  private let times = Mutex(Times())

  /// Takes what the run tells.
  func take(_ event: MigrationEvent) {
    guard case .began(let stage) = event else { return }
    let (clock, processor) = (ContinuousClock.now, Self.processorSeconds)
    times.withLock { times in
      if let began = times.began {
        times.seconds += began.clock.duration(to: clock) / .seconds(1)
        times.processorSeconds += processor - began.processor
      }
      times.began = stage == .checking ? (clock, processor) : nil
    }
  }

  /// The stage as `waystone migrate --format json` has it.
  var json: String {
    times.withLock {
      #"{"kind": "checking", "seconds": \#($0.seconds), "processorSeconds": \#($0.processorSeconds)}"#
    }
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
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
let check = CheckTime()
options.onEvent = { check.take($0) }
let store = try Store(reading: URL(filePath: arguments[1]))
let plan = try models.plan(for: store, to: VersionName(versions[1].qualifiedName), options)
try plan.migrate(store, options)
print(#"{"stages": [\#(check.json)]}"#)
