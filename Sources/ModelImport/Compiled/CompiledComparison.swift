import ObjectModel

/// A comparison of a version's source with its compiled form.
struct CompiledComparison {
  let source: ModelVersion
  let compiled: ModelVersion

  /// A finding for each entity, property or aspect that differs.
  var findings: [Finding] {
    guard let left = try? source.model.asCompiled, let right = try? compiled.model.asCompiled,
      left != right
    else { return [] }
    return ModelDifference(from: left, to: right).changes.compactMap { change in
      // Compiling loses the spelling of defaults in fetch requests.
      if [.fetchRequest, .fetchedProperty].contains(change.subject), change.action == .changed {
        return nil
      }
      return finding(change)
    }
  }

  private func finding(_ change: ModelChange) -> Finding {
    let name = [change.entityName, change.name].compactMap(\.self).joined(separator: ".")
    let what: Finding.Text =
      switch change.action {
      case .added: "\(.is) in the compiled form only"
      case .removed: "\(.is) not in the compiled form"
      case .renamed, .suspectedRename:
        "\(.is) \(change.old ?? "") in the source and \(change.new ?? "") in the compiled form"
      case .moved, .changed:
        "differs in \(change.aspect?.rawValue ?? "its place"): \(change.old ?? "none") in the "
          + "source, \(change.new ?? "none") in the compiled form"
      }
    return Finding(
      .compiledFormDiffers,
      change.changesHash ? .warning : .note,
      at: Finding.Place(
        file: compiled.path,
        version: source.name,
        entity: change.entityName,
        property: change.name
      ),
      message: (name.isEmpty ? "\(version: source.name)" : "\(subject: name)")
        + " \(what); the source is used.",
      advice: "Build the app again, or find out which of the two was shipped."
    )
  }
}

extension ManagedObjectModel {
  /// The model as Xcode's compiler writes it; measured on compiled models of public apps.
  ///
  /// The compiler drops the parts for code generation and Sync Services, and repeats indexes in the
  /// form of before iOS 11.
  fileprivate var asCompiled: ManagedObjectModel {
    get throws(ModelError) {
      // Compiled models have no names of composites: each is named after its attribute.
      var composites: [CompositeDescription] = []
      let entities = entities.map { entity in
        var entity = entity
        entity.codeGenerationType = nil
        entity.isSyncable = nil
        let lists = entity.indexes.map { $0.elements.map(\.propertyName) }
        if entity.compoundIndexes.isEmpty { entity.compoundIndexes = lists.filter { $0.count > 1 } }
        if entity.renamingIdentifier == entity.name { entity.renamingIdentifier = nil }
        entity.attributes = entity.attributes.map { attribute in
          let members = composite(of: attribute)?.attributes
          var attribute = attribute.asCompiled
          attribute.compositeName = members.map { _ in "\(entity.name).\(attribute.name)" }
          attribute.isIndexed = attribute.isIndexed || lists.contains([attribute.name])
          if let name = attribute.compositeName, let members {
            let parts = members.map(\.asCompiled)
            composites.append(CompositeDescription(name: name, attributes: parts))
          }
          return attribute
        }
        entity.relationships = entity.relationships.map { relationship in
          var relationship = relationship
          relationship.inverseEntityName = nil
          relationship.isStoredInExternalRecord = false
          relationship.isIndexed = relationship.isIndexed || lists.contains([relationship.name])
          if relationship.renamingIdentifier == relationship.name {
            relationship.renamingIdentifier = nil
          }
          return relationship
        }
        return entity
      }
      return try ManagedObjectModel(
        entities: entities,
        configurations: configurations,
        fetchRequestTemplates: fetchRequestTemplates,
        composites: composites,
        versionIdentifiers: versionIdentifiers
      )
    }
  }
}

extension AttributeDescription {
  /// The attribute as Xcode's compiler writes it.
  fileprivate var asCompiled: AttributeDescription {
    var attribute = self
    attribute.usesScalarValueType = nil
    attribute.allowsCloudEncryption = false
    attribute.isStoredInExternalRecord = false
    if attribute.renamingIdentifier == attribute.name { attribute.renamingIdentifier = nil }
    return attribute
  }
}
