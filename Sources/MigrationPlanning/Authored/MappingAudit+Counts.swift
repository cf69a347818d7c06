import ObjectModel

extension MappingAudit {
  /// Checks relationships for more or fewer links than validation accepts; each object that a mapping
  /// makes is validated.
  ///
  /// Rows that an app wrote already meet the bounds of the source's model.
  func checkCounts() {
    let asked = deduction.preconditions().filter { $0.code == .countsTightened }
    for precondition in deduction.validationPreconditions()
    where precondition.code == .countsTightened {
      switch precondition.kind {
      case .noRows:
        collector.add(
          .countsTightened,
          .error,
          .conditional,
          at: Finding.Place(entity: precondition.entity, property: precondition.property),
          "\(subject: precondition.place) is required, and the mapping gives it no link: objects fail "
            + "validation.",
          remedy:
            "Give it links in the mapping. In a version that has not shipped, make it optional."
        )
      case .linkCount(let least, let greatest, let orNone)
      where asked.contains { $0.place == precondition.place }:
        let links = { (count: Int) in count == 1 ? "1 link" : "\(count) links" }
        let words = [
          least > 0 ? "needs at least \(links(least))\(orNone ? ", or none," : "")" : nil,
          greatest < .max ? "allows at most \(links(greatest))" : nil,
        ]
        .compactMap(\.self)
        collector.add(
          .countsTightened,
          .warning,
          .conditional,
          at: Finding.Place(entity: precondition.entity, property: precondition.property),
          "\(subject: precondition.place) \(words.joined(separator: " and ")) now; the run stops at other rows.",
          remedy:
            "Correct the rows with the app first. In a version that has not shipped, keep the bounds."
        )
      default: break
      }
    }
  }
}
