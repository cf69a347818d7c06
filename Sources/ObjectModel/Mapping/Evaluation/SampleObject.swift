/// The notes taken while samples are computed with.
final class SampleNotes {
  /// Whether a value of an unknown kind took part.
  var metUnknown = false
}

/// An object of an entity with a sample of each property's value.
final class SampleObject: KeyValueObject {
  let identity: ObjectIdentity
  private let entity: String
  private let model: ManagedObjectModel
  private let store: String
  private let notes: SampleNotes

  init(of entity: String, in model: ManagedObjectModel, _ store: String, _ notes: SampleNotes) {
    identity = ObjectIdentity(store: store, entity: entity, key: 0)
    self.entity = entity
    self.model = model
    self.store = store
    self.notes = notes
  }

  /// A value of each kind.
  static var kinds: [ExpressionValue] {
    [
      .scalar(.string("1")), .scalar(.integer(1)), .scalar(.date(0)), .scalar(.binary([])),
      .scalar(.uuid([UInt8](repeating: 0, count: 16))), .scalar(.uri("a:")),
      .list([.scalar(.string("1"))]), .set([.scalar(.string("1"))]),
    ]
  }

  /// Returns the sample of a property of the entity or, as an object may be of one, of its subentities.
  ///
  /// - Throws: ``EvaluationError`` where none of them has it.
  func value(forKey key: String) throws -> ExpressionValue {
    let found = model.hierarchyNames(below: entity).lazy
      .compactMap { self.model.property(key, of: $0)?.property }.first
    if found == nil, let composite = try composite(key) { return composite }
    guard let found = found ?? model.property(key, of: entity)?.property else {
      throw EvaluationError(
        .unknownKey,
        "The \(store) version's \(entity) has no property \(key).",
        recovery: "Correct the name."
      )
    }
    switch found {
    case .attribute(let attribute) where attribute.isPersistent:
      if let sample = attribute.attributeType.sample { return .scalar(sample) }
    case .relationship(let relationship) where relationship.isPersistent:
      guard model[relationship.destinationEntityName] != nil else { break }
      let end = ExpressionValue.object(
        SampleObject(of: relationship.destinationEntityName, in: model, store, notes)
      )
      guard relationship.isToMany else { return end }
      return relationship.isOrdered ? .list([end]) : .set([end])
    default: break
    }
    notes.metUnknown = true
    return .nothing
  }

  /// Returns the sample of a composite attribute; nil where there is none of that name.
  private func composite(_ key: String) throws -> ExpressionValue? {
    let elements = model.hierarchyNames(below: entity).lazy
      .compactMap { self.model.declaredProperty(key, of: $0)?.property.attribute }
      .compactMap { self.model.elements(of: $0) }.first
    guard let elements else { return nil }
    var values: [String: ExpressionValue] = [:]
    for element in elements { values[element.ownName] = try value(forKey: element.name) }
    return .object(CompositeValue(values, of: key, in: identity))
  }
}

/// The methods that samples have beyond those of Foundation's values.
struct SampleFunctions: FunctionProvider {
  func call(
    _ selector: String,
    on target: ExpressionValue?,
    targetName: String,
    arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    // The content of an archive is known only with the row.
    if case .scalar(.binary)? = target, selector == Expression.archivedValueAtPath {
      return .nothing
    }
    throw EvaluationError.unknownMethod(selector, of: targetName)
  }
}

extension AttributeType {
  /// A value of the type; nil where it is kept in a form that expressions do not know.
  fileprivate var sample: AttributeValue? {
    switch self {
    case .integer16, .integer32, .integer64: .integer(1)
    case .boolean: .boolean(true)
    case .double, .float: .real(1)
    case .decimal: .decimal("1")
    case .string: .string("1")
    case .date: .date(0)
    case .binary: .binary([])
    case .uuid: .uuid([UInt8](repeating: 0, count: 16))
    case .uri: .uri("a:")
    case .transformable, .undefined, .objectID, .composite: nil
    }
  }
}
