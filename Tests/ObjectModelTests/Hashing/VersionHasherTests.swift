import ObjectModel
import Testing

@Suite struct VersionHasherTests {
  private func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
    AttributeDescription(name: name, attributeType: type)
  }

  private func hash(_ entity: EntityDescription) throws -> VersionHash? {
    try ManagedObjectModel(entities: [entity]).entityVersionHashes[entity.name]
  }

  private func event() -> EntityDescription {
    var entity = EntityDescription(name: "Event")
    var timeStamp = attribute("timeStamp", .date)
    timeStamp.isOptional = true
    entity.attributes = [timeStamp]
    return entity
  }

  /// The entity of Xcode's template, whose hash stands in many public logs.
  @Test func `Event has its known hash`() throws {
    #expect(
      try hash(event())?.description
        == "5431c046d30e7f32c2cc809958add1e7579ad104a3aa8fc4846e97d7af01cc79"
    )
  }

  @Test func `what has no effect has none`() throws {
    let plain = try hash(event())
    var entity = event()
    entity.managedObjectClassName = "Other"
    entity.renamingIdentifier = "Occasion"
    entity.userInfo = ["a": "b"]
    entity.compoundIndexes = [["timeStamp"]]
    entity.indexes = [.init(name: "i", elements: [.init(propertyName: "timeStamp")])]
    entity.attributes[0].defaultValue = .date(0)
    entity.attributes[0].validation.minimum = .date(0)
    entity.attributes[0].renamingIdentifier = "time"
    entity.attributes[0].isIndexed = true
    entity.attributes[0].allowsCloudEncryption = true
    var passing = attribute("passing", .string)
    passing.isTransient = true
    entity.attributes.append(passing)
    #expect(try hash(entity) == plain)
  }

  @Test(arguments: 0..<8)
  func `what has an effect has one`(change: Int) throws {
    var entity = event()
    switch change {
    case 0: entity.isAbstract = true
    case 1: entity.versionHashModifier = "1"
    case 2: entity.uniquenessConstraints = [["timeStamp"]]
    case 3: entity.attributes[0].isOptional = false
    case 4: entity.attributes[0].attributeType = .double
    case 5: entity.attributes[0].versionHashModifier = "1"
    case 6: entity.attributes[0].allowsExternalBinaryDataStorage = true
    default: entity.attributes[0].preservesValueInHistoryOnDeletion = true
    }
    #expect(try hash(entity) != hash(event()))
  }

  @Test func `a derived attribute hashes by its expression alone`() throws {
    var entity = event()
    entity.attributes[0].derivationExpression = .now
    let first = try hash(entity)
    entity.attributes[0].isOptional = false
    entity.attributes[0].attributeType = .double
    #expect(try hash(entity) == first)
    entity.attributes[0].derivationExpression = .keyPath(["a"])
    #expect(try hash(entity) != first)
  }

  @Test func `a self-inverse relationship leaves its inverse out`() throws {
    var spouse = RelationshipDescription(name: "spouse", destinationEntityName: "Person")
    var person = EntityDescription(name: "Person")
    person.relationships = [spouse]
    let alone = try hash(person)
    spouse.inverseName = "spouse"
    person.relationships = [spouse]
    #expect(try hash(person) == alone)
  }

  @Test func `the order in which a model is spelled does not matter`() throws {
    var other = EntityDescription(name: "Ä")
    other.attributes = [attribute("z", .string), attribute("A", .uuid)]
    let first = try ManagedObjectModel(entities: [event(), other])
    other.attributes.reverse()
    let second = try ManagedObjectModel(entities: [other, event()])
    #expect(first == second)
    #expect(first.versionHashesDigest == second.versionHashesDigest)
    #expect(first.versionChecksum == second.versionChecksum)
    #expect(first.unprovenHashReasons(of: "Event") == [])
    #expect(first.unprovenHashReasons(of: "Ä") != [])
  }

  @Test func `a composite hashes by its elements alone, whatever their order`() throws {
    func hash(_ elements: [AttributeDescription], _ name: String = "place") throws -> VersionHash? {
      var entity = EntityDescription(name: "Event")
      var place = attribute(name, .composite)
      place.compositeName = "Place"
      entity.attributes = [place]
      let composite = CompositeDescription(name: "Place", attributes: elements)
      let model = try ManagedObjectModel(entities: [entity], composites: [composite])
      let isNested = elements.contains { $0.attributeType == .composite }
      #expect(model.unprovenHashReasons(of: "Event").isEmpty == (!elements.isEmpty && !isNested))
      return model.entityVersionHashes["Event"]
    }
    let (x, y) = (attribute("x", .double), attribute("y", .float))
    let first = try hash([x, y])
    #expect(try hash([y, x]) == first)
    // Measured on SwiftData's stores: neither the composite's own name nor its type enters.
    #expect(try hash([x, y], "spot") == first)
    #expect(try hash([x]) != first)
    #expect(try hash([x, attribute("y", .double)]) != first)
    #expect(try hash([]) != first)
    #expect(try hash([attribute("z", .composite)]) != first)
  }
}
