import ObjectModel
import PropertyLists

extension EntityDecoder {
  mutating func relationship(
    _ object: ArchivedObject,
    named name: String,
    place: Finding.Place
  ) throws(PropertyListError) -> RelationshipDescription {
    var destinationName = try object.string("_NSDestinationEntityName")
    if destinationName == nil {
      destinationName = try object.object("NSDestinationEntity")?.string("NSEntityName")
    }
    guard let destination = destinationName else {
      throw object.unexpected("_NSDestinationEntityName", "the name of an entity")
    }
    var relationship = RelationshipDescription(name: name, destinationEntityName: destination)
    let inverse = try object.object("NSInverseRelationship")
    relationship.inverseName = try object.string("_NSInverseRelationshipName")
    if relationship.inverseName == nil {
      relationship.inverseName = try inverse?.string("NSPropertyName")
    }
    relationship.inverseEntityName = try inverse?.object("NSEntity")?.string("NSEntityName")
    relationship.minCount = try object.count("NSMinCount")
    relationship.maxCount = try object.count("NSMaxCount")
    guard
      let rule = RelationshipDescription.DeletionRule(rawValue: try object.count("NSDeleteRule"))
    else { throw object.unexpected("NSDeleteRule", "a delete rule") }
    relationship.deletionRule = rule
    relationship.isOrdered = try object.flag("NSIsOrdered")
    relationship.isOptional = try object.flag("NSIsOptional")
    relationship.isTransient = try object.flag("NSIsTransient")
    relationship.isIndexed = try object.flag("NSIsIndexed")
    relationship.isIndexedBySpotlight = try object.flag("NSIndexedBySpotlight")
    relationship.versionHashModifier = try object.string("NSVersionHashModifier")
    relationship.renamingIdentifier = try object.renamingIdentifier(unless: name)
    relationship.userInfo = try userInfo(of: object, place: place)
    return relationship
  }

  mutating func index(
    _ object: ArchivedObject,
    place: Finding.Place
  ) throws(PropertyListError) -> FetchIndexDescription {
    var elements: [FetchIndexDescription.Element] = []
    for archived in try object.elements("NSIndexElements") ?? [] {
      guard let part = archived.object, let name = try part.string("NSPropertyName") else {
        throw object.unexpected("NSIndexElements", "a list of elements with names")
      }
      var element = FetchIndexDescription.Element(propertyName: name)
      element.isAscending = try part.flag("NSAscending")
      if let indexed = try part.object("NSIndexedProperty") {
        if let text = expression(indexed) {
          element.propertyName = text
        } else {
          note("The index's expression \(name) has a form that is not known.", at: place)
        }
        element.isExpression = true
      }
      let kind = try part.integer("NSFetchIndexElementType") ?? 0
      guard
        let collation = Int(exactly: kind).flatMap({
          FetchIndexDescription.Element.Collation(rawValue: $0)
        })
      else { throw part.unexpected("NSFetchIndexElementType", "a type that is known") }
      element.collation = collation
      elements.append(element)
    }
    let name = try object.string("NSIndexName") ?? ""
    var index = FetchIndexDescription(name: name, elements: elements)
    index.partialIndexPredicate = try predicate("NSPartialIndexPredicate", of: object, place: place)
    return index
  }

  mutating func fetchedProperty(
    _ object: ArchivedObject,
    named name: String,
    place: Finding.Place
  ) throws(PropertyListError) -> FetchedPropertyDescription {
    // Xcode names the one request of a fetched property like this; the archive does not keep it.
    var request: FetchRequestTemplate?
    if let archived = try object.object("NSFetchRequest") {
      request = try fetchRequest(archived, named: "fetchedPropertyFetchRequest", place: place)
    }
    let entityName = try object.string("_NSFetchRequestEntityName") ?? ""
    var property = FetchedPropertyDescription(
      name: name,
      fetchRequest: request ?? FetchRequestTemplate(name: name, entityName: entityName)
    )
    property.isOptional = try object.flag("NSIsOptional")
    property.renamingIdentifier = try object.renamingIdentifier(unless: name)
    property.userInfo = try userInfo(of: object, place: place)
    return property
  }

  /// Returns the request, or nil with a finding where it has no entity.
  mutating func fetchRequest(
    _ object: ArchivedObject,
    named name: String,
    place: Finding.Place
  ) throws(PropertyListError) -> FetchRequestTemplate? {
    guard let entityName = try object.object("NSEntity")?.string("NSEntityName") else {
      note("The fetch request \(name) has no entity and is left out.", at: place)
      return nil
    }
    var request = FetchRequestTemplate(name: name, entityName: entityName)
    request.predicate = try predicate("NSPredicate", of: object, place: place)
    let kind = Int(clamping: try object.integer("NSResultType") ?? 0)
    request.resultType = FetchRequestTemplate.ResultType(rawValue: kind) ?? .managedObjects
    request.fetchLimit = Int(clamping: try object.integer("NSFetchLimit") ?? 0)
    request.fetchBatchSize = Int(clamping: try object.integer("NSBatchSize") ?? 0)
    let flags = FetchRequestFlags(
      rawValue: try object.integer("NSFetchRequestFlags")
        ?? FetchRequestFlags.standard(for: request.resultType).rawValue
    )
    flags.write(to: &request)
    let others = [
      "NSSortDescriptors", "NSValuesToFetch", "NSValuesToGroupBy", "NSHavingPredicate",
      "NSRelationshipKeyPathsForPrefetching",
    ]
    for key in others where object[key] != nil {
      note("\(key) of the fetch request \(name) is left out.", at: place)
    }
    return request
  }
}

extension ArchivedObject {
  fileprivate func count(_ key: String) throws(PropertyListError) -> Int32 {
    guard let number = try integer(key), let count = Int32(exactly: number) else {
      throw unexpected(key, "a number of 32 bits")
    }
    return count
  }
}
