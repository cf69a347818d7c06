import MigrationPlanning
import ObjectModel
import StoreAccess

/// The conditions on a source's data without which a hop would fail or change values.
struct LegPreconditions {
  let source: PhysicalSchema
  let destination: PhysicalSchema
  let mapping: MappingModel

  /// Those of a hop that runs table by table, whose rows nobody looks at again.
  var all: [Precondition] { required + memberConditions }

  /// Those of a hop that makes its objects one by one: these are held against their model once they
  /// are made, and only a number that is bounded then looks like any other.
  var ofNumbers: [Precondition] { required.filter { $0.code == .typeNarrowed } }

  private var required: [Precondition] {
    PreconditionDeduction(mapping, from: source.model, to: destination.model)
      .preconditions().filter(\.isRequired)
  }

  /// Where a table's rows do not all arrive, or get other numbers, each must be of a known entity.
  private var memberConditions: [Precondition] {
    let destinations = Dictionary(
      mapping.entityMappings.compactMap { mapping in
        mapping.sourceEntityName.flatMap { name in
          mapping.destinationEntityName.map { (name, $0) }
        }
      },
      uniquingKeysWith: { first, _ in first }
    )
    return source.tables.compactMap { table in
      let members = source.model.hierarchyNames(below: table.rootEntityName).filter {
        source.model[$0]?.isAbstract == false
      }
      let isKept = members.allSatisfy { name in
        destinations[name].flatMap { destination.entityNumber($0) } == source.entityNumber(name)
      }
      guard !isKept else { return nil }
      return Precondition(
        .schemaDiffers,
        entity: table.rootEntityName,
        .knownEntity,
        [Precondition.Subject(table.rootEntityName)]
      )
    }
  }
}
