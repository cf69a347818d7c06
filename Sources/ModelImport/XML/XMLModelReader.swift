import ObjectModel
import XMLParsing

/// A reader of a model from the elements of a `contents` file.
struct XMLModelReader {
  let file: String
  var findings: [Finding] = []

  /// Returns the model in the bytes of a `contents` file.
  ///
  /// - Throws: ``ModelImportError`` with file and line.
  static func read(_ bytes: [UInt8], file: String) throws(ModelImportError) -> ImportedModel {
    try read(bytes, file: file, besides: []).model
  }

  /// Reads a model like ``read(_:file:)``, without reading known entities again.
  ///
  /// - Throws: ``ModelImportError``, as of the whole file.
  static func read(
    _ bytes: [UInt8],
    file: String,
    sharing entities: ReadEntities?
  ) throws(ModelImportError) -> ImportedModel {
    guard let entities, let rest = entities.rest(of: bytes),
      let read = try? read(rest.bytes, file: file, besides: rest.known),
      read.entities.count == rest.unread.count
    else { return try read(bytes, file: file) }
    // Findings about an entity have a place in each file, so that such entities are not kept.
    entities.keep(
      zip(rest.unread, read.entities).filter { $1.isPlain }.map { ($0, $1.entity) }
    )
    return read.model
  }

  /// Returns the model of a file and of further entities; and the file's entities in its order, with
  /// whether they have no findings.
  private static func read(
    _ bytes: [UInt8],
    file: String,
    besides known: [EntityDescription]
  ) throws(ModelImportError) -> (
    model: ImportedModel, entities: [(entity: EntityDescription, isPlain: Bool)]
  ) {
    let root = try XMLTree.parse(bytes, file: file)
    var reader = XMLModelReader(file: file)
    guard root.name == "model",
      root["type"].map({ $0 == "com.apple.IDECoreDataModeler.DataModel" }) ?? true
    else {
      throw ModelImportError(
        .notAModel,
        file: file,
        line: root.line,
        element: root.name,
        message: "The XML is no Core Data model: its root is \(root.name).",
        recovery: "Name the contents file of an .xcdatamodel."
      )
    }
    reader.findings = XMLVocabulary.findings(in: root, file: file)
    let odd = Set(reader.findings.map(\.place.entity))
    var entities: [(entity: EntityDescription, isPlain: Bool)] = []
    for element in root.children(named: "entity") {
      let count = reader.findings.count
      let entity = try reader.entity(element)
      entities.append((entity, reader.findings.count == count && !odd.contains(entity.name)))
    }
    let model = try reader.model(root, entities.map(\.entity) + known)
    return (ImportedModel(model: model, findings: reader.findings), entities)
  }

  private mutating func model(
    _ root: XMLElement,
    _ entities: [EntityDescription]
  ) throws(ModelImportError) -> ManagedObjectModel {
    var composites: [CompositeDescription] = []
    for element in root.children(named: "composite") { composites.append(try composite(element)) }
    var templates: [FetchRequestTemplate] = []
    for element in root.children(named: "fetchRequest") {
      templates.append(try fetchRequest(element))
    }
    let configurations = try configurations(root, names: Set(entities.map(\.name)))
    do {
      var model = try ManagedObjectModel(
        entities: entities,
        configurations: configurations,
        fetchRequestTemplates: templates,
        composites: composites,
        versionIdentifiers: root["userDefinedModelVersionIdentifier"].map { [$0] } ?? []
      )
      model.cloudKitMark = cloudKitMark(root)
      return model
    } catch {
      // The last of two with one name is the one too many.
      let entity = root.children.last {
        $0.name == "entity" && $0["name"] == error.entityName
      }
      let property = entity?.children.last {
        error.propertyName != nil && $0["name"] == error.propertyName
      }
      throw ModelImportError(
        .inconsistentModel(error.code),
        file: file,
        line: (property ?? entity)?.line,
        element: property == nil ? "entity" : nil,
        message: error.message,
        recovery: error.recovery
      )
    }
  }

  private mutating func cloudKitMark(_ root: XMLElement) -> CloudKitMark {
    var mark = CloudKitMark()
    mark.isOnModel = flag("usedWithCloudKit", of: root, at: place(root)) ?? false
    for element in root.children(named: "configuration")
    where flag("usedWithCloudKit", of: element, at: place(element)) ?? false {
      mark.configurations.formUnion(element["name"].map { [$0] } ?? [])
    }
    return mark
  }

  private mutating func configurations(
    _ root: XMLElement,
    names: Set<String>
  ) throws(ModelImportError) -> [String: [String]] {
    var configurations: [String: [String]] = [:]
    for element in root.children(named: "configuration") {
      var members: [String] = []
      for member in element.children(named: "memberEntity") {
        let name = try required("name", of: member)
        if names.contains(name) {
          members.append(name)
        } else {
          unusable("name", of: member, at: place(member), "no entity has this name")
        }
      }
      configurations[try required("name", of: element)] = members
    }
    return configurations
  }

  private mutating func composite(
    _ element: XMLElement
  ) throws(ModelImportError) -> CompositeDescription {
    let name = try required("name", of: element)
    var attributes: [AttributeDescription] = []
    for child in element.children(named: "attribute") {
      attributes.append(try attribute(child, of: name))
    }
    return CompositeDescription(name: name, attributes: attributes)
  }

  mutating func fetchRequest(
    _ element: XMLElement,
    of owner: Finding.Place? = nil
  ) throws(ModelImportError) -> FetchRequestTemplate {
    var template = FetchRequestTemplate(
      name: element["name"] ?? "",
      entityName: try required("entity", of: element)
    )
    var place = owner ?? place(element)
    place.line = element.line
    template.predicate = element["predicateString"]
    if let text = element["resultType"] {
      if let type = Int(text).flatMap(FetchRequestTemplate.ResultType.init) {
        template.resultType = type
      } else {
        unusable("resultType", of: element, at: place, "it is no type of results")
      }
    }
    template.fetchLimit = count("fetchLimit", of: element, at: place)
    template.fetchBatchSize = count("fetchBatchSize", of: element, at: place)
    template.includesSubentities = flag("includeSubentities", of: element, at: place)
    template.includesPropertyValues = flag("includePropertyValues", of: element, at: place)
    template.includesPendingChanges = flag("includesPendingChanges", of: element, at: place)
    template.returnsObjectsAsFaults = flag("returnObjectsAsFaults", of: element, at: place)
    template.returnsDistinctResults = flag("returnDistinctResults", of: element, at: place)
    return template
  }

  private mutating func count(
    _ name: String,
    of element: XMLElement,
    at place: Finding.Place
  ) -> Int {
    guard let text = element[name] else { return 0 }
    guard let value = Int(text), value >= 0 else {
      unusable(name, of: element, at: place, "it is no count")
      return 0
    }
    return value
  }
}
