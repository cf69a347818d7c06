import ObjectModel

/// A list of mappings between the same versions, joined to run one after the other.
///
/// Apps split a mapping by entity or by filter to keep memory low. Entity mappings that make new
/// entities and nothing else are the same in all files. Others of one name get the name of their file,
/// and so do the expressions of that file.
struct SequentialMappings {
  private(set) var mapping = MappingModel(entityMappings: [])
  /// The entities that two files map without filters which exclude each other.
  private struct Clash {
    let bound: MappingBinding.Bound
    let other: String
    var entities: [String]
    let destination: String?
  }

  private var shared: [Clash] = []

  /// The refusals of files that share entity mappings, one for each two files.
  var clashes: [Finding] {
    shared.map { clash in
      let bound = clash.bound
      return Finding(
        .ambiguousMapping,
        .error,
        at: Finding.Place(
          file: bound.mapping.path,
          version: bound.destination.name,
          entity: clash.entities.count == 1 ? clash.destination ?? clash.entities[0] : nil
        ),
        message:
          "\(AuthoredEdge.shownNames([clash.other, bound.mapping.path]).joined(separator: " and ")) both "
          + "say what becomes of \(clash.entities.capped) between \(version: bound.source.name) and "
          + "\(version: bound.destination.name).",
        advice: "Keep one of them, or give their entity mappings filters that exclude each other."
      )
    }
  }

  private var names: Set<String> = []

  /// The source, destination and filter of an entity mapping, which two mappings must not share.
  private struct Work: Hashable {
    let source: String
    let destination: String?
    let predicate: Predicate?
  }

  private var work: [Work: String] = [:]

  mutating func add(_ bound: MappingBinding.Bound) {
    let file = bound.mapping.name
    var renamed: [String: String] = [:]
    var added: [EntityMapping] = []
    let making = bound.mapping.mapping.entityMappings.filter { $0.destinationEntityName != nil }
    for var entity in bound.mapping.mapping.entityMappings {
      if mapping.entityMappings.contains(entity), entity.sourceEntityName == nil { continue }
      note(entity, bound)
      // No expression asks for what is dropped, so that its name is free to change.
      if entity.destinationEntityName == nil, making.contains(where: { $0.name == entity.name }) {
        entity.name += " (dropped)"
      }
      if !names.insert(entity.name).inserted {
        let name = "\(entity.name) (\(file))"
        renamed[entity.name] = name
        names.insert(name)
      }
      added.append(entity)
    }
    mapping.entityMappings += added.map { $0.renaming(renamed) }
    mapping.actionsBefore += bound.mapping.mapping.actionsBefore
    mapping.actionsAfter += bound.mapping.mapping.actionsAfter
    mapping.notes += bound.mapping.mapping.notes
  }

  /// Notes the objects that an entity mapping uses, and reports another file that uses them, too.
  private mutating func note(_ entity: EntityMapping, _ bound: MappingBinding.Bound) {
    guard let source = entity.sourceEntityName else { return }
    // A mapping without filter clashes with all others of its entities.
    let others = work.filter { key, path in
      key.source == source && key.destination == entity.destinationEntityName
        && path != bound.mapping.path
        && (key.predicate == nil || entity.sourcePredicate == nil
          || key.predicate == entity.sourcePredicate)
    }
    if let other = others.values.min(by: ByteOrder.precedes) {
      let place = shared.firstIndex {
        $0.other == other && $0.bound.mapping.path == bound.mapping.path
      }
      if let place {
        if !shared[place].entities.contains(source) { shared[place].entities.append(source) }
      } else {
        shared.append(
          Clash(
            bound: bound,
            other: other,
            entities: [source],
            destination: entity.destinationEntityName
          )
        )
      }
    }
    let key = Work(
      source: source,
      destination: entity.destinationEntityName,
      predicate: entity.sourcePredicate
    )
    if work[key] == nil { work[key] = bound.mapping.path }
  }
}

extension EntityMapping {
  /// Returns the mapping with other names for itself and for those that its expressions mention.
  fileprivate func renaming(_ names: [String: String]) -> EntityMapping {
    guard !names.isEmpty else { return self }
    var mapping = self
    mapping.name = names[name] ?? name
    let rename = { (property: PropertyMapping) in
      var property = property
      property.valueExpression = property.valueExpression.map { expression in
        expression.mapped { part in
          guard case .function(let target, let selector, let arguments) = part,
            target == .variable("manager"), selector.contains("ForEntityMappingNamed:"),
            case .constant(.string(let name)) = arguments.first, let other = names[name]
          else { return part }
          return .function(
            target,
            selector: selector,
            arguments: [.constant(.string(other))] + arguments.dropFirst()
          )
        }
      }
      return property
    }
    mapping.attributeMappings = attributeMappings.map(rename)
    mapping.relationshipMappings = relationshipMappings.map(rename)
    return mapping
  }
}
