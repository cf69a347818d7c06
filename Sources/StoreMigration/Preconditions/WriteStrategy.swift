import MigrationPlanning
import ObjectModel
import StoreAccess

/// The part of each entity's bytes that a hop writes, for any store.
enum WriteStrategy: Sendable {
  /// A fresh file, with the objects of these entities of the source, made one by one.
  case mapped(entities: Set<String>)
  /// A fresh file, with the rows of these entities of the source.
  case rebuilt(entities: Set<String>)
  /// The same file, altered in place.
  case altered([Rewriting], writesRows: Bool)

  /// A table whose rows are written anew.
  struct Rewriting: Sendable {
    /// The entities whose rows it has.
    let entities: [String]
    /// The number of times.
    let count: Int
  }

  /// A hop, as far as its shape depends on it.
  private struct Hop: Hashable, Sendable {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    let mapping: MappingModel
    let isAuthored: Bool

    func hash(into hasher: inout Hasher) {
      hasher.combine(source)
      hasher.combine(destination)
    }
  }

  private static let recent = RecentValues<Hop, WriteStrategy?>(capacity: 64)

  /// Returns the shape of a hop between two versions; nil where it cannot be run.
  static func of(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    isAuthored: Bool
  ) -> WriteStrategy? {
    let hop = Hop(
      source: source,
      destination: destination,
      mapping: mapping,
      isAuthored: isAuthored
    )
    return recent.value(of: hop) { WriteStrategy(compiling: hop) }
  }

  private init?(compiling hop: Hop) {
    let source = PhysicalSchema(model: hop.source)
    let program = try? HopProgram(
      ResolvedMapping(hop.mapping, from: hop.source, to: hop.destination),
      from: source,
      to: PhysicalSchema(model: hop.destination),
      isAuthored: hop.isAuthored,
      // Preconditions write no rows.
      asking: [],
      altering: .init()
    )
    let entities = Set(
      hop.mapping.entityMappings.compactMap {
        $0.destinationEntityName == nil ? nil : $0.sourceEntityName
      }
    )
    switch program {
    case nil: return nil
    case .objects: self = .mapped(entities: entities)
    case .tables: self = .rebuilt(entities: entities)
    case .inPlace(let plan, _):
      let rewritings = plan.tables.filter { $0.rewrites > 0 }.map { table in
        let root = source.tables.first { $0.name == table.oldName }?.rootEntityName
        return Rewriting(
          entities: root.map { hop.source.hierarchyNames(below: $0) } ?? [],
          count: table.rewrites
        )
      }
      self = .altered(rewritings, writesRows: plan.writesRows)
    }
  }
}
