import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

/// Differences between consecutive versions of public apps.
@Suite(.enabled(if: Corpus.isPresent)) struct CorpusDifferenceTests {
  @Test func `a change says truly whether the hash sees it`() throws {
    let archive = try Corpus.models.get()
    var counts = (pairs: 0, changes: 0, entities: 0)
    for model in archive.models {
      for (old, new) in zip(model.versions, model.versions.dropFirst()) {
        let difference = ModelDifference(from: old.model, to: new.model)
        let comment = Comment(rawValue: "\(new.path) after \(old.name)")
        #expect(difference.isEmpty == (old.model == new.model), comment)
        let told = rehashed(difference, old.model, new.model)
        #expect(told == Set(difference.rehashedEntityNames), comment)
        counts.pairs += 1
        counts.changes += difference.changes.count
        counts.entities += told.count
      }
    }
    print(
      "\(counts.pairs) pairs of versions have \(counts.changes) changes,",
      "after which \(counts.entities) entities have another hash, as the changes say."
    )
    #expect(counts.pairs > 400)
  }

  /// The entities whose hash the changes alone say to be another: their own and their ancestors'.
  private func rehashed(
    _ difference: ModelDifference,
    _ old: ManagedObjectModel,
    _ new: ManagedObjectModel
  ) -> Set<String> {
    var names: Set<String> = []
    for change in difference.changes where change.changesHash {
      guard let name = change.entityName else { continue }
      switch (change.action, change.subject) {
      case (.removed, .entity): names.insert(name)
      case (.renamed, .entity):
        // As of two entities that each only one version has.
        names.formUnion(new.hierarchyNames(below: name))
        if let former = change.old { names.formUnion(old.hierarchyNames(below: former)) }
      case (.moved, let subject) where subject != .entity:
        for place in [name, change.old, change.new].compactMap({ $0 }) where new[place] != nil {
          names.formUnion(new.hierarchyNames(below: place))
        }
      default: names.formUnion(new.hierarchyNames(below: name))
      }
    }
    return names
  }
}
