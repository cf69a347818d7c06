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
  /// An authored one, in which any number of entity mappings may read or make one entity, runs object by
  /// object unless SQL over tables does the same. Parameters and errors are those of a ``CompiledHop``.
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

  /// The plan by which the checkpoint's file becomes the next one; nil where that is a fresh file.
  var alteration: AlterationPlan? { if case .inPlace(let plan, _) = self { plan } else { nil } }

  /// The objects of the file that remain although the next version does not have them.
  var leftovers: Leftovers { alteration?.leftovers ?? Leftovers() }

  /// The conditions on the source's data without which the hop would fail or change values.
  var preconditions: [Precondition] {
    switch self {
    case .inPlace(_, let tables), .tables(let tables): tables.preconditions
    case .objects(let objects): objects.preconditions
    }
  }
}
