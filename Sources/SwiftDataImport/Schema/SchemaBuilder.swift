internal import ObjectModel

/// A builder of the model of a schema's classes, and of those to which they lead.
///
/// As `Schema` does, it takes in the classes at the other ends of relationships, and superclasses.
struct SchemaBuilder {
  private let module: SourceModule
  private var schema: SourceSchema
  private var drafts: [String: EntityDraft] = [:]
  /// The model that leads to each one which the schema does not name itself, by the entity's name.
  private var leaders: [String: TypeDeclaration] = [:]

  /// The most entities that are followed; models of public apps have less than 200.
  static let greatestCount = 5_000

  private init(_ schema: SourceSchema, in module: SourceModule) {
    self.schema = schema
    self.module = module
  }

  /// Returns the schema with the model of some classes.
  static func build(
    _ schema: SourceSchema,
    of roots: [TypeDeclaration],
    in module: SourceModule
  ) -> SourceSchema {
    var builder = SchemaBuilder(schema, in: module)
    builder.gather(roots)
    builder.finish()
    return builder.schema
  }

  /// Returns the paths of the classes that a schema of some classes has.
  static func closure(of roots: [TypeDeclaration], in module: SourceModule) -> Set<[String]> {
    var builder = SchemaBuilder(
      SourceSchema(path: [], identifier: nil, place: SourcePlace(file: "", line: 0)),
      in: module
    )
    builder.gather(roots)
    return Set(builder.drafts.values.map(\.type.path))
  }

  private mutating func gather(_ roots: [TypeDeclaration]) {
    var rest: [(type: TypeDeclaration, leader: TypeDeclaration?)] = roots.reversed().map {
      ($0, nil)
    }
    while let (type, leader) = rest.popLast() {
      if let known = drafts[type.name] {
        if known.type.place != type.place { clash(type, ledBy: leader, known.type) }
        continue
      }
      guard drafts.count < Self.greatestCount else {
        schema.isIncomplete = true
        return
      }
      let draft = EntityReader.read(type, in: module)
      drafts[type.name] = draft
      leaders[type.name] = leader
      let next = [draft.superclass].compactMap(\.self) + draft.relationships.map(\.destination)
      rest += next.map { ($0, type) }
    }
  }

  private mutating func clash(
    _ type: TypeDeclaration,
    ledBy leader: TypeDeclaration?,
    _ known: TypeDeclaration
  ) {
    let cause = type.path.starts(with: schema.path) ? leaders[type.name] : leader
    let doubt = SchemaDoubt.form(
      "is declared by two classes of this schema, \(known.qualifiedName) at \(known.place) and "
        + "\(type.qualifiedName) at \(type.place), of which it can have one.",
      at: type.place,
      severity: .error,
      remedy: cause.flatMap { cause in
        cause.path.starts(with: schema.path)
          ? nil
          : "Copy \(cause.qualifiedName) into \(schema.name ?? "the schema"), so that it leads to the "
            + "\(type.name) there."
      } ?? "Let every model of the schema refer to the classes of the schema itself; where the two "
        + "are of different targets, name the app's in waystone.yml: `target: App`."
    )
    drafts[type.name]?.doubts.append(doubt)
  }

  private mutating func finish() {
    let sorted = drafts.values.sorted { ByteOrder.precedes($0.entity.name, $1.entity.name) }
    let decided = InverseInference.deciding(sorted, in: module)
    var composites = CompositeNames()
    var entities: [EntityDescription] = []
    for draft in decided {
      entities.append(entity(of: draft, &composites))
      register(draft)
    }
    do throws(ModelError) {
      schema.model = try ManagedObjectModel(
        entities: entities,
        composites: composites.composites,
        versionIdentifiers: [schema.identifier ?? "1.0.0"]
      )
      schema.model?.framework = .swiftData
    } catch {
      schema.findings.append(
        Finding(
          .unresolvedForm,
          .error,
          at: schema.place(entity: error.entityName, property: error.propertyName)
            .finding(entity: error.entityName, property: error.propertyName),
          message: error.message,
          remedy: error.recovery
        )
      )
    }
    schema.origin = (module, drafts.mapValues(\.type))
    markUnknown()
    schema.spelling = SpellingReader.read(sorted, in: module)
  }

  private func entity(
    of draft: EntityDraft,
    _ composites: inout CompositeNames
  ) -> EntityDescription {
    var entity = draft.entity
    entity.attributes = entity.attributes.map { attribute in
      guard let elements = draft.composites[attribute.name] else { return attribute }
      var attribute = attribute
      attribute.compositeName = composites.name(elements, heldBy: attribute.name)
      return attribute
    }
    entity.relationships = draft.relationships.map(\.relationship)
    return entity
  }

  private mutating func register(_ draft: EntityDraft) {
    let name = draft.entity.name
    schema.entities[name] = .init(place: draft.type.place, type: nil)
    schema.properties[name] = draft.declarations
    schema.codingPlaces.merge(draft.codingPlaces) { first, _ in first }
    if !draft.doubts.isEmpty { schema.undecidedEntities.insert(name) }
    for (type, isModel) in [(draft.type, true)] + draft.values.map({ ($0, false) }) {
      schema.types[type.path] = .init(
        path: type.path,
        isModel: isModel,
        place: type.place,
        entity: name,
        leader: isModel ? leaders[name]?.path : nil,
        hasCopy: isModel && !type.path.starts(with: schema.path)
          && module.declares(type.name, below: schema.path)
      )
    }
    schema.findings += draft.doubts.map { $0.finding(entity: name) }
    schema.unknownTypes += draft.unknownTypes
    schema.rules += draft.rules
    if !draft.doubts.isEmpty || !draft.unknownTypes.isEmpty { schema.unknownEntities.insert(name) }
  }

  /// Marks the hashes of entities below one whose hash is unknown as unknown, too.
  private mutating func markUnknown() {
    guard let model = schema.model else { return }
    for name in schema.unknownEntities {
      schema.unknownEntities.formUnion(model.hierarchyNames(below: name))
    }
    schema.model?.markUnknown(schema.unknownEntities)
  }
}

/// The names of composites, which Swift has none for: those that a compiled model's reader gives, too.
struct CompositeNames {
  private(set) var composites: [CompositeDescription] = []
  private var names: [CompositeDescription: String] = [:]
  private var counts: [String: Int] = [:]

  /// Returns the name of a composite with some elements, which an attribute holds.
  mutating func name(_ elements: [ShapeElement], heldBy attribute: String) -> String {
    let elements = elements.map { element in
      var own = element.attribute
      own.compositeName = element.elements.map { name($0, heldBy: own.name) }
      return own
    }
    let base = attribute.prefix(1).uppercased() + attribute.dropFirst()
    let wished = CompositeDescription(name: base, attributes: elements)
    if let known = names[wished] { return known }
    let count = counts[base, default: 0]
    counts[base] = count + 1
    let given = count == 0 ? base : "\(base).\(count + 1)"
    names[wished] = given
    composites.append(CompositeDescription(name: given, attributes: elements))
    return given
  }
}
