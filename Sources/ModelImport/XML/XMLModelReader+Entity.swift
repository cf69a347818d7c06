import ObjectModel
import XMLParsing

extension XMLModelReader {
  /// Returns an entity with its own properties.
  mutating func entity(_ element: XMLElement) throws(ModelImportError) -> EntityDescription {
    let name = try required("name", of: element)
    var entity = EntityDescription(name: name)
    let place = place(element, entity: name)
    entity.managedObjectClassName = optional("representedClassName", of: element)
    entity.superentityName = optional("parentEntity", of: element)
    entity.isAbstract = try hashedFlag("isAbstract", of: element)
    entity.renamingIdentifier = optional("elementID", of: element)
    entity.versionHashModifier = optional("versionHashModifier", of: element)
    entity.codeGenerationType = optional("codeGenerationType", of: element)
    entity.isSyncable = flag("syncable", of: element, at: place)
    entity.userInfo = userInfo(of: element, at: place)
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    var fetched: [FetchedPropertyDescription] = []
    var indexes: [FetchIndexDescription] = []
    for child in element.children {
      switch child.name {
      case "attribute": attributes.append(try attribute(child, of: name))
      case "relationship": relationships.append(try relationship(child, of: name))
      case "fetchedProperty": fetched.append(try fetchedProperty(child, of: name))
      case "fetchIndex": indexes.append(try fetchIndex(child, of: name))
      default: break
      }
    }
    entity.attributes = attributes
    entity.relationships = relationships
    entity.fetchedProperties = fetched
    entity.indexes = indexes
    entity.uniquenessConstraints = try lists(
      element,
      "uniquenessConstraints",
      "uniquenessConstraint",
      "constraint"
    )
    entity.compoundIndexes = try lists(element, "compoundIndexes", "compoundIndex", "index")
    return entity
  }

  /// Returns the values three levels below an entity, list by list; empty lists are left out.
  private func lists(
    _ element: XMLElement,
    _ group: String,
    _ list: String,
    _ item: String
  ) throws(ModelImportError) -> [[String]] {
    var result: [[String]] = []
    for list in element.children(named: group).flatMap({ $0.children(named: list) }) {
      var names: [String] = []
      for child in list.children(named: item) { names.append(try required("value", of: child)) }
      if !names.isEmpty { result.append(names) }
    }
    return result
  }

  private mutating func fetchedProperty(
    _ element: XMLElement,
    of entityName: String
  ) throws(ModelImportError) -> FetchedPropertyDescription {
    let name = try required("name", of: element)
    let place = place(element, entity: entityName, property: name)
    guard let fetch = element.children(named: "fetchRequest").first else {
      throw badValue("fetchRequest", of: element, "is missing")
    }
    var property = FetchedPropertyDescription(
      name: name,
      fetchRequest: try fetchRequest(fetch, of: place)
    )
    property.isOptional = flag("optional", of: element, at: place) ?? false
    property.renamingIdentifier = optional("elementID", of: element)
    property.userInfo = userInfo(of: element, at: place)
    return property
  }

  private mutating func fetchIndex(
    _ element: XMLElement,
    of entityName: String
  ) throws(ModelImportError) -> FetchIndexDescription {
    var columns: [FetchIndexDescription.Element] = []
    for child in element.children(named: "fetchIndexElement") {
      var column = FetchIndexDescription.Element(
        propertyName: try indexed(child)
      )
      column.isExpression = optional("expression", of: child) != nil
      switch child["type"] {
      case "Binary", nil: column.collation = .binary
      case "RTree": column.collation = .rTree
      default:
        unusable("type", of: child, at: place(child, entity: entityName), "it is unknown")
      }
      switch child["order"] {
      case "ascending", nil: column.isAscending = true
      case "descending": column.isAscending = false
      default:
        unusable("order", of: child, at: place(child, entity: entityName), "it is unknown")
      }
      columns.append(column)
    }
    var index = FetchIndexDescription(name: try required("name", of: element), elements: columns)
    index.partialIndexPredicate = optional("partialIndexPredicate", of: element)
    return index
  }

  private func indexed(_ element: XMLElement) throws(ModelImportError) -> String {
    if let expression = optional("expression", of: element) { return expression }
    return try required("property", of: element)
  }

  private mutating func relationship(
    _ element: XMLElement,
    of entityName: String
  ) throws(ModelImportError) -> RelationshipDescription {
    let name = try required("name", of: element)
    let place = place(element, entity: entityName, property: name)
    var relationship = RelationshipDescription(
      name: name,
      destinationEntityName: try required("destinationEntity", of: element)
    )
    let isToMany = try hashedFlag("toMany", of: element)
    // Measured on version hashes of public apps: an absent bound is 0, a to-one's maximum 1.
    relationship.minCount = try bound("minCount", of: element) ?? 0
    relationship.maxCount = try bound("maxCount", of: element) ?? (isToMany ? 0 : 1)
    relationship.isOrdered = try hashedFlag("ordered", of: element)
    relationship.isOptional = try hashedFlag("optional", of: element)
    relationship.isTransient = try hashedFlag("transient", of: element)
    relationship.inverseName = optional("inverseName", of: element)
    relationship.inverseEntityName = optional("inverseEntity", of: element)
    relationship.renamingIdentifier = optional("elementID", of: element)
    relationship.versionHashModifier = optional("versionHashModifier", of: element)
    relationship.isIndexed = flag("indexed", of: element, at: place) ?? false
    relationship.isIndexedBySpotlight =
      flag("spotlightIndexingEnabled", of: element, at: place) ?? false
    relationship.isStoredInExternalRecord =
      flag("storedInTruthFile", of: element, at: place) ?? false
    relationship.userInfo = userInfo(of: element, at: place)
    switch element["deletionRule"] {
    case "Nullify", nil: relationship.deletionRule = .nullify
    case "Cascade": relationship.deletionRule = .cascade
    case "Deny": relationship.deletionRule = .deny
    case "No Action": relationship.deletionRule = .noAction
    default: unusable("deletionRule", of: element, at: place, "there is no such rule")
    }
    return relationship
  }

  private func bound(_ name: String, of element: XMLElement) throws(ModelImportError) -> Int32? {
    guard let text = element[name] else { return nil }
    guard let value = Int32(text), value >= -1 else {
      throw badValue(name, of: element, "is no count")
    }
    return value
  }
}
