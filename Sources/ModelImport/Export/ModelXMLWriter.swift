package import ObjectModel
import XMLParsing

/// A writer of models in the form of Xcode's `contents` file in an `.xcdatamodel`.
///
/// Elements and attributes are in the order that Xcode gives them in the models of public apps;
/// values that depend on the time of saving (the versions of Xcode and macOS) are constant, so that
/// equal models have equal texts.
package struct ModelXMLWriter {
  /// A model's text, with findings about the parts that it cannot express.
  package struct Output: Hashable, Sendable {
    /// The contents of the file.
    package var contents: String
    /// The parts of the model that have no place in the file, in the order of the entities.
    package var findings: [Finding]
  }

  private var findings: [Finding] = []

  /// Returns the `contents` file of a model.
  ///
  /// Reading it gives back an equal model, except for what the findings name.
  /// - Throws: ``ModelImportError`` where leaving something out would change version hashes.
  package static func write(_ model: ManagedObjectModel) throws(ModelImportError) -> Output {
    var writer = ModelXMLWriter()
    let root = try writer.root(model)
    guard let contents = XMLPrinter.file(root) else {
      throw unsayable(
        "The model has a text with a control character, which no XML file can hold."
      )
    }
    return Output(contents: contents, findings: writer.findings)
  }

  private mutating func root(_ model: ManagedObjectModel) throws(ModelImportError) -> XMLElement {
    var children: [XMLElement] = []
    for entity in model.entities { children.append(try element(entity)) }
    children += model.fetchRequestTemplates.map(element)
    for (name, members) in model.configurations.sorted(by: { ByteOrder.precedes($0.key, $1.key) }) {
      let items = members.map { XMLElement("memberEntity", [("name", $0)]) }
      let isMirrored = model.cloudKitMark.configurations.contains(name)
      children.append(
        XMLElement(
          "configuration",
          [("name", name), ("usedWithCloudKit", isMirrored ? "YES" : nil)],
          children: items
        )
      )
    }
    for composite in model.composites {
      var items: [XMLElement] = []
      for attribute in composite.attributes {
        items.append(try element(attribute, of: composite.name))
      }
      children.append(XMLElement("composite", [("name", composite.name)], children: items))
    }
    if model.versionIdentifiers.count > 1 {
      leaveOut("All version identifiers but the first are left out.", at: Finding.Place())
    }
    return XMLElement(
      "model",
      [
        ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
        ("lastSavedToolsVersion", "22758"), ("systemVersion", "23H124"),
        ("minimumToolsVersion", "Automatic"), ("sourceLanguage", "Swift"),
        ("usedWithCloudKit", model.cloudKitMark.isOnModel ? "YES" : nil),
        ("userDefinedModelVersionIdentifier", model.versionIdentifiers.first),
      ],
      children: children
    )
  }

  private mutating func element(_ entity: EntityDescription) throws(ModelImportError) -> XMLElement
  {
    var children: [XMLElement] = []
    for attribute in entity.attributes {
      children.append(try element(attribute, of: entity.name, echoing: entity.indexes))
    }
    for relationship in entity.relationships {
      children.append(element(relationship, echoing: entity.indexes))
    }
    for property in entity.fetchedProperties {
      children.append(try element(property, of: entity.name))
    }
    let compound = entity.compoundIndexes.filter { !entity.indexes.echo($0) }
    children += lists(compound, "compoundIndexes", "compoundIndex", "index")
    for index in entity.indexes { children.append(try element(index, of: entity.name)) }
    children += lists(
      entity.uniquenessConstraints,
      "uniquenessConstraints",
      "uniquenessConstraint",
      "constraint"
    )
    children += userInfo(entity.userInfo)
    return XMLElement(
      "entity",
      [
        ("name", entity.name), ("representedClassName", entity.managedObjectClassName),
        ("isAbstract", flag(entity.isAbstract)), ("parentEntity", entity.superentityName),
        ("elementID", entity.renamingIdentifier),
        ("versionHashModifier", entity.versionHashModifier),
        ("syncable", entity.isSyncable.map(word)),
        ("codeGenerationType", entity.codeGenerationType),
      ],
      children: children
    )
  }

  private func lists(
    _ lists: [[String]],
    _ group: String,
    _ list: String,
    _ item: String
  ) -> [XMLElement] {
    guard !lists.isEmpty else { return [] }
    let elements = lists.map { names in
      XMLElement(list, [], children: names.map { XMLElement(item, [("value", $0)]) })
    }
    return [XMLElement(group, [], children: elements)]
  }

  private func element(_ request: FetchRequestTemplate) -> XMLElement {
    XMLElement(
      "fetchRequest",
      [
        ("name", request.name), ("entity", request.entityName),
        ("predicateString", request.predicate),
        ("fetchLimit", request.fetchLimit == 0 ? nil : "\(request.fetchLimit)"),
        ("fetchBatchSize", request.fetchBatchSize == 0 ? nil : "\(request.fetchBatchSize)"),
        ("includeSubentities", request.includesSubentities.map(word)),
        ("includePropertyValues", request.includesPropertyValues.map(word)),
        ("includesPendingChanges", request.includesPendingChanges.map(word)),
        ("returnObjectsAsFaults", request.returnsObjectsAsFaults.map(word)),
        ("returnDistinctResults", request.returnsDistinctResults.map(word)),
        (
          "resultType",
          request.resultType == .managedObjects ? nil : "\(request.resultType.rawValue)"
        ),
      ]
    )
  }

  private func element(
    _ property: FetchedPropertyDescription,
    of entityName: String
  ) throws(ModelImportError) -> XMLElement {
    guard !property.fetchRequest.entityName.isEmpty else {
      throw Self.unsayable(
        "The fetched property \(entityName).\(property.name) does not say which entity it fetches."
      )
    }
    return XMLElement(
      "fetchedProperty",
      [
        ("name", property.name), ("optional", flag(property.isOptional)),
        ("elementID", property.renamingIdentifier),
      ],
      children: [element(property.fetchRequest)] + userInfo(property.userInfo)
    )
  }

  private func element(
    _ index: FetchIndexDescription,
    of entityName: String
  ) throws(ModelImportError) -> XMLElement {
    guard !index.name.isEmpty else {
      throw Self.unsayable("An index of \(entityName) has no name.")
    }
    let columns = index.elements.map { column in
      XMLElement(
        "fetchIndexElement",
        [
          (column.isExpression ? "expression" : "property", column.propertyName),
          ("type", column.collation == .binary ? "Binary" : "RTree"),
          ("order", column.isAscending ? "ascending" : "descending"),
        ]
      )
    }
    return XMLElement(
      "fetchIndex",
      [("name", index.name), ("partialIndexPredicate", index.partialIndexPredicate)],
      children: columns
    )
  }

  /// Returns the attribute of a flag: `YES`, or nothing.
  func flag(_ value: Bool) -> String? { value ? "YES" : nil }

  /// Returns the text of a flag, which is written whether true or false.
  func word(_ value: Bool) -> String { value ? "YES" : "NO" }

  func userInfo(_ entries: [String: String]) -> [XMLElement] {
    guard !entries.isEmpty else { return [] }
    let items = entries.sorted { ByteOrder.precedes($0.key, $1.key) }.map {
      XMLElement("entry", [("key", $0.key), ("value", $0.value)])
    }
    return [XMLElement("userInfo", [], children: items)]
  }

  mutating func leaveOut(_ message: String, at place: Finding.Place) {
    findings.append(
      Finding(
        .unusableValue,
        .warning,
        at: place,
        message: message,
        remedy: "Xcode's model format has no place for it; no version hash depends on it."
      )
    )
  }

  static func unsayable(_ message: String) -> ModelImportError {
    ModelImportError(
      .unsayable,
      file: "",
      message: message,
      recovery: "Such a model can be read and migrated, but not exported."
    )
  }
}
