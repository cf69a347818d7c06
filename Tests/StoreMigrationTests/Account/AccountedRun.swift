import MigrationPlanning
import ObjectModel
import StoreAccess

@testable import StoreMigration

/// The account of what a plan made of one store in another.
struct AccountedRun {
  let account: HopAccount

  init(_ plan: MigrationPlan, before: String, after: String) throws {
    account = HopAccount(
      of: plan.hops.reduce(NormalMapping(identityOf: plan.source.model)) {
        $0.followed(by: $1.way)
      },
      from: plan.source.name,
      to: plan.destination.name,
      before: try Self.counts(before, plan.source.model),
      after: try Self.counts(after, plan.destination.model),
      hasCode: plan.hops.contains { !$0.mapping.policyNames.isEmpty },
      findings: plan.hops.count == 1 ? plan.allFindings : nil
    )
  }

  static func counts(_ path: String, _ model: ManagedObjectModel) throws -> StoreCounts {
    let connection = try SQLiteConnection(path: path, access: .readOnly)
    let names = try StoreSchema(of: connection).columnNames
    let schema = PhysicalSchema(model: model, names: JoinNames(settledBy: names, model: model))
    return try StoreCounts(of: connection, schema: schema)
  }
}
