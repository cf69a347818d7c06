import ObjectModel
import Testing

@Suite struct ManagedObjectModelTests {
  private func entity(_ name: String, parent: String? = nil) -> EntityDescription {
    var entity = EntityDescription(name: name)
    entity.superentityName = parent
    return entity
  }

  private func code(_ entities: [EntityDescription]) -> ModelError.Code? {
    do {
      _ = try ManagedObjectModel(entities: entities)
      return nil
    } catch { return error.code }
  }

  @Test func `parts and unions keep what is unknown, and the framework`() throws {
    var model = try ManagedObjectModel(entities: [entity("A"), entity("B")])
    model.framework = .swiftData
    model.markUnknown(["A"])
    let part = try model.restricted(to: ["A"])
    let union = try ManagedObjectModel.merging([
      model, ManagedObjectModel(entities: [entity("C")]),
    ])
    for other in [part, union] {
      #expect(other.unknownEntities == ["A"] && other.framework == .swiftData)
      #expect(other.entityVersionHashes["A"] == model.entityVersionHashes["A"])
    }
  }

  @Test func `a hierarchy answers who descends from whom`() throws {
    var base = entity("Base")
    base.attributes = [AttributeDescription(name: "b", attributeType: .string)]
    var leaf = entity("Leaf", parent: "Middle")
    leaf.attributes = [AttributeDescription(name: "a", attributeType: .string)]
    let model = try ManagedObjectModel(
      entities: [leaf, entity("Middle", parent: "Base"), base, entity("Other")]
    )
    #expect(model.entities.map(\.name) == ["Base", "Leaf", "Middle", "Other"])
    #expect(model.ancestorNames(of: "Leaf") == ["Middle", "Base"])
    #expect(model.rootEntityName(of: "Leaf") == "Base")
    #expect(model.hierarchyNames(below: "Base") == ["Base", "Middle", "Leaf"])
    #expect(model.isKind("Leaf", of: "Base"))
    #expect(!model.isKind("Base", of: "Leaf"))
    #expect(model.attributes(of: "Leaf").map(\.name) == ["a", "b"])
    #expect(model.property("b", of: "Leaf")?.entityName == "Base")
    #expect(model.property("c", of: "Leaf") == nil)
    #expect(model["Gone"] == nil)
  }

  @Test func `what is no hierarchy is an error`() {
    #expect(code([entity("A"), entity("A")]) == .duplicateName)
    #expect(code([entity("A", parent: "B")]) == .missingParent)
    #expect(code([entity("A", parent: "A")]) == .parentCycle)
    #expect(code([entity("A", parent: "B"), entity("B", parent: "A")]) == .parentCycle)
    let cycle = [entity("A", parent: "B"), entity("B", parent: "C"), entity("C", parent: "B")]
    #expect(code(cycle) == .parentCycle)
    let deep = (0..<100).map { entity("E\($0)", parent: $0 == 0 ? nil : "E\($0 - 1)") }
    #expect(code(deep) == .tooDeep)
    #expect(code([entity("")]) == .badName)
    #expect(code([entity("a\0")]) == .badName)
  }

  @Test func `heirs that multiply properties are refused before they cost memory`() {
    var parent = entity("P")
    parent.attributes = (0..<400).map {
      AttributeDescription(name: "a\($0)", attributeType: .string)
    }
    let heirs = (0..<400).map { entity("E\($0)", parent: "P") }
    #expect(code([parent] + heirs) == .tooLarge)
    #expect(code([parent] + heirs.prefix(100)) == nil)
  }

  @Test func `what does not fit together is an error`() {
    var first = entity("A")
    first.relationships = [RelationshipDescription(name: "r", destinationEntityName: "B")]
    #expect(code([first]) == .missingDestination)
    #expect(code([first, entity("B")]) == nil)
    first.relationships[0].minCount = .min
    #expect(code([first, entity("B")]) == .badCount)
    first.relationships[0].minCount = -1
    #expect(code([first, entity("B")]) == nil)
    var second = entity("B")
    second.relationships = [RelationshipDescription(name: "s", destinationEntityName: "A")]
    second.attributes = [AttributeDescription(name: "s", attributeType: .string)]
    #expect(code([first, second]) == .duplicateName)
    var third = entity("C")
    third.uniquenessConstraints = [["gone"]]
    #expect(code([third]) == .missingProperty)
    var fourth = entity("D")
    fourth.attributes = [AttributeDescription(name: "c", attributeType: .composite)]
    fourth.attributes[0].compositeName = "Gone"
    #expect(code([fourth]) == .missingComposite)
  }

  @Test func `an inverse that does not lead back is read, and is no inverse`() throws {
    var first = entity("A")
    first.relationships = [RelationshipDescription(name: "r", destinationEntityName: "B")]
    first.relationships[0].inverseName = "s"
    var second = entity("B")
    let alone = try ManagedObjectModel(entities: [first, second])
    #expect(alone.namedInverse(of: first.relationships[0]) == nil)
    second.relationships = [RelationshipDescription(name: "s", destinationEntityName: "A")]
    let model = try ManagedObjectModel(entities: [first, second])
    #expect(model.inverse(of: first.relationships[0]) == nil)
    #expect(model.namedInverse(of: first.relationships[0])?.property.name == "s")
    second.relationships[0].inverseName = "r"
    let mutual = try ManagedObjectModel(entities: [first, second])
    #expect(mutual.inverse(of: first.relationships[0])?.property.name == "s")
  }

  @Test func `a constraint may name an inherited property`() {
    var parent = entity("A")
    parent.attributes = [AttributeDescription(name: "a", attributeType: .string)]
    var child = entity("B", parent: "A")
    child.uniquenessConstraints = [["a"]]
    #expect(code([parent, child]) == nil)
  }

  @Test func `findings and risks have an order`() {
    #expect(Finding.Severity.note < .warning)
    #expect(Finding.Severity.warning < .error)
    #expect(Risk.allCases == Risk.allCases.sorted())
  }
}
