import ObjectModel
import PropertyLists

extension LegacyModelReader {
  private static let entityKeys: Set<String> = [
    "XDPMCompoundIndexes", "XDPMUniquenessConstraints", "XD_PSK_classMapping", "XD_PSK_elementID",
    "XD_PSK_entityClassName", "XD_PSK_fetchRequestsArray", "XD_PSK_isAbstract", "XD_PSK_userInfo",
    "XD_PSK_versionHashModifier",
  ]

  /// Returns an entity with its own properties; its fetch requests are added to the model's.
  mutating func entity(
    _ object: ArchivedObject,
    templates: inout [FetchRequestTemplate]
  ) throws(ModelImportError) -> EntityDescription {
    let name = try self.name(of: object)
    let place = Finding.Place(file: file, entity: name)
    let stereotype = try LegacyStereotype("XD_PStereotype", of: object, file: file)
    leaveOutUnknown(in: stereotype, beyond: Self.entityKeys, at: place)
    var entity = EntityDescription(name: name)
    entity.managedObjectClassName = try stereotype.text("XD_PSK_entityClassName")
    entity.isAbstract = try stereotype.flag("XD_PSK_isAbstract")
    entity.renamingIdentifier = try stereotype.text("XD_PSK_elementID")
    entity.versionHashModifier = try stereotype.text("XD_PSK_versionHashModifier")
    entity.compoundIndexes = try stereotype.lists("XDPMCompoundIndexes")
    entity.uniquenessConstraints = try stereotype.lists("XDPMUniquenessConstraints")
    entity.superentityName = try parentName(of: object)
    let userInfo = userInfo(stereotype["XD_PSK_userInfo"], at: place)
    entity.userInfo = userInfo.texts
    entity.isSyncable = userInfo.isSyncable
    try addProperties(of: object, to: &entity)
    for request in stereotype["XD_PSK_fetchRequestsArray"]?.elements ?? [] {
      guard let request = request.object, request.className == "XDPMFetchRequest" else {
        leaveOut("A fetch request of an unknown form", at: place)
        continue
      }
      templates.append(try template(request, of: name))
    }
    return entity
  }

  private mutating func addProperties(
    of object: ArchivedObject,
    to entity: inout EntityDescription
  ) throws(ModelImportError) {
    guard let members = object["XDBucketForOwnedAttributesstorage"]?.members else {
      throw damaged(object, "XDBucketForOwnedAttributesstorage", "a list of properties")
    }
    var attributes: [AttributeDescription] = []
    var relationships: [RelationshipDescription] = []
    for member in members {
      try visit()
      guard let property = member.object else {
        throw damaged(object, "XDBucketForOwnedAttributesstorage", "a list of properties")
      }
      let name = try self.name(of: property)
      let place = Finding.Place(file: file, entity: entity.name, property: name)
      switch property.className {
      case "XDPMAttribute": attributes.append(try attribute(property, named: name, at: place))
      case "XDPMRelationship":
        relationships.append(try relationship(property, named: name, at: place))
      default: leaveOut("A property of class \(property.className)", at: place)
      }
    }
    entity.attributes = attributes
    entity.relationships = relationships
  }

  /// Returns the name that an object of the model goes by.
  func name(of object: ArchivedObject) throws(ModelImportError) -> String {
    guard let name = object["_name"]?.string, !name.isEmpty else {
      throw damaged(object, "_name", "a name")
    }
    return name
  }

  private func parentName(of object: ArchivedObject) throws(ModelImportError) -> String? {
    let key = "XDBucketForGeneralizationsstorage"
    guard let value = object[key] else { return nil }
    guard let links = value.members, links.count <= 1 else {
      throw damaged(object, key, "a list of at most one parent")
    }
    guard let link = links.first else { return nil }
    guard let parent = link.object?["_general"]?.object else {
      throw damaged(object, key, "a list of links to entities")
    }
    return try name(of: parent)
  }

  private func template(
    _ object: ArchivedObject,
    of entityName: String
  ) throws(ModelImportError) -> FetchRequestTemplate {
    let entity = object["_entity"]?.object
    var template = FetchRequestTemplate(
      name: try name(of: object),
      entityName: try entity.map { entity throws(ModelImportError) in try name(of: entity) }
        ?? entityName
    )
    template.predicate = object["_predicateString"]?.string
    return template
  }

  /// Returns the annotations that are text, without those of Sync Services, which ended with OS X 10.7.
  mutating func userInfo(
    _ value: ArchivedValue?,
    at place: Finding.Place
  ) -> (texts: [String: String], isSyncable: Bool?) {
    var texts: [String: String] = [:]
    var isSyncable: Bool?
    for (key, value) in value?.pairs ?? [] {
      let name = key.string ?? ""
      if name == "com.apple.syncservices.Syncable" {
        isSyncable = value.string.flatMap(XMLModelReader.boolean)
      } else if name.hasPrefix("com.apple.syncservices.") {
        continue
      } else if let text = value.string, key.string != nil {
        texts[name] = text
      } else {
        leaveOut("An entry of the user info that is no text", at: place)
      }
    }
    return (texts, isSyncable)
  }

  mutating func leaveOutUnknown(
    in stereotype: LegacyStereotype,
    beyond known: Set<String>,
    at place: Finding.Place
  ) {
    for key in stereotype.keys(beyond: known) { leaveOut("The unknown \(key)", at: place) }
  }
}
