import ObjectModel
import PropertyLists

/// An encoder that adds a model's entities, their properties and indexes to an archive.
///
/// Entities and properties refer to each other in circles, so all have their places before the
/// first is written. An entity lists inherited properties as copies of its own.
struct EntityEncoder {
  typealias Reference = KeyedArchiveWriter.Reference

  struct PropertyKey: Hashable {
    let entityName: String
    let propertyName: String
  }

  let model: ManagedObjectModel
  var writer = KeyedArchiveWriter()
  /// The place of the model itself.
  let root: Reference
  /// The places of the entities, by name.
  private(set) var references: [String: Reference] = [:]
  /// The places of the properties, inherited ones once for each entity that has them.
  private(set) var properties: [PropertyKey: Reference] = [:]
  /// The number of index expressions named so far.
  private var expressionCount = 0

  init(model: ManagedObjectModel) {
    self.model = model
    root = writer.reserve()
    for entity in model.entities {
      references[entity.name] = writer.reserve()
      for declared in model.declaredProperties(of: entity.name) {
        let key = PropertyKey(entityName: entity.name, propertyName: declared.property.name)
        properties[key] = writer.reserve()
      }
    }
  }

  func reference(to entityName: String) -> PropertyList {
    (references[entityName] ?? .null).value
  }

  /// Adds all entities as the dictionary with known keys that Core Data makes of them.
  mutating func addEntities() throws(ModelCodingError) -> Reference {
    for entity in model.entities { try add(entity) }
    let names = model.entities.map { writer.string($0.name) }
    let keys = writer.array(names)
    let mapping = writer.object(
      hierarchy: ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
      ["version": .integer(1), "length": .integer(Int64(names.count)), "keys": keys.value]
    )
    let values = writer.array(model.entities.compactMap { references[$0.name] })
    let token = writer.string("__empty_slot_token_4c24_98dc_ac1e_b773__")
    return writer.object(
      hierarchy: [
        "NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary",
        "NSObject",
      ],
      [
        "version": .integer(1), "searchMapping": mapping.value, "values": values.value,
        "emptyToken": token.value,
      ]
    )
  }

  private mutating func add(_ entity: EntityDescription) throws(ModelCodingError) {
    guard let reference = references[entity.name] else { return }
    let name = writer.string(entity.name)
    var userInfo = entity.userInfo
    if entity.isSyncable == false { userInfo["com.apple.syncservices.Syncable"] = "NO" }
    var fields: [String: PropertyList] = [
      "NSEntityName": name.value,
      "NSClassNameForEntity": writer.string(entity.managedObjectClassName).value,
      "NSManagedObjectModel": root.value,
      "NSSuperentity": entity.superentityName.map { self.reference(to: $0) }
        ?? Reference.null.value,
      "NSSubentities": addSubentities(of: entity.name).value,
      "NSProperties": try addProperties(of: entity.name).value,
      "NSUserInfo": add(userInfo).value,
      "NSVersionHashModifier": writer.string(entity.versionHashModifier).value,
      "NSRenamingIdentifier": writer.string(entity.canonicalName).value,
      "NSFetchIndexDescriptions": try addIndexes(of: entity).value,
      "NSCompoundIndexes": add(entity.compoundIndexes).value,
    ]
    if entity.isAbstract { fields["NSIsAbstract"] = .boolean(true) }
    if !entity.uniquenessConstraints.isEmpty {
      fields["NSUniqueTuples"] = add(entity.uniquenessConstraints).value
    }
    writer.fill(reference, hierarchy: ["NSEntityDescription", "NSObject"], fields)
  }

  private mutating func addSubentities(of entityName: String) -> Reference {
    let entries = model.subentityNames(of: entityName).compactMap { name in
      references[name].map { (key: writer.string(name), value: $0) }
    }
    return writer.dictionary(entries, isMutable: true)
  }

