import ObjectModel

extension StoreEvidence {
  /// Returns findings on the relationships of the store's version that keep dangling links, with the
  /// effects of the path's hops on them.
  ///
  /// - Complexity: One reading of the rows that keep links.
  func danglingLinks(along hops: [Hop]) -> [Finding] {
    source.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> Finding? in
        guard let kind = question(of: relationship, entity.name) else { return nil }
        let names = source.model.hierarchyNames(below: entity.name).filter {
          source.model[$0]?.isAbstract == false
        }
        // The rows that keep links of a to-many belong to the relationship, not to one entity.
        let asked = relationship.isToMany ? Array(names.prefix(1)) : names
        let precondition = Precondition(
          .danglingReference,
          entity: entity.name,
          property: relationship.name,
          kind,
          asked.map { Precondition.Subject($0, [.carried([relationship.name])]) }
        )
        let answer = checker.answer(to: precondition)
        guard case .refuted = answer else { return nil }
        let evidence = Finding.Evidence([(kind, answer)])
        var finding = Finding(
          .danglingReference,
          .warning,
          at: Finding.Place(
            version: source.name,
            entity: entity.name,
            property: relationship.name
          ),
          message: evidence.sentence + " " + fate(along: hops),
          remedy: "Correct those rows with the app first, if they matter."
        )
        finding.evidence = evidence
        return finding
      }
    }
  }

  /// Returns the question about a relationship; nil where the inverse's rows keep its links, or stores
  /// keep none.
  private func question(
    of relationship: RelationshipDescription,
    _ entity: String
  ) -> Precondition.Kind? {
    guard relationship.isPersistent else { return nil }
    guard relationship.isToMany else {
      return .referencesExist(entity: relationship.destinationEntityName)
    }
    guard let inverse = source.model.inverse(of: relationship) else { return .linksExist }
    guard inverse.property.relationship?.isToMany == true else { return nil }
    // One end reports the links of both.
    let isFirst =
      (entity, relationship.name) <= (inverse.entityName, inverse.property.name)
    return isFirst ? .linksExist : nil
  }

  /// Returns a sentence on the fate of such links: hops that carry tables treat them differently from
  /// hops that make objects.
  private func fate(along hops: [Hop]) -> String {
    guard !hops.isEmpty else { return "Such links stay as they are." }
    guard let hop = hops.first(where: checker.makesObjects) else {
      return
        "A hop that copies their column or table keeps such links; one that moves links may keep them or "
        + "leave them out. The certificate counts those that the result has."
    }
    return
      "The hop from \(hop.source.name) to \(hop.destination.name) makes objects anew, and leaves "
      + "such links out."
  }

  /// Returns whether a plan certainly leaves dangling links out.
  package func leavesLinksOut(along plan: MigrationPlan) -> Bool {
    plan.findings.contains { $0.code == .danglingReference }
      && plan.hops.contains(where: checker.makesObjects)
  }
}
