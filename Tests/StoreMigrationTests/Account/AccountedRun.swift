import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreMigration

/// The account of what a plan made of one store in another.
struct AccountedRun {
  let account: HopReconciliation

  init(_ plan: MigrationPlan, before: String, after: String) throws {
    account = HopReconciliation(
      of: plan.composedMapping,
      from: plan.source.name,
      to: plan.destination.name,
      before: try Self.counts(before, plan.source.model),
      after: try Self.counts(after, plan.destination.model),
      hasCode: plan.hops.contains { !$0.mapping.policyNames.isEmpty },
      losses: DeclaredLosses(plan.hops)
    )
  }

  static func counts(_ path: String, _ model: ManagedObjectModel) throws -> StoreCounts {
    let connection = try SQLiteConnection(path: path, access: .readOnly)
    let names = try StoreSchema(of: connection).columnNames
    let schema = PhysicalSchema(model: model, names: JoinNames(settledBy: names, model: model))
    return StoreCounts(try StoreCensus(of: connection, schema: schema))
  }
}

extension HopReconciliation {
  /// The lines of which the plan had said something else.
  func misses(_ planned: HopForecast) -> [String] {
    func place(_ entity: String, _ property: String?) -> String { "\(entity).\(property ?? "")" }
    // Links of one relationship may be on several lines, each of what becomes of them.
    let departing = Dictionary(
      planned.departures.map { (place($0.entity, $0.property) + $0.fate.rawValue, $0) },
      uniquingKeysWith: { $1 }
    )
    let arriving = Dictionary(
      planned.arrivals.map { (place($0.entity, $0.property), $0) },
      uniquingKeysWith: { $1 }
    )
    func isWithin(_ count: Int64, _ bounds: HopReconciliation.Bounds?) -> Bool {
      bounds.map { count >= $0.least && count <= $0.greatest ?? .max } ?? false
    }
    // Links for which an end has no room go over by the plan, and are lines of their own once counted.
    let lines = Dictionary(grouping: departures) { line -> String in
      let name = place(line.entity, line.property)
      let isOfPlan = departing[name + line.fate.rawValue] != nil
      let isLeftOut = line.kind == .links && line.targets == nil || line.fate == .changed
      return name + (isLeftOut && !isOfPlan ? HopReconciliation.Fate.carried : line.fate).rawValue
    }
    let left = lines.filter { key, lines in
      let plan = departing[key]
      return lines.contains { !$0.to.isEmpty && plan?.to != $0.to }
        || lines.contains { plan == nil || plan?.targets != $0.targets }
        || !isWithin(lines.reduce(0) { $0 + $1.count }, plan?.bounds)
    }
    .values.joined()
    let come = arrivals.filter { line in
      let plan = arriving[place(line.entity, line.property)]
      return plan?.from != line.from || !isWithin(line.count, plan?.bounds)
    }
    return left.map { "-\($0)" } + come.map { "+\($0)" }
  }
}
