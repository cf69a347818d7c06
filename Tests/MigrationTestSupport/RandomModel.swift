public import ObjectModel

/// A model that changes at random, as an app's does from version to version.
public struct RandomModel {
  var entities: [EntityDescription]
  private var composites: [CompositeDescription] = []
  private var counter = 0

  /// A model of two to five entities with a dozen properties.
  public init(_ random: inout SeededGenerator) {
    entities = (0..<Int.random(in: 2...5, using: &random)).map { EntityDescription(name: "E\($0)") }
    for _ in 0..<12 { addProperty(&random) }
    for _ in 0..<2 { changeParent(&random) }
  }

  /// The model, if what chance made of it is one.
  public var model: ManagedObjectModel? {
    try? ManagedObjectModel(entities: entities, composites: composites)
  }

  /// Makes some changes, each of which leaves a consistent model.
  public mutating func evolve(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let before = self
      switch Int.random(in: 0..<9, using: &random) {
      case 0: addProperty(&random)
      case 1, 2: rename(&random, withIdentifier: true)
      case 3: rename(&random, withIdentifier: false)
      case 4: dropProperty(&random)
      case 5: changeAttribute(&random)
      case 6: changeParent(&random)
      case 7: addOrRenameEntity(&random)
      default: changeRelationship(&random)
      }
      if model == nil { self = before }
    }
  }

  private func place(_ random: inout SeededGenerator) -> Int {
    Int.random(in: entities.indices, using: &random)
  }

  private mutating func freshName(_ random: inout SeededGenerator) -> String {
    counter += 1
    // Names recur now and then, as they do in apps.
    return "p\(Int.random(in: 0...3, using: &random) == 0 ? counter % 5 : counter + 10)"
  }

  private mutating func addProperty(_ random: inout SeededGenerator) {
    let index = place(&random)
    let name = freshName(&random)
    if Int.random(in: 0..<6, using: &random) == 0 {
      entities[index].attributes.append(compositeAttribute(name, &random))
    } else if Bool.random(using: &random) {
      entities[index].attributes.append(attribute(name, &random))
    } else {
      let target = place(&random)
      let back = freshName(&random)
      var there = RelationshipDescription(name: name, destinationEntityName: entities[target].name)
      there.inverseName = back
      there.isOptional = true
      there.maxCount = Bool.random(using: &random) ? 0 : 1
      var here = RelationshipDescription(name: back, destinationEntityName: entities[index].name)
      here.inverseName = name
      here.isOptional = true
      entities[index].relationships.append(there)
      entities[target].relationships.append(here)
    }
  }

  private func attribute(_ name: String, _ random: inout SeededGenerator) -> AttributeDescription {
    let types: [AttributeType] = [.integer16, .double, .string, .binary]
    let type = types.randomElement(using: &random) ?? .string
    var attribute = AttributeDescription(name: name, attributeType: type)
    attribute.isOptional = true
    return attribute
  }

  /// An attribute that holds a composite of its own, whose elements have names of other properties.
  private mutating func compositeAttribute(
    _ name: String,
    _ random: inout SeededGenerator
  ) -> AttributeDescription {
    var composite = CompositeDescription(name: "C\(counter)", attributes: [])
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let name = freshName(&random)
      guard !composite.attributes.contains(where: { $0.name == name }) else { continue }
      composite.attributes.append(attribute(name, &random))
    }
    composites.append(composite)
    var attribute = AttributeDescription(name: name, attributeType: .composite)
    attribute.isOptional = Bool.random(using: &random)
    attribute.compositeName = composite.name
    return attribute
  }

  /// Adds, drops, renames or retypes an element, or lets its composite be nothing or not.
  private mutating func changeComposite(
    of place: Int,
    in index: Int,
    _ random: inout SeededGenerator
  ) {
    guard let name = entities[index].attributes[place].compositeName,
      let found = composites.firstIndex(where: { $0.name == name })
    else { return }
    let element = composites[found].attributes.indices.randomElement(using: &random) ?? 0
    switch Int.random(in: 0..<6, using: &random) {
    case 0: composites[found].attributes.append(attribute(freshName(&random), &random))
    case 1 where composites[found].attributes.count > 1:
      composites[found].attributes.remove(at: element)
    case 2:
      var renamed = composites[found].attributes[element]
      renamed.renamingIdentifier = renamed.canonicalName
      renamed.name = freshName(&random)
      composites[found].attributes[element] = renamed
    case 3: composites[found].attributes[element].attributeType = .integer64
    case 4: composites[found].attributes.reverse()
    default: entities[index].attributes[place].isOptional.toggle()
    }
  }

  private mutating func rename(_ random: inout SeededGenerator, withIdentifier: Bool) {
    let index = place(&random)
    guard let place = entities[index].attributes.indices.randomElement(using: &random) else {
      return
    }
    var attribute = entities[index].attributes[place]
    if withIdentifier { attribute.renamingIdentifier = attribute.canonicalName }
    attribute.name = freshName(&random)
    entities[index].attributes[place] = attribute
  }

  private mutating func dropProperty(_ random: inout SeededGenerator) {
    let index = place(&random)
    if let place = entities[index].attributes.indices.randomElement(using: &random) {
      entities[index].attributes.remove(at: place)
    }
  }

  private mutating func changeAttribute(_ random: inout SeededGenerator) {
    let index = place(&random)
    guard let place = entities[index].attributes.indices.randomElement(using: &random) else {
      return
    }
    if entities[index].attributes[place].attributeType == .composite, Bool.random(using: &random) {
      changeComposite(of: place, in: index, &random)
      return
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: entities[index].attributes[place].isTransient.toggle()
    case 1:
      entities[index].attributes[place].attributeType = .integer64
      entities[index].attributes[place].compositeName = nil
    case 2 where entities[index].attributes[place].attributeType != .composite:
      entities[index].attributes[place].derivationExpression = .now
    default: entities[index].attributes[place].allowsExternalBinaryDataStorage.toggle()
    }
  }

  private mutating func changeParent(_ random: inout SeededGenerator) {
    let index = place(&random)
    let parent = Bool.random(using: &random) ? entities[place(&random)].name : nil
    entities[index].superentityName = parent
    if let parent, let above = entities.firstIndex(where: { $0.name == parent }) {
      entities[above].isAbstract = Bool.random(using: &random)
    }
    if model == nil { entities[index].superentityName = nil }
  }

  private mutating func addOrRenameEntity(_ random: inout SeededGenerator) {
    counter += 1
    if Bool.random(using: &random) {
      entities.append(EntityDescription(name: "N\(counter)"))
    } else {
      let index = place(&random)
      let old = entities[index].name
      if Bool.random(using: &random) {
        entities[index].renamingIdentifier = entities[index].canonicalName
      }
      entities[index].name = "R\(counter)"
      for other in entities.indices {
        if entities[other].superentityName == old {
          entities[other].superentityName = entities[index].name
        }
        for place in entities[other].relationships.indices
        where entities[other].relationships[place].destinationEntityName == old {
          entities[other].relationships[place].destinationEntityName = entities[index].name
        }
      }
    }
  }

  private mutating func changeRelationship(_ random: inout SeededGenerator) {
    let index = place(&random)
    guard let place = entities[index].relationships.indices.randomElement(using: &random) else {
      return
    }
    let relationship = entities[index].relationships[place]
    entities[index].relationships[place].maxCount = relationship.isToMany ? 1 : 0
    entities[index].relationships[place].isOrdered = false
  }
}