  private mutating func addProperties(
    of entityName: String
  ) throws(ModelCodingError) -> Reference {
    var entries: [(key: Reference, value: Reference)] = []
    for name in PropertyOrder.names(of: entityName, in: model) {
      let key = PropertyKey(entityName: entityName, propertyName: name)
      guard let reference = properties[key],
        let property = model.declaredProperty(name, of: entityName)?.property
      else { continue }
      entries.append((writer.string(name), reference))
      switch property {
      case .attribute(let attribute): try fill(reference, attribute, of: entityName)
      case .relationship(let relationship): fill(reference, relationship, of: entityName)
      case .fetchedProperty(let fetched): try fill(reference, fetched, of: entityName)
      }
    }
    return writer.dictionary(entries, isMutable: true)
  }

  mutating func add(_ userInfo: [String: String]) -> Reference {
    let sorted = userInfo.sorted { ByteOrder.precedes($0.key, $1.key) }
    return writer.dictionary(sorted.map { (writer.string($0.key), writer.string($0.value)) })
  }

  private mutating func add(_ tuples: [[String]]) -> Reference {
    let lists = tuples.map { names in
      writer.array(names.map { writer.string($0) }, isMutable: true)
    }
    return writer.array(lists, isMutable: true)
  }

  private mutating func addIndexes(
    of entity: EntityDescription
  ) throws(ModelCodingError) -> Reference {
    var list: [Reference] = []
    for index in entity.indexes where !index.elements.contains(where: { $0.collation == .rTree }) {
      let reference = writer.reserve()
      let elements = index.elements.map { add($0, of: reference) }
      let fields = [
        "NSIndexName": writer.string(index.name).value,
        "NSEntity": self.reference(to: entity.name),
        "NSIndexElements": writer.array(elements, isMutable: true).value,
        "NSPartialIndexPredicate": try add(
          predicate: index.partialIndexPredicate,
          of: "index \(index.name)"
        ).value,
      ]
      writer.fill(reference, hierarchy: ["NSFetchIndexDescription", "NSObject"], fields)
      list.append(reference)
    }
    return writer.array(list, isMutable: true)
  }

  private mutating func add(
    _ element: FetchIndexDescription.Element,
    of index: Reference
  ) -> Reference {
    var fields: [String: PropertyList] = [
      "NSAscending": .boolean(element.isAscending),
      "NSFetchIndexElementType": .integer(Int64(element.collation.rawValue)),
      "NSFetchIndexDescription": index.value,
    ]
    var name = writer.string(element.propertyName)
    if element.isExpression {
      expressionCount += 1
      name = writer.string("expression\(expressionCount)")
      fields["NSIndexedProperty"] = addExpression(element.propertyName, named: name).value
    }
    fields["NSPropertyName"] = name.value
    return writer.object(hierarchy: ["NSFetchIndexElementDescription", "NSObject"], fields)
  }

  private mutating func addExpression(_ text: String, named name: Reference) -> Reference {
    let isSelf = text.lowercased() == "self"
    let path = text.split(separator: ".").map(String.init)
    let expression = isSelf ? writer.addEvaluatedObject() : writer.addKeyPath(path)
    return writer.object(
      hierarchy: ["NSExpressionDescription", "NSPropertyDescription", "NSObject"],
      [
        "NSEntity": Reference.null.value, "NSExpression": expression.value,
        // The result's type: an object's identifier, or not known.
        "NSExpressionType": .integer(isSelf ? 2000 : 0),
        "NSIsOptional": .boolean(true), "NSIsReadOnly": .boolean(true),
        "NSPropertyName": name.value, "NSRenamingIdentifier": name.value,
        "_P": .integer(247),
      ]
    )
  }

  /// Adds the predicate that a format string spells; nil gives the reference to nothing.
  mutating func add(
    predicate text: String?,
    of place: String
  ) throws(ModelCodingError) -> Reference {
    guard let text else { return .null }
    guard let predicate = try? Predicate(format: text), predicate.hasArchivedForm else {
      throw .unsupported("The predicate of \(place) has no archived form that is known: \(text)")
    }
    return try writer.add(predicate)
  }
}
