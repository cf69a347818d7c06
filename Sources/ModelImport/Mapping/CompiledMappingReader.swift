import ModelCoding
import ObjectModel
import PropertyLists

/// A reader of a compiled mapping model: the keyed archive of an `NSMappingModel`.
///
/// Apple documents none of it. Measured on one file of a public app, whose source is known too.
struct CompiledMappingReader {
  let file: String
  private var count = 0
  private var findings: [Finding] = []

  /// Returns the mapping in the bytes of a `.cdm`.
  ///
  /// - Throws: ``ModelImportError``.
  static func read(_ bytes: [UInt8], path: FilePath) throws(ModelImportError) -> AuthoredMapping {
    let root: ArchivedObject
    do throws(PropertyListError) {
      root = try KeyedArchive(bytes).root
    } catch { throw ModelImportError(error, file: path.string) }
    guard root.className == "NSMappingModel" else {
      throw ModelImportError(
        .notAModel,
        file: path.string,
        message: "The archive holds an object of class \(root.className), not a mapping model.",
        recovery: "Name a .cdm."
      )
    }
    var reader = CompiledMappingReader(file: path.string)
    do throws(PropertyListError) {
      let mapping = try reader.mapping(root, path: path)
      try root.archive.checkEffort()
      return mapping
    } catch { throw ModelImportError(error, file: path.string) }
  }

  private init(file: String) { self.file = file }

  private mutating func mapping(
    _ root: ArchivedObject,
    path: FilePath
  ) throws(PropertyListError) -> AuthoredMapping {
    var mappings: [EntityMapping] = []
    var source: [String: VersionHash] = [:]
    var destination: [String: VersionHash] = [:]
    for value in try root.elements("NSEntityMappings") ?? [] {
      guard let object = value.object, object.className == "NSEntityMapping" else {
        throw root.unexpected("NSEntityMappings", "a list of entity mappings")
      }
      guard let mapping = try entityMapping(object) else {
        findings.append(.emptyEntityMapping(try object.string("NSMappingName"), file: file))
        continue
      }
      guard !mappings.contains(where: { $0.name == mapping.name }) else {
        throw object.unexpected("NSMappingName", "a name that no other entity mapping has")
      }
      for (name, hash, isSource) in [
        (mapping.sourceEntityName, mapping.sourceEntityVersionHash, true),
        (mapping.destinationEntityName, mapping.destinationEntityVersionHash, false),
      ] {
        guard let name, let hash else { continue }
        let known = isSource ? source[name] : destination[name]
        guard known == nil || known == hash else {
          throw object.unexpected("NSMappingName", "a mapping with the hashes of the others")
        }
        if isSource { source[name] = hash } else { destination[name] = hash }
      }
      mappings.append(mapping)
    }
    var result = AuthoredMapping(
      name: path.mappingName,
      path: path.string,
      form: .compiled,
      mapping: MappingModel(entityMappings: mappings),
      source: AuthoredMapping.End(hashes: source, isWhole: false),
      destination: AuthoredMapping.End(hashes: destination, isWhole: false)
    )
    result.explicitExpressionCount = count
    result.findings = findings
    return result
  }

  /// Returns an entity mapping; nil where it names no entity.
  private mutating func entityMapping(
    _ object: ArchivedObject
  ) throws(PropertyListError) -> EntityMapping? {
    let source = try object.string("NSSourceEntityName")
    let destination = try object.string("NSDestinationEntityName")
    guard source != nil || destination != nil else { return nil }
    var mapping = EntityMapping(mappingType: .undefined, source: source, destination: destination)
    if let name = try object.string("NSMappingName"), !name.isEmpty { mapping.name = name }
    mapping.sourceEntityVersionHash = try hash("NSSourceEntityVersionHash", of: object)
    mapping.destinationEntityVersionHash = try hash("NSDestinationEntityVersionHash", of: object)
    mapping.entityMigrationPolicyClassName = try object.string("NSEntityMigrationPolicyClassName")
      .flatMap { $0.isEmpty ? nil : $0 }
    mapping.sourcePredicate = try predicate(of: object)
    mapping.attributeMappings = try properties("NSAttributeMappings", of: object)
    mapping.relationshipMappings = try properties("NSRelationshipMappings", of: object)
    mapping.userInfo = try texts("NSUserInfo", of: object)
    return mapping.settled
  }

  private func hash(
    _ key: String,
    of object: ArchivedObject
  ) throws(PropertyListError) -> VersionHash? {
    guard let value = object[key] else { return nil }
    guard let hash = value.data.flatMap({ VersionHash($0) }) else {
      throw object.unexpected(key, "32 bytes")
    }
    return hash
  }

  private mutating func properties(
    _ key: String,
    of object: ArchivedObject
  ) throws(PropertyListError) -> [PropertyMapping] {
    var result: [PropertyMapping] = []
    for value in try object.elements(key) ?? [] {
      guard let part = value.object, part.className == "NSPropertyMapping",
        let name = try part.string("NSDestinationPropertyName"),
        !result.contains(where: { $0.name == name })
      else {
        throw object.unexpected(key, "a list of mappings of properties, each of its own name")
      }
      var mapping = PropertyMapping(
        name: name,
        valueExpression: try expression("NSValueExpression", of: part)
      )
      if mapping.valueExpression != nil { count += 1 }
      mapping.userInfo = try texts("NSUserInfo", of: part)
      result.append(mapping)
    }
    return result.sorted { ByteOrder.precedes($0.name, $1.name) }
  }

  private func expression(
    _ key: String,
    of object: ArchivedObject
  ) throws(PropertyListError) -> Expression? {
    guard let part = try object.object(key) else { return nil }
    do {
      return try ExpressionArchive.decode(part)
    } catch {
      throw object.unexpected(key, "an expression that can be read: \(error)")
    }
  }

  /// Returns the condition inside of the fetch that finds the source objects.
  private func predicate(of object: ArchivedObject) throws(PropertyListError) -> Predicate? {
    let key = "NSSourceExpression"
    guard let found = try expression(key, of: object) else { return nil }
    guard
      case .fetch(
        .function(
          .variable("manager"),
          "fetchRequestForSourceEntityNamed:predicateString:",
          let list
        ),
        _,
        false
      ) = found, list.count == 2, case .constant(.string(let text)) = list[1]
    else { throw object.unexpected(key, "a fetch by entity and predicate") }
    do throws(FormatError) {
      let predicate = try Predicate(format: text)
      return predicate == .all([]) ? nil : predicate
    } catch {
      throw object.unexpected(key, "a fetch with a predicate that can be read: \(error)")
    }
  }

  private func texts(
    _ key: String,
    of object: ArchivedObject
  ) throws(PropertyListError) -> [String: String] {
    var texts: [String: String] = [:]
    for entry in try object.entries(key) ?? [] { texts[entry.key] = entry.value.string }
    return texts
  }
}
