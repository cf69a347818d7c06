import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Links of every kind, set and cleared, with both ends looked at.
@Suite struct RelationshipWritingTests {
  static let sketch = """
    Folder {
      name: String?; notes ->> Note.folder ordered; cover -> Note.covers; tags ->> Tag.folders
      marks ->> Mark; pinned ->> Mark ordered
    }
    Mark { word: String? }
    Note {
      title: String?; folder -> Folder.notes; covers -> Folder.cover; tags ->> Tag.items
      next -> Note.previous; previous -> Note.next; parent -> Note.children
      children ->> Note.parent; related ->> Note.related; twin -> Note.twin; lonely -> Tag
    }
    Photo : Note { width: Double? }
    Tag { name: String?; items ->> Note.tags ordered; folders ->> Folder.tags ordered }
    """

  @Test(arguments: 0..<20)
  func `whatever is linked, both ends agree and the store is sound`(seed: Int) throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      try expectAgreement(model, rows: seed % 3 == 0 ? 0 : 40, seed: seed, in: folder)
    }
  }

  @Test(arguments: 0..<30)
  func `links of random models agree from both ends`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 7907 + 11)
    var changing = RandomModel(&random)
    changing.evolve(&random)
    guard let model = changing.model, PhysicalSchema(model: model).unsupported.isEmpty,
      model.entities.contains(where: { !$0.isAbstract })
    else { return }
    try TemporaryFolder.with { folder in
      try expectAgreement(model, rows: 30, seed: seed, in: folder)
    }
  }

  /// Links at random, and looks at each link from both ends.
  private func expectAgreement(
    _ model: ManagedObjectModel,
    rows: Int,
    seed: Int,
    in folder: String
  ) throws {
    let path = folder + "/store.sqlite"
    try StoreGenerator(model: model, rows: rows, seed: UInt64(seed)).write(to: path)
    let store = try OpenedStore(path, model)
    var random = SeededGenerator(seed: UInt64(seed))
    let concrete = model.entities.filter { !$0.isAbstract }.map(\.name)
    for name in concrete { for _ in 0..<4 { _ = try store.context.insert(entityName: name) } }
    // Core Data leaves one-way references to deleted objects behind.
    let oneWay = Set(
      model.entities.flatMap(\.relationships).filter { $0.inverseName == nil }
        .flatMap { model.hierarchyNames(below: $0.destinationEntityName) }
    )
    for step in 0..<60 {
      let name = try #require(concrete.randomElement(using: &random))
      guard let relationship = model.relationships(of: name).randomElement(using: &random),
        let owner = try store.objects(name).randomElement(using: &random)
      else { continue }
      try change(owner, relationship, in: store, &random)
      if step % 20 == 19 {
        try store.context.save()
        store.context.trim()
      }
      if step % 15 == 14, !oneWay.contains(name),
        let victim = try store.objects(name).randomElement(using: &random)
      {
        try store.context.delete(victim)
        #expect(victim.isDeleted)
      }
    }
    try store.context.save()
    store.context.trim()
    let complaints = try store.complaints()
    #expect(complaints.isEmpty, "seed \(seed): \(complaints)")
    for name in concrete { try expectInverses(name, in: store) }
  }

  private func change(
    _ owner: ManagedObject,
    _ relationship: RelationshipDescription,
    in store: OpenedStore,
    _ random: inout SeededGenerator
  ) throws {
    let candidates = try store.objects(
      relationship.destinationEntityName,
      includesSubentities: true
    )
    let key = relationship.name
    let before = try owner.objects(forKey: key)
    guard relationship.isToMany else {
      let target = Bool.random(using: &random) ? candidates.randomElement(using: &random) : nil
      try owner.set(target, forKey: key)
      let now = try owner.object(forKey: key)
      #expect(now === target, "\(owner.entity.name).\(key)")
      return
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      let chosen = Array(candidates.shuffled(using: &random).prefix(5))
      try owner.set(chosen, forKey: key)
      // An object can follow itself only where it is not taken away as another's.
      try expect(owner, key, chosen, isOrdered: relationship.isOrdered)
    case 1:
      guard let target = candidates.randomElement(using: &random) else { return }
      try owner.add(target, toKey: key)
      let expected = before.contains { $0 === target } ? before : before + [target]
      try expect(owner, key, expected, isOrdered: relationship.isOrdered)
    default:
      guard let target = before.randomElement(using: &random) else { return }
      try owner.remove(target, fromKey: key)
      try expect(owner, key, before.filter { $0 !== target }, isOrdered: relationship.isOrdered)
    }
  }

  private func expect(
    _ owner: ManagedObject,
    _ key: String,
    _ objects: [ManagedObject],
    isOrdered: Bool
  ) throws {
    let now = try owner.objects(forKey: key).map(\.objectID)
    let expected = objects.map(\.objectID)
    let place = "\(owner.entity.name).\(key)"
    if isOrdered {
      #expect(now == expected, "\(place)")
    } else {
      #expect(Set(now) == Set(expected) && now.count == expected.count, "\(place)")
    }
  }

  private func expectInverses(_ name: String, in store: OpenedStore) throws {
    for object in try store.objects(name) {
      for relationship in store.model.relationships(of: name) {
        guard let inverse = relationship.inverseName else { continue }
        for other in try object.objects(forKey: relationship.name) {
          let back = try other.objects(forKey: inverse)
          #expect(back.contains { $0 === object }, "\(name).\(relationship.name)")
        }
      }
    }
  }
}
