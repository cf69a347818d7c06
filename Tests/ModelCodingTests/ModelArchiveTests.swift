import MigrationTestSupport
import ModelCoding
import ObjectModel
import PropertyLists
import Testing

@Suite struct `Archived models` {
  /// A model with one of everything that an archive can hold.
  private func sample() throws -> ManagedObjectModel {
    var note = EntityDescription(name: "Note")
    note.managedObjectClassName = "App.Note"
    note.renamingIdentifier = "Memo"
    note.versionHashModifier = "2"
    note.isSyncable = false
    note.userInfo = ["key": "value"]
    note.uniquenessConstraints = [["title", "owner"]]
    note.compoundIndexes = [["title", "created"]]
    var element = FetchIndexDescription.Element(propertyName: "created")
    element.isAscending = false
    var expression = FetchIndexDescription.Element(propertyName: "self")
    expression.isExpression = true
    var index = FetchIndexDescription(name: "byCreated", elements: [element, expression])
    index.partialIndexPredicate = "title != nil AND (pages > 3 OR NOT (done == YES))"
    note.indexes = [index]
    note.attributes = attributes
    var owner = RelationshipDescription(name: "owner", destinationEntityName: "Person")
    owner.inverseName = "notes"
    owner.inverseEntityName = "Person"
    owner.isOptional = true
    note.relationships = [owner]
    var special = EntityDescription(name: "SpecialNote")
    special.superentityName = "Note"
    special.isAbstract = true
    var person = EntityDescription(name: "Person")
    var notes = RelationshipDescription(name: "notes", destinationEntityName: "Note")
    notes.inverseName = "owner"
    notes.inverseEntityName = "Note"
    notes.maxCount = 0
    notes.isOrdered = true
    notes.deletionRule = .cascade
    notes.userInfo = ["a": "b"]
    person.relationships = [notes]
    var request = FetchRequestTemplate(name: "fetchedPropertyFetchRequest", entityName: "Note")
    request.predicate = "owner == $FETCH_SOURCE AND title CONTAINS[cd] $FETCHED_PROPERTY.userInfo.x"
    request.includesSubentities = false
    person.fetchedProperties = [FetchedPropertyDescription(name: "found", fetchRequest: request)]
    var template = FetchRequestTemplate(name: "recent", entityName: "Note")
    template.resultType = .dictionaries
    template.fetchLimit = 5
    template.fetchBatchSize = 20
    template.predicate = "ANY tags IN $TAGS"
    return try ManagedObjectModel(
      entities: [note, special, person],
      configurations: ["Local": ["Note", "SpecialNote"], "Cloud": ["Person"]],
      fetchRequestTemplates: [template],
      versionIdentifiers: ["1.2"]
    )
  }

