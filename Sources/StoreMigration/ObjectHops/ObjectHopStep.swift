import ObjectModel
import StoreAccess

/// A step of an object hop, done in one batch or several.
enum ObjectHopStep {
  /// Calls the policy at the beginning of its mapping.
  case begin(Int)
  /// SQL makes objects.
  case create(ObjectHopProgram.Creation)
  /// Code makes objects.
  case createRows(Int)
  /// Calls the policy once its objects are made.
  case endCreation(Int)
  /// SQL sets a relationship, or collects its links.
  case connect(ObjectHopProgram.Connection)
  /// SQL sets a relationship whose links were collected in the step before.
  case writeCollected(ObjectHopProgram.Connection)
  /// Code sets relationships.
  case connectRows(Int)
  /// Calls the policy once its objects are connected.
  case endConnection(Int)
  /// Members of ordered relationships get places.
  case fillOrders
  /// Derived attributes are computed.
  case derive
  /// The objects are validated against the rules of their model.
  case validate
  /// A policy validates.
  case validatePolicy(Int)
  /// Calls the policy at the end of the hop.
  case end(Int)
  /// An index is made.
  case index(Int)
  /// Tables that are not of the model are copied.
  case carryObjects
  /// Writes the bookkeeping beside the rows, and marks the file.
  case complete

  /// The entity mapping whose policy takes part.
  var policyMapping: Int? {
    switch self {
    case .begin(let index), .createRows(let index), .endCreation(let index),
      .connectRows(let index), .endConnection(let index), .validatePolicy(let index),
      .end(let index):
      index
    default: nil
    }
  }
}

extension ObjectHop {
  /// The steps in their order, which is the same each time that the program is compiled.
  var steps: [ObjectHopStep] {
    let mappings = Array(program.mapping.entityMappings.indices)
    let coded = mappings.filter { program.rowCreations.contains($0) }
    var steps: [ObjectHopStep] = []
    for index in mappings {
      if let creation = program.creations[index] { steps.append(.create(creation)) }
      if program.rowCreations.contains(index) {
        steps += [.begin(index), .createRows(index), .endCreation(index)]
      }
    }
    // Code looks links up by the keys of rows; SQL does not, and makes these indexes at the end.
    let early = program.rowConnections.isEmpty ? [] : keyIndexes
    steps += early.map { .index($0) }
    for index in mappings {
      for connection in program.connections[index] {
        steps.append(.connect(connection))
        if !connection.isDirect { steps.append(.writeCollected(connection)) }
      }
      if program.rowConnections.contains(index) {
        steps += [.connectRows(index), .endConnection(index)]
      }
    }
    steps += [.fillOrders, .derive, .validate]
    steps += coded.map { .validatePolicy($0) }
    steps += coded.map { .end($0) }
    steps += compiled.destination.indexes.indices.filter { !early.contains($0) }.map { .index($0) }
    return steps + [.carryObjects, .complete]
  }

  /// The indexes that lead from the key of an object to the rows that hold it.
  private var keyIndexes: [Int] {
    var keys: Set<[String]> = []
    for table in compiled.destination.tables {
      for column in table.columns {
        switch column.role {
        case .toOneKey, .oneSidedOwner: keys.insert([table.name, column.name])
        default: continue
        }
      }
    }
    for join in compiled.destination.joinTables {
      for column in join.keyColumns { keys.insert([join.name, column.name]) }
    }
    return compiled.destination.indexes.indices.filter { index in
      let made = compiled.destination.indexes[index]
      return !made.isUnique
        && made.terms.first.map { keys.contains([made.tableName, $0.columnName]) } ?? false
    }
  }
}
