internal import ObjectModel

/// A search for the forms of Swift types with which the entities of a schema have a store's hashes.
struct SchemaLearner {
  private(set) var lesson = SchemaLesson()
  private let schema: SourceSchema
  private let store: StoreFacts
  private let model: ManagedObjectModel
  private let module: SourceModule
  private let classes: [String: TypeDeclaration]
  /// The composites of the store's model by their names.
  private let composites: [String: CompositeDescription]
  /// The forms that are settled so far.
  private var settled: [String: TypeForm] = [:]
  /// The parts of hashes that were computed before.
  private var parts: [PartKey: [UInt8]?] = [:]

  /// A place with a doubtful type.
  private struct Doubt {
    var key: String
    var entity: String
    var property: String
    var path: [String]
    var place: SourcePlace
    /// The form by the rule, with its proof; nil where there is no rule.
    var rule: (form: TypeForm, proof: ShapeProof)?
  }

  private struct PartKey: Hashable {
    var entity: String
    var property: String
    var forms: [TypeForm?]
  }

  init(
    schema: SourceSchema,
    store: StoreFacts,
    _ model: ManagedObjectModel,
    _ module: SourceModule,
    _ classes: [String: TypeDeclaration]
  ) {
    self.schema = schema
    self.store = store
    self.model = model
    self.module = module
    self.classes = classes
    composites = Dictionary(
      (store.model?.composites ?? []).map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  mutating func learn() {
    let roots = model.entities.filter { $0.superentityName == nil }
    for name in roots.flatMap({ model.hierarchyNames(below: $0.name) }) {
      guard let hash = store.hashes[name] else { continue }
      let doubts = doubts(of: name)
      guard !doubts.isEmpty else {
        if schema.knownHashes[name] == hash { lesson.fitting += 1 }
        continue
      }
      learn(name, hash, doubts)
    }
  }

  /// Returns the doubtful types of an entity and of those from which it inherits.
  private func doubts(of name: String) -> [Doubt] {
    let chain = Set([name] + model.ancestorNames(of: name))
    let rules = schema.rules.compactMap { use -> Doubt? in
      guard chain.contains(use.entity), let subject = use.subject, let property = use.property
      else { return nil }
      return Doubt(
        key: subject.key,
        entity: use.entity,
        property: property,
        path: subject.path,
        place: use.place,
        rule: (subject.form, use.rule.proof)
      )
    }
    return rules
      + schema.unknownTypes.filter { chain.contains($0.entity) }.map { type in
        Doubt(
          key: type.key,
          entity: type.entity,
          property: type.property,
          path: [],
          place: type.place
        )
      }
  }

  private mutating func learn(_ name: String, _ hash: VersionHash, _ doubts: [Doubt]) {
    var keys: [String] = []
    for doubt in doubts where settled[doubt.key] == nil && !keys.contains(doubt.key) {
      keys.append(doubt.key)
    }
    func open(_ reason: SchemaLesson.OpenEntity.Reason) {
      lesson.open.append(.init(entity: name, keys: keys, reason: reason))
    }
    let chain = [name] + model.ancestorNames(of: name)
    guard schema.undecidedEntities.isDisjoint(with: chain) else { return open(.undecided) }
    var trial = HashTrial(model, entity: name)
    guard !keys.isEmpty else {
      if self.hash([:], doubts, &trial) == hash { lesson.fitting += 1 }
      return
    }
    if store.model != nil {
      let forms = stored(keys, doubts)
      guard self.hash(forms, doubts, &trial) == hash else { return open(.noneFits) }
      lesson.fitting += 1
      settle(forms, doubts)
      return
    }
    let found = fits(keys, doubts, hash, &trial)
    guard let first = found.fits.first else { return open(found.isComplete ? .noneFits : .tooMany) }
    lesson.fitting += 1
    var agreed = first
    for key in keys {
      let forms = found.fits.compactMap { $0[key] }
      guard forms.contains(where: { !$0.isSame(as: forms[0]) }) else { continue }
      agreed[key] = nil
      var seen: Set<String> = []
      open(.severalFit(forms.map { "\($0)" }.filter { seen.insert($0).inserted }))
    }
    settle(agreed, doubts)
  }

  /// Returns the forms that the store's model has of some types.
  private func stored(_ keys: [String], _ doubts: [Doubt]) -> [String: TypeForm] {
    var result: [String: TypeForm] = [:]
    // The type around another one settles both, and follows it in the list.
    for doubt in doubts where keys.contains(doubt.key) && result[doubt.key] == nil {
      let attribute = store.model?[doubt.entity]?.attributes.first { $0.name == doubt.property }
      result[doubt.key] = attribute.flatMap { TypeForm($0, in: composites) }
        .flatMap { $0.element(doubt.path[...]) }
    }
    return result
  }

  private mutating func settle(_ forms: [String: TypeForm], _ doubts: [Doubt]) {
    for doubt in doubts {
      guard let form = forms[doubt.key], settled[doubt.key] == nil else { continue }
      settled[doubt.key] = form
      lesson.learned.append(
        LearnedType(
          key: doubt.key,
          form: form,
          store: store.name,
          isOfModel: store.model != nil,
          expected: doubt.rule?.form,
          proof: doubt.rule?.proof,
          entity: doubt.entity,
          property: doubt.property,
          place: doubt.place
        )
      )
    }
  }

  // MARK: Hashes

  /// Returns the hash of an entity with some forms.
  private mutating func hash(
    _ forms: [String: TypeForm],
    _ doubts: [Doubt],
    _ trial: inout HashTrial
  ) -> VersionHash? {
    var replaced: [HashTrial.ID: [UInt8]] = [:]
    var seen: Set<[String]> = []
    for doubt in doubts where seen.insert([doubt.entity, doubt.property]).inserted {
      let keys = doubts.filter { $0.entity == doubt.entity && $0.property == doubt.property }
        .map(\.key)
      let part = PartKey(
        entity: doubt.entity,
        property: doubt.property,
        forms: keys.map { forms[$0] ?? settled[$0] }
      )
      let bytes = parts[part] ?? self.part(part, forms)
      parts[part] = .some(bytes)
      guard let bytes else { return nil }
      replaced[HashTrial.id(doubt.property, of: doubt.entity)] = bytes
    }
    return trial.hash(replacing: replaced)
  }

  private func part(_ key: PartKey, _ forms: [String: TypeForm]) -> [UInt8]? {
    guard let type = classes[key.entity],
      let property = type.properties.first(where: { $0.name == key.property && !$0.isStatic })
    else { return nil }
    var module = module
    module.learned.merge(settled) { $1 }
    module.learned.merge(forms) { $1 }
    guard let made = EntityReader.attribute(property, of: type, in: module),
      made.attribute.unknownType == nil
    else { return nil }
    var attribute = made.attribute
    var names = CompositeNames()
    attribute.compositeName = made.elements.map { names.name($0, heldBy: attribute.name) }
    return HashTrial.part(of: attribute, names.composites)
  }

  // MARK: Trials

  private static let scalars: [AttributeType] = [
    .integer64, .integer32, .integer16, .double, .float, .decimal, .string, .boolean, .binary,
    .transformable, .date, .uuid, .uri,
  ]
  private static let raws: [AttributeType] = [
    .string, .integer64, .integer32, .integer16, .double, .float,
  ]

  /// Returns the forms that are tried for a type, that of the rule first.
  private func candidates(_ key: String, _ doubts: [Doubt]) -> [TypeForm] {
    guard let doubt = doubts.first(where: { $0.key == key }) else { return [] }
    var forms = [doubt.rule?.form].compactMap(\.self)
    if doubt.rule == nil, let type = classes[doubt.entity],
      let property = type.properties.first(where: { $0.name == doubt.property && !$0.isStatic }),
      let written = property.type
    {
      let resolved = module.resolve(written, in: type.path, file: type.place.file).type
      forms += AttributeShape.guesses(resolved, of: property, written: written, in: module)
    }
    forms += Self.scalars.map { .attribute($0) }
    if doubt.path.isEmpty { forms += Self.raws.map { .rawValue($0) } }
    var seen: Set<TypeForm> = []
    return forms.filter { seen.insert($0).inserted }
  }

  /// Returns the combinations of forms with which an entity has a hash, those first in which the fewest types
  /// deviate from the rules; and whether all were tried.
  private mutating func fits(
    _ keys: [String],
    _ doubts: [Doubt],
    _ hash: VersionHash,
    _ trial: inout HashTrial
  ) -> (fits: [[String: TypeForm]], isComplete: Bool) {
    let candidates = keys.map { self.candidates($0, doubts) }
    guard candidates.allSatisfy({ !$0.isEmpty }) else { return ([], true) }
    var fits: [[String: TypeForm]] = []
    var left = SourceSchema.greatestTries
    for deviating in 0...keys.count {
      var choice = [Int](repeating: 0, count: keys.count)
      guard
        visit(
          0,
          deviating,
          &choice,
          candidates,
          &left,
          { choice in
            var forms: [String: TypeForm] = [:]
            for (index, key) in keys.enumerated() { forms[key] = candidates[index][choice[index]] }
            if self.hash(forms, doubts, &trial) == hash { fits.append(forms) }
          }
        )
      else { return (fits, false) }
    }
    return (fits, true)
  }

  /// Visits the choices in which a number of types from an index on deviate from the first candidate; false where
  /// the tries are used up.
  private func visit(
    _ index: Int,
    _ deviating: Int,
    _ choice: inout [Int],
    _ candidates: [[TypeForm]],
    _ left: inout Int,
    _ body: ([Int]) -> Void
  ) -> Bool {
    guard candidates.count - index >= deviating else { return true }
    guard index < candidates.count else {
      left -= 1
      guard left >= 0 else { return false }
      body(choice)
      return true
    }
    choice[index] = 0
    guard visit(index + 1, deviating, &choice, candidates, &left, body) else { return false }
    guard deviating > 0 else { return true }
    for candidate in candidates[index].indices.dropFirst() {
      choice[index] = candidate
      guard visit(index + 1, deviating - 1, &choice, candidates, &left, body) else { return false }
    }
    choice[index] = 0
    return true
  }
}
