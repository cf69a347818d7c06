import MigrationPlanning
import ObjectModel
import StoreAccess

/// The work of a hop, compiled from its mapping.
package enum HopProgram: Sendable {
  /// Statements that alter the checkpoint's file, by the tables of the hop.
  case inPlace(AlterationPlan, TableHopProgram)
  /// Statements that fill a fresh file, table by table.
  case tables(TableHopProgram)
  /// Steps that make the objects of a fresh file one by one.
  case objects(ObjectHopProgram)

  /// Compiles a mapping.
  ///
  /// - Parameters:
  ///   - isAuthored: Whether any number of entity mappings may read or make one entity, so that the hop runs
  ///     object by object unless SQL over tables does the same.
  ///   - makesObjects: Whether objects are made one by one although SQL over tables does the same, for
  ///     trials that compare the two.
  ///   - preconditions: The preconditions on the rows before it; nil for those of the mapping.
  ///   - defersCleanup: Whether columns and tables that go are left for a later cleanup.
  ///   - pending: The objects that an earlier migration left in the file, which is altered; nil where a fresh
  ///     one is built.
  /// - Throws: ``MigrationError`` with `refused` where SQL cannot run the mapping.
  init(
    _ mapping: ResolvedMapping,
    from source: PhysicalSchema,
    to destination: PhysicalSchema,
    isAuthored: Bool,
    makesObjects: Bool = false,
    asking preconditions: [Precondition]? = nil,
    defersCleanup: Bool = false,
    altering pending: Leftovers?
  ) throws(MigrationError) {
    var objects: ObjectHopProgram?
    if isAuthored {
      let program = try ObjectHopCompiler.compile(
        source: source,
        destination: destination,
        mapping: mapping
      )
      guard !makesObjects, !program.needsCode, mapping.isOfTables else {
        self = .objects(program)
        return
      }
      objects = program
    }
    let tables = try TableHopCompiler.compile(
      source: source,
      destination: destination,
      mapping: mapping,
      values: objects,
      asking: preconditions
    )
    let alteration = pending.flatMap {
      AlterationPlan(tables, from: source, to: destination, pending: $0, isDeferred: defersCleanup)
    }
    self = alteration.map { .inPlace($0, tables) } ?? .tables(tables)
  }

  /// Whether objects are made one by one.
  package var makesObjects: Bool { if case .objects = self { true } else { false } }

  /// Whether the checkpoint's file becomes the next one.
  var isInPlace: Bool { if case .inPlace = self { true } else { false } }

  /// Whether the file that it makes must be another than the checkpoint's.
  var writesRows: Bool {
    if case .inPlace(let alteration, _) = self { alteration.writesRows } else { true }
  }

  /// The conditions on the source's data without which the hop would fail or change values.
  var preconditions: [Precondition] {
    switch self {
    case .inPlace(_, let tables), .tables(let tables): tables.preconditions
    case .objects(let objects): objects.preconditions
    }
  }

  /// The destination entity of each source entity whose objects keep their keys, by name.
  var destinations: [String: String] {
    switch self {
    case .inPlace(_, let tables), .tables(let tables): tables.destinations
    case .objects(let objects): objects.destinations
    }
  }

  /// The root of the source hierarchy that keeps its keys, by the destination's root.
  var keepers: [String: String] {
    switch self {
    case .inPlace(_, let tables), .tables(let tables): tables.keepers
    case .objects(let objects): objects.keys.keepers
    }
  }

  /// The objects of the file that remain although the next version does not have them.
  var leftovers: Leftovers {
    if case .inPlace(let alteration, _) = self { alteration.leftovers } else { Leftovers() }
  }
}
