import ModelCoding
import ObjectModel
import XMLParsing

/// A reader of a mapping model's dump that Xcode's editor keeps as `xcmapping.xml`.
///
/// Apple documents none of it: the file is a Core Data store of type XML, with objects of five
/// entities in any order that refer to each other by identifiers. Measured on 78 mapping models of
/// public apps.
struct XMLMappingReader {
  let file: String
  var findings: [Finding] = []
  private var objects: [String: MappingObject] = [:]

  /// Returns the mapping in the bytes of an `xcmapping.xml`.
  ///
  /// - Throws: ``ModelImportError``.
  /// - Complexity: O(*n*) in the bytes.
  static func read(
    _ bytes: [UInt8],
    path: FilePath,
    file: String
  ) throws(ModelImportError) -> AuthoredMapping {
    let root = try XMLTree.parse(bytes, file: file)
    guard root.name == "database" else {
      throw ModelImportError(
        .notAModel,
        file: file,
        line: root.line,
        element: root.name,
        message: "The file holds a \(root.name.prefix(40)), not a mapping model's database.",
        recovery: "Name an .xcmappingmodel."
      )
    }
    var reader = XMLMappingReader(file: file)
    return try reader.mapping(root, path: path)
  }

  private init(file: String) { self.file = file }

  private mutating func mapping(
    _ root: XMLElement,
    path: FilePath
  ) throws(ModelImportError) -> AuthoredMapping {
    for element in root.children(named: "object") {
      let object = MappingObject(element, file: file)
      guard let id = element["id"], objects.updateValue(object, forKey: id) == nil else {
        throw object.damaged("The object has no identifier of its own.")
      }
    }
    let models = objects.values.filter { $0.type == "XDDEVMAPPINGMODEL" }
    guard models.count == 1, let model = models.first else {
      throw ModelImportError(
        .notAModel,
        file: file,
        message: "The file has \(models.count) mapping models, not one.",
        recovery: "Restore it from version control."
      )
    }
    let source = try snapshot("source", of: model)
    let destination = try snapshot("destination", of: model)
    let all = try entityMappings(of: model)
    noteOrphans(besides: all)
    // Xcode keeps an entity mapping whose two entities were never chosen; it makes no objects.
    let parts = all.filter { $0.text("sourcename") != nil || $0.text("destinationname") != nil }
    for part in all where !parts.contains(where: { $0.id == part.id }) {
      findings.append(.emptyEntityMapping(part.text("name"), file: file, line: part.line))
    }
    var entityMappings: [EntityMapping] = []
    for part in parts { entityMappings.append(try entityMapping(part, source, destination)) }
    try checkNames(entityMappings, parts)
    let implicit = ImplicitExpressions(
      source: source,
      destination: destination,
      entityMappings: entityMappings
    )
    var count = 0
    for index in parts.indices {
      count += try addProperties(of: parts[index], to: &entityMappings[index], implicit)
    }
    var mapping = AuthoredMapping(
      name: path.mappingName,
      path: path.string,
      form: .mappingModel,
      mapping: MappingModel(entityMappings: entityMappings.map(\.settled)),
      source: AuthoredMapping.End(source),
      destination: AuthoredMapping.End(destination)
    )
    mapping.explicitExpressionCount = count
    mapping.findings = findings
    return mapping
  }

  /// Returns the model of an end that the editor copied into the mapping when it was made or refreshed.
  ///
  /// Parts of it that cannot be used, such as a default, have no effect where it identifies the
  /// versions nevertheless; where it does not, the mapping's binding reports that.
  private mutating func snapshot(
    _ end: String,
    of object: MappingObject
  ) throws(ModelImportError) -> ManagedObjectModel {
    let name = "\(end)modeldata"
    guard let bytes = try object.bytes(name) else {
      throw object.damaged(
        "The mapping model has no \(name), so that nothing says which version it is for."
      )
    }
    let imported = try ModelImporter.importModel(elements: bytes, file: file)
    findings += imported.findings.map { finding in
      var finding = finding
      finding.severity = .note
      finding.statement = "In the mapping's copy of its \(end) model: \(finding.statement.clause)"
      finding.remedy =
        "Nothing needs to be done: that copy only says which version the mapping is for. Where it does not, "
        + "WS405 says so."
      return finding
    }
    return imported.model
  }

  /// Returns the objects of the model's entity mappings, in the order of their numbers.
  private func entityMappings(of model: MappingObject) throws(ModelImportError) -> [MappingObject] {
    var parts: [(number: Int64, object: MappingObject)] = []
    for object in try related(model, "entitymappings", of: "XDDEVENTITYMAPPING") {
      parts.append((try object.number("mappingnumber") ?? 0, object))
    }
    // Equal numbers, which the editor does not write, keep the order of the list.
    return parts.enumerated()
      .sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
      .map(\.element.object)
  }

  private mutating func noteOrphans(besides parts: [MappingObject]) {
    let owned = Set(parts.map(\.id))
    let orphans = objects.values.filter {
      $0.type == "XDDEVENTITYMAPPING" && !owned.contains($0.id)
    }
    for orphan in orphans.sorted(by: { $0.line < $1.line }) {
      findings.append(
        Finding(
          .unusableValue,
          .note,
          at: Finding.Place(file: file, line: orphan.line, entity: orphan.text("destinationname")),
          message: "The mapping of an entity belongs to no mapping model; Xcode keeps it, and its "
            + "compiler leaves it out.",
          remedy: "Nothing needs to be done; a deleted entity mapping may leave one behind."
        )
      )
    }
  }

