package import MigrationPlanning
package import ObjectModel
package import StoreAccess

/// The many-to-many names of a plan's result that rest on nothing, and the steps that left them so.
///
/// Two kinds of names follow from no model: which of two inverse relationships of one entity names
/// their table, and which of several columns of one name has a number behind it. A store that Core
/// Data made has them; they hold as long as the entity's properties stay.
package struct UnprovenNames {
  /// The names, in the order of the last schema.
  package let guesses: [UnsettledName]
  /// The name of the version at the end of the plan, whose names they are.
  package var destination: String { plan.destination.name }
  private let plan: MigrationPlan
  /// The index of the hop from which on each guess is one.
  private let hops: [Int]

  /// Follows names through the schemas of a plan, the source's first.
  package init(plan: MigrationPlan, schemas: [PhysicalSchema]) {
    self.plan = plan
    let open = schemas.map { schema in
      schema.unsettledNames.filter { $0.settler == .guess }
    }
    let last = plan.hops.isEmpty ? [] : open.last ?? []
    guesses = last
    hops = last.map { guess in
      let isOpen = open.map { $0.contains { $0.relationships == guess.relationships } }
      let settled = isOpen.lastIndex(of: false)
      return min(settled ?? 0, max(0, plan.hops.count - 1))
    }
  }

  /// Returns whether a model leaves open a name that a store would have to settle.
  package static func mayHave(_ model: ManagedObjectModel) -> Bool {
    !PhysicalSchema(model: model).unsettledNames.isEmpty
  }

  /// A finding for each name, at the step that leaves it open, by the index of the hop.
  package var findings: [(hop: Int, finding: Finding)] {
    zip(hops, guesses).map { index, name in
      let step = plan.hops[index]
      let sides = name.relationships.map(\.description)
      let first = name.relationships.first
      return (
        index,
        Finding(
          .unprovenName,
          .warning,
          at: Finding.Place(
            version: step.destination.name,
            entity: first?.entityName,
            property: first?.propertyName
          ),
          message:
            "\(subject: sides.first ?? "")\(sides.dropFirst().map { " and \($0)" }.joined()) "
            + Self.predicate(name),
          advice: Self.advice(plan.destination.name)
        )
      )
    }
  }

  /// Returns the advice that settles the names of a version.
  package static func advice(_ version: String) -> Finding.Text {
    "Create a store with the app at \(version: version). Name it below `samples:` in waystone.yml, or run "
      + "`waystone migrate STORE --to \(argument: version) --like APPSTORE`."
  }

  /// The consequence of a wrong guess.
  package static let risk = "With a wrong name the app fails at its first fetch."

  private static func predicate(_ name: UnsettledName) -> Finding.Text {
    switch name.kind {
    case .masterRelationship:
      "share a join table, and the model does not say which of them names it: "
        + "\"\(name.tableName)\" is a guess. \(risk)"
    case .columnSuffix:
      "have columns of one name in join table \(name.tableName), and the model does not say "
        + "which gets a number: \"\(name.columnName ?? "")\" is a guess. \(risk)"
    }
  }
}
