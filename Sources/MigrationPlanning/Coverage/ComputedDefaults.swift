import ObjectModel

extension VersionedModel {
  /// The versions with a stand-in for each default that the app computes; nil where there is none,
  /// where the versions of an attribute spell theirs differently, where one of those that add it has another
  /// default, or where no value can replace one.
  ///
  /// Conclusions from these versions hold for all defaults: a stand-in is equal to itself alone.
  var standingInForComputedDefaults: VersionedModel? {
    var spellings: [[String]: String] = [:]
    var counts: [[String]: (all: Int, computed: Int)] = [:]
    for version in versions {
      for entity in version.model.entities {
        for attribute in entity.attributes {
          counts[[entity.name, attribute.name], default: (0, 0)].all += 1
          guard let spelling = attribute.computedDefault else { continue }
          counts[[entity.name, attribute.name]]?.computed += 1
          let known = spellings.updateValue(spelling, forKey: [entity.name, attribute.name])
          guard known == nil || known == spelling, attribute.standIn(for: spelling) != nil else {
            return nil
          }
        }
      }
    }
    // A default counts for the rows of versions without the attribute.
    let isMixed = counts.values.contains {
      $0.computed > 0 && $0.computed < $0.all && $0.all < versions.count
    }
    guard !spellings.isEmpty, !isMixed else { return nil }
    var result = self
    for index in result.versions.indices {
      guard let model = result.versions[index].model.standingInForComputedDefaults else {
        return nil
      }
      result.versions[index].model = model
    }
    return result
  }
}

extension ManagedObjectModel {
  /// The model with stand-ins for the defaults that the app computes; no version hash changes.
  fileprivate var standingInForComputedDefaults: ManagedObjectModel? {
    let entities = entities.map { entity in
      var entity = entity
      entity.attributes = entity.attributes.map { attribute in
        guard let spelling = attribute.computedDefault else { return attribute }
        var attribute = attribute
        attribute.defaultValue = attribute.standIn(for: spelling)
        attribute.computedDefault = nil
        return attribute
      }
      return entity
    }
    var model = try? ManagedObjectModel(
      entities: entities,
      configurations: configurations,
      fetchRequestTemplates: fetchRequestTemplates,
      composites: composites,
      versionIdentifiers: versionIdentifiers
    )
    model?.framework = framework
    model?.cloudKitMark = cloudKitMark
    model?.markUnknown(unknownEntities)
    return model
  }
}

extension AttributeDescription {
  /// Returns a value that no source writes, in place of a default; nil of a type whose values are too
  /// few for that.
  fileprivate func standIn(for spelling: String) -> AttributeValue? {
    let bytes = SHA256.hash(Array(spelling.utf8))
    let number = bytes.prefix(2).reduce(Int64(0)) { $0 << 8 + Int64($1) } % 9_973 + 20_011
    switch attributeType {
    case .integer16, .integer32, .integer64: return .integer(number)
    case .decimal: return .decimal("\(number)")
    case .double, .float: return .real(Double(number))
    case .string: return .string(spelling)
    case .date: return .date(-Double(number))
    case .binary, .transformable: return .binary(bytes)
    case .uuid: return .uuid(Array(bytes.prefix(16)))
    case .uri: return .uri("stand-in:\(number)")
    case .boolean, .undefined, .objectID, .composite: return nil
    }
  }
}