  private mutating func entityMapping(
    _ object: MappingObject,
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) throws(ModelImportError) -> EntityMapping {
    let sourceName = object.text("sourcename")
    let destinationName = object.text("destinationname")
    var mapping = EntityMapping(
      mappingType: .undefined,
      source: sourceName,
      destination: destinationName
    )
    for (name, model, what) in [
      (sourceName, source, "source"), (destinationName, destination, "destination"),
    ] {
      guard let name, model[name] == nil else { continue }
      throw object.damaged(
        "An entity mapping names the \(what) entity \(name), which the model in the file does not "
          + "have."
      )
    }
    if let name = object.text("name") { mapping.name = name }
    mapping.sourceEntityVersionHash = sourceName.flatMap { source.entityVersionHashes[$0] }
    mapping.destinationEntityVersionHash =
      destinationName.flatMap { destination.entityVersionHashes[$0] }
    mapping.entityMigrationPolicyClassName = object.text("migrationpolicyclassname")
    if let text = object.text("sourcefilterpredicatestring") {
      let predicate: Predicate
      do throws(FormatError) {
        predicate = try Predicate(format: text)
      } catch {
        throw object.damaged("The filter predicate cannot be read: \(error)")
      }
      // A predicate that is always true filters nothing.
      mapping.sourcePredicate = predicate == .all([]) ? nil : predicate
    }
    mapping.userInfo = try object.userInfo()
    return mapping
  }

  private func checkNames(
    _ mappings: [EntityMapping],
    _ parts: [MappingObject]
  ) throws(ModelImportError) {
    var seen: Set<String> = []
    for (mapping, part) in zip(mappings, parts) where !seen.insert(mapping.name).inserted {
      throw part.damaged("Two entity mappings are called \(mapping.name).")
    }
  }
}

extension XMLMappingReader {
  /// Adds the mappings of properties, and returns the number of explicit value expressions.
  private mutating func addProperties(
    of object: MappingObject,
    to mapping: inout EntityMapping,
    _ implicit: ImplicitExpressions
  ) throws(ModelImportError) -> Int {
    var count = 0
    var attributes: [PropertyMapping] = []
    for part in try related(object, "attributemappings", of: "XDDEVATTRIBUTEMAPPING") {
      let name = try part.required("name")
      let explicit = try expression(part)
      if explicit != nil { count += 1 }
      var property = PropertyMapping(
        name: name,
        valueExpression: explicit ?? implicit.attribute(name, in: mapping)
      )
      property.userInfo = try part.userInfo()
      attributes.append(property)
    }
    var relationships: [PropertyMapping] = []
    for part in try related(object, "relationshipmappings", of: "XDDEVRELATIONSHIPMAPPING") {
      let name = try part.required("name")
      let explicit = try expression(part)
      if explicit != nil { count += 1 }
      var property = PropertyMapping(name: name, valueExpression: explicit)
      if explicit == nil {
        property.valueExpression = implicit.relationship(
          name,
          in: mapping,
          along: try keyPath(part),
          producer: part.text("sourcemappingname")
        )
      }
      property.userInfo = try part.userInfo()
      relationships.append(property)
    }
    for list in [attributes, relationships] {
      var seen: Set<String> = []
      for property in list where !seen.insert(property.name).inserted {
        throw object.damaged("Two mappings of \(mapping.name) are for \(property.name).")
      }
    }
    mapping.attributeMappings = attributes.sorted { ByteOrder.precedes($0.name, $1.name) }
    mapping.relationshipMappings = relationships.sorted { ByteOrder.precedes($0.name, $1.name) }
    return count
  }

  /// Returns the value expression that the mapping of a property spells out.
  private func expression(_ object: MappingObject) throws(ModelImportError) -> Expression? {
    guard let bytes = try object.bytes("valueexpressiondata") else { return nil }
    do {
      return try ExpressionArchive.decode(bytes)
    } catch {
      throw object.damaged("The value expression cannot be read: \(error)")
    }
  }

  /// Returns the key path that a relationship follows, such as `$source.country.continent`.
  private func keyPath(_ object: MappingObject) throws(ModelImportError) -> Expression? {
    guard let text = object.text("sourcekeypath") else { return nil }
    do throws(FormatError) {
      return try Expression(format: text)
    } catch {
      throw object.damaged("The key path cannot be read: \(error)")
    }
  }

  /// Returns the objects that a relationship leads to, in the order of the file's list.
  private func related(
    _ object: MappingObject,
    _ name: String,
    of type: String
  ) throws(ModelImportError) -> [MappingObject] {
    var result: [MappingObject] = []
    for id in object.references(name) {
      guard let part = objects[id], part.type == type else {
        throw object.damaged("\(name) leads to \(id.prefix(40)), which is no \(type).")
      }
      result.append(part)
    }
    return result
  }
}

extension Finding {
  /// Returns the finding about an entity mapping without entities, which is left out.
  static func emptyEntityMapping(_ name: String?, file: String, line: Int? = nil) -> Finding {
    Finding(
      .unusableValue,
      .note,
      at: Place(file: file, line: line),
      message: "The entity mapping \(name ?? "without a name") names neither a source nor a "
        + "destination; it makes no objects and is left out.",
      remedy: "Nothing needs to be done; it can be deleted in Xcode's mapping editor."
    )
  }
}

extension EntityMapping {
  /// The mapping with the type that follows from its effects.
  ///
  /// Xcode writes `Undefined` for all, and its compiler marks other mappings as plain copies.
  var settled: EntityMapping {
    var mapping = self
    mapping.mappingType =
      switch (sourceEntityName, destinationEntityName) {
      case _ where entityMigrationPolicyClassName != nil: .custom
      case (nil, _): .add
      case (_, nil): .remove
      case (_?, _?): .transform
      }
    return mapping
  }
}
