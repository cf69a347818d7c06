import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

/// Properties of every inference, tried on models that change at random.
@Suite struct InferencePropertyTests {
  /// Calls a check with many inferences, until one fails.
  private func forEachStep(
    _ check: (ManagedObjectModel, ManagedObjectModel, MappingModel, [Finding]) -> String?
  ) {
    var mapped = 0
    let seeds = Trials.some(of: 250 as UInt64)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      var changing = RandomModel(&random)
      guard let source = changing.model else { continue }
      changing.evolve(&random)
      guard let destination = changing.model else { continue }
      let result = MappingInference.infer(from: source, to: destination)
      #expect((result.mapping == nil) == !result.refusals.isEmpty, "seed \(seed)")
      guard let mapping = result.mapping else { continue }
      mapped += 1
      if let complaint = check(source, destination, mapping, result.findings) {
        Issue.record("seed \(seed): \(complaint)")
        return
      }
    }
    #expect(mapped > seeds.count * 2 / 5)
  }

  @Test func `every entity of either model is mapped once`() {
    forEachStep { source, destination, mapping, _ in
      let from = mapping.entityMappings.compactMap(\.sourceEntityName)
      let to = mapping.entityMappings.compactMap(\.destinationEntityName)
      if from.sorted() != source.entities.map(\.name).sorted() { return "sources \(from)" }
      return to == destination.entities.map(\.name) ? nil : "destinations \(to)"
    }
  }

  @Test func `every persistent property has a value that its source can give, each used once`() {
    forEachStep { source, destination, mapping, _ in
      for entity in mapping.entityMappings {
        guard let new = entity.destinationEntityName, let old = entity.sourceEntityName else {
          continue
        }
        let wanted = destination.properties(of: new).map(\.property).filter(\.isPersistent)
        if entity.attributeMappings.map(\.name) != wanted.compactMap(\.attribute?.name) {
          return "attributes of \(new)"
        }
        if entity.relationshipMappings.map(\.name) != wanted.compactMap(\.relationship?.name) {
          return "relationships of \(new)"
        }
        let all = entity.attributeMappings + entity.relationshipMappings
        let used = all.compactMap { $0.valueExpression?.carriedSourcePropertyName }
        if Set(used).count != used.count { return "\(new) uses a property twice: \(used)" }
        for name in used where source.property(name, of: old)?.property.isPersistent != true {
          return "\(new) uses \(name), which \(old) does not have"
        }
      }
      return nil
    }
  }

  @Test func `nothing is dropped in silence`() {
    let words: Set<FindingCode> = [
      .attributeDropped, .relationshipDropped, .suspectedRename, .transienceChanged,
      .derivationChanged,
    ]
    forEachStep { source, destination, mapping, findings in
      for entity in mapping.entityMappings {
        guard let old = entity.sourceEntityName, source[old]?.isAbstract == false else { continue }
        guard let new = entity.destinationEntityName else {
          let isSaid = findings.contains {
            $0.code.has(.drop) && $0.place.entity == old
          }
          if !isSaid { return "\(old) is dropped" }
          continue
        }
        let all = entity.attributeMappings + entity.relationshipMappings
        let used = Set(all.compactMap { $0.valueExpression?.carriedSourcePropertyName })
        for declared in source.properties(of: old) where declared.property.isPersistent {
          let name = declared.property.name
          if used.contains(name) || declared.property.attribute?.derivationExpression != nil {
            continue
          }
          let declarer = mapping.mappings(fromSource: declared.entityName).first
          let places = [new, declarer?.destinationEntityName] + destination.ancestorNames(of: new)
          let isSaid = findings.contains { finding in
            words.contains(finding.code) && places.contains(finding.place.entity)
              && (finding.place.property == name || finding.code == .transienceChanged
                || finding.code == .derivationChanged)
          }
          if !isSaid { return "\(old).\(name) is dropped" }
        }
      }
      return nil
    }
  }

  @Test func `a relationship that is carried leads to what its objects become`() {
    forEachStep { source, destination, mapping, findings in
      var counterparts: [String: String] = [:]
      for entity in mapping.entityMappings {
        if let old = entity.sourceEntityName { counterparts[old] = entity.destinationEntityName }
      }
      for entity in mapping.entityMappings {
        guard let new = entity.destinationEntityName, let old = entity.sourceEntityName else {
          continue
        }
        for property in entity.relationshipMappings {
          guard let name = property.valueExpression?.carriedSourcePropertyName,
            let before = source.property(name, of: old)?.property.relationship,
            let after = destination.property(property.name, of: new)?.property.relationship
          else { continue }
          for far in source.hierarchyNames(below: before.destinationEntityName) {
            guard source[far]?.isAbstract == false, let become = counterparts[far] else { continue }
            if !destination.isKind(become, of: after.destinationEntityName) {
              return "\(new).\(property.name) cannot lead to \(become)"
            }
          }
        }
      }
      return nil
    }
  }

  @Test func `two inferences of the same models are equal`() {
    forEachStep { source, destination, mapping, findings in
      let again = MappingInference.infer(from: source, to: destination)
      return again.mapping == mapping && again.findings == findings ? nil : "they differ"
    }
  }
}