  @Test(arguments: 0..<30) func `composites of random models come back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var changing = RandomModel(&random)
    for _ in 0..<4 {
      if let model = changing.model {
        let first = try ModelCache.decode(ModelCache.encode(model)).model
        #expect(first.entityVersionHashes == model.entityVersionHashes)
        for entity in model.entities {
          #expect(first.attributes(of: entity.name) == model.attributes(of: entity.name))
        }
        // Archives have no names of composites: what is read of one is written as the same.
        #expect(try ModelCache.decode(ModelCache.encode(first)).model == first)
      }
      changing.evolve(&random)
    }
  }

  private var attributes: [AttributeDescription] {
    var title = AttributeDescription(name: "title", attributeType: .string)
    title.validation.minimum = .integer(1)
    title.validation.maximum = .integer(50)
    title.validation.regularExpression = "\\d{2,}\"x"
    title.defaultValue = .string("untitled")
    title.isIndexed = true
    title.isIndexedBySpotlight = true
    title.versionHashModifier = "modified"
    var created = AttributeDescription(name: "created", attributeType: .date)
    created.validation.minimum = .date(-5.5)
    created.defaultValue = .date(1000)
    var price = AttributeDescription(name: "price", attributeType: .decimal)
    price.defaultValue = .decimal("-12.5")
    price.validation.maximum = .decimal("99.95")
    var pages = AttributeDescription(name: "pages", attributeType: .integer16)
    pages.defaultValue = .integer(-3)
    pages.validation.minimum = .integer(-4)
    pages.validation.maximum = .integer(11)
    var rating = AttributeDescription(name: "rating", attributeType: .double)
    rating.defaultValue = .real(3)
    rating.validation.maximum = .real(3.5)
    var done = AttributeDescription(name: "done", attributeType: .boolean)
    done.defaultValue = .boolean(true)
    var image = AttributeDescription(name: "image", attributeType: .binary)
    image.allowsExternalBinaryDataStorage = true
    image.preservesValueInHistoryOnDeletion = true
    image.renamingIdentifier = "picture"
    var code = AttributeDescription(name: "code", attributeType: .uuid)
    code.defaultValue = .uuid(Array(0..<16))
    var link = AttributeDescription(name: "link", attributeType: .uri)
    link.defaultValue = .uri("https://example.org/a")
    var tags = AttributeDescription(name: "tags", attributeType: .transformable)
    tags.attributeValueClassName = "NSArray"
    tags.valueTransformerName = "Secure"
    var folded = AttributeDescription(name: "folded", attributeType: .string)
    folded.derivationExpression = .function(name: "canonical", keyPath: ["title"])
    var transient = AttributeDescription(name: "transient", attributeType: .undefined)
    transient.isTransient = true
    var all = [title, created, price, pages, rating, done, image, code, link, tags, folded]
    all.append(transient)
    for index in all.indices { all[index].isOptional = index.isMultiple(of: 2) }
    return all
  }

  @Test func `everything that an archive can hold comes back`() throws {
    let model = try sample()
    let decoded = try ModelArchiveDecoder.decode(ModelArchiveEncoder.encode(model))
    for entity in model.entities { #expect(decoded.model[entity.name] == entity) }
    #expect(decoded.model == model)
    #expect(decoded.findings.isEmpty)
    #expect(try ModelArchiveEncoder.encode(model) == ModelArchiveEncoder.encode(model))
  }

  @Test func `a cache is compressed and comes back`() throws {
    let model = try sample()
    let blob = try ModelCache.encode(model)
    #expect(try ModelCache.decode(blob).model == model)
    #expect(try blob.count < ModelArchiveEncoder.encode(model).count)
  }

  @Test func `damage is refused or read, never a trap`() throws {
    let archive = try ModelArchiveEncoder.encode(sample())
    var generator = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 1...UInt64.max, using: &generator)
    print("damaged archives: seed \(seed)")
    var state = seed
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var refused = 0
    let trials = Trials.some(of: 1_500)
    for _ in trials {
      var bytes = archive
      for _ in 0...random(3) { bytes[random(bytes.count)] = UInt8(random(256)) }
      do { _ = try ModelArchiveDecoder.decode(bytes) } catch { refused += 1 }
    }
    print("\(refused) of \(trials.count) damaged archives are refused")
    #expect(refused > trials.count / 5)
  }

  @Test func `what is no model, and what has no archived form, is refused`() throws {
    func code(_ body: () throws(ModelCodingError) -> Void) -> ModelCodingError.Code? {
      do throws(ModelCodingError) {
        try body()
        return nil
      } catch { return error.code }
    }
    var writer = KeyedArchiveWriter()
    let root = writer.array([])
    let list = writer.archive(root: root)
    #expect(
      code { () throws(ModelCodingError) in _ = try ModelArchiveDecoder.decode(list) } == .notAModel
    )
    #expect(
      code { () throws(ModelCodingError) in _ = try ModelArchiveDecoder.decode([]) }
        == .damagedArchive
    )
    var entity = EntityDescription(name: "A")
    entity.attributes = [AttributeDescription(name: "c", attributeType: .composite)]
    let composite = try ManagedObjectModel(entities: [entity])
    #expect(
      code { () throws(ModelCodingError) in _ = try ModelArchiveEncoder.encode(composite) }
        == .unsupported
    )
    entity.attributes = []
    var index = FetchIndexDescription(name: "i", elements: [])
    index.partialIndexPredicate = "SUBQUERY(a, $x, $x.b == 1).@count > 0"
    entity.indexes = [index]
    let subquery = try ManagedObjectModel(entities: [entity])
    #expect(
      code { () throws(ModelCodingError) in _ = try ModelArchiveEncoder.encode(subquery) }
        == .unsupported
    )
  }

  @Test func `an archived predicate that contains itself is left out with a finding`() throws {
    var entity = EntityDescription(name: "A")
    entity.attributes = [AttributeDescription(name: "a", attributeType: .string)]
    var index = FetchIndexDescription(name: "i", elements: [.init(propertyName: "a")])
    index.partialIndexPredicate = "a == 1 AND a == 2"
    entity.indexes = [index]
    let archive = try ModelArchiveEncoder.encode(ManagedObjectModel(entities: [entity]))
    guard case .dictionary(var list) = try PropertyList(binary: archive),
      var objects = list["$objects"]?.array
    else { return }
    let compound = try #require(
      objects.firstIndex { $0.dictionary?["NSCompoundPredicateType"] != nil }
    )
    for place in objects.indices {
      if objects[place].dictionary?["NSPredicateOperator"] != nil {
        objects[place] = objects[compound]
      }
    }
    list["$objects"] = .array(objects)
    let decoded = try ModelArchiveDecoder.decode(PropertyList.dictionary(list).binary)
    #expect(decoded.findings.count == 1)
    #expect(decoded.model["A"]?.indexes.first?.partialIndexPredicate == nil)
  }

  @Test func `entities that share their properties without end are refused at once`() throws {
    var writer = KeyedArchiveWriter()
    let attribute = writer.object(
      hierarchy: ["NSAttributeDescription", "NSPropertyDescription", "NSObject"],
      ["NSAttributeType": .integer(100)]
    )
    let names = (0..<300).map { writer.string("n\($0)") }
    let shared = writer.dictionary(names.map { ($0, attribute) })
    let entities = names.map { name in
      writer.object(
        hierarchy: ["NSEntityDescription", "NSObject"],
        ["NSEntityName": name.value, "NSProperties": shared.value]
      )
    }
    let list = writer.dictionary(Array(zip(names, entities)).map { (key: $0.0, value: $0.1) })
    let root = writer.object(
      hierarchy: ["NSManagedObjectModel", "NSObject"],
      ["NSEntities": list.value]
    )
    let archive = writer.archive(root: root)
    #expect(throws: ModelCodingError.self) { try ModelArchiveDecoder.decode(archive) }
  }
}
