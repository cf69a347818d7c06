/// A check for operations of a mapping's expression that fail on every row: a method or key that does not
/// exist, a pattern that is none, an operation on a value of the wrong kind.
///
/// It computes with a sample of each kind of value, by the code that evaluates: an operation refused for
/// every sample is refused for every row. Both branches of a condition are checked. Failures that depend
/// on the value of a row are not reported.
package struct ExpressionCheck {
  /// A value as far as it is known before there are rows.
  struct Sample {
    /// A value of its kind; nil where the kind is not known.
    var value: ExpressionValue?
    /// Whether it is the very value.
    var isExact = false

    static var unknown: Sample { Sample(value: nil) }
  }

  /// The first thing that cannot be done; nil where there is none.
  package private(set) var mistake: EvaluationError?

  let mapping: EntityMapping
  let others: [EntityMapping]
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  private var variables: [String: Sample] = [:]
  private let notes = SampleNotes()
  private let evaluator = ExpressionEvaluator(functions: SampleFunctions())

  /// A check of the expressions of an entity mapping.
  ///
  /// - Parameter others: All entity mappings that run with it.
  package init(
    of mapping: EntityMapping,
    among others: [EntityMapping],
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) {
    self.mapping = mapping
    self.others = others
    self.source = source
    self.destination = destination
    variables["source"] = object(mapping.sourceEntityName, in: source, "source")
    variables["destination"] = object(mapping.destinationEntityName, in: destination, "destination")
    for name in ["manager", "entityPolicy", "entityMapping", "propertyMapping"] {
      variables[name] = .unknown
    }
    guard let pieces = mapping.pieces else { return }
    var first = Sample(value: .scalar(.string("1")))
    if pieces.separator == nil {
      var check = self
      first = Self.member(of: check.value(of: pieces.value, with: check.sourceObject))
    }
    variables[EntityMapping.Pieces.variable] = first
    variables[EntityMapping.Pieces.indexVariable] = Sample(value: .scalar(.integer(1)))
  }

  /// Checks the value of an attribute.
  package mutating func check(_ expression: Expression, for attribute: AttributeDescription) {
    guard case .scalar(let value)? = valueThatFits(expression) else { return }
    guard attribute.attributeType.mayTake(value) else {
      return note(
        "\(attribute.name) is \(attribute.attributeType), and its value is "
          + "\(ExpressionValue.scalar(value).kind).",
        "Convert it by an expression, such as CAST."
      )
    }
    checkConstants(in: expression, for: attribute)
  }

  /// Checks that an attribute can hold the constant values of an expression.
  private mutating func checkConstants(
    in expression: Expression,
    for attribute: AttributeDescription
  ) {
    if case .conditional(_, let first, let second) = expression {
      checkConstants(in: first, for: attribute)
      return checkConstants(in: second, for: attribute)
    }
    let found = value(of: expression, with: sourceObject)
    guard found.isExact, case .scalar(let value)? = found.value,
      let complaint = attribute.complaint(about: value)
    else { return }
    note("\(attribute.name) \(complaint).", "Give it a value that it can hold.")
  }

  /// Checks the objects of a relationship.
  package mutating func check(_ expression: Expression, for relationship: RelationshipDescription) {
    let found = value(of: expression, with: sourceObject)
    if case .scalar? = found.value {
      note(
        "\(relationship.name) is a relationship, and its value is \(found.value?.kind ?? "").",
        "Give it destination objects: `{from: …}`, `{mapping: …}` or `{lookup: …}` in a hop file."
      )
    }
  }

  /// Checks the filter of the mapping.
  package mutating func check(_ predicate: Predicate) { check(predicate, with: sourceObject) }

  /// Checks the text or the collection whose parts become objects.
  package mutating func check(_ pieces: EntityMapping.Pieces) {
    let found = value(of: pieces.value, with: sourceObject)
    guard let value = found.value, mistake == nil else { return }
    switch value {
    case .nothing, .list, .set: return
    case .scalar(.string) where pieces.separator != nil: return
    default:
      note("A split has \(value.kind) to cut.", "Split a text at a separator, or a collection.")
    }
  }

  private var sourceObject: Sample { variables["source"] ?? .unknown }

  /// Returns the sample of an attribute's value; collections and objects are none.
  private mutating func valueThatFits(_ expression: Expression) -> ExpressionValue? {
    let value = value(of: expression, with: sourceObject).value
    switch value {
    case .object?, .list?, .set?:
      note(
        "The value of the attribute is \(value?.kind ?? "").",
        "Read a property of it, such as $source.owner.name, or count: or [FIRST] of a collection."
      )
      return nil
    default: return value
    }
  }

  private mutating func note(_ message: String, _ recovery: String) {
    mistake = mistake ?? EvaluationError(.wrongKind, message, recovery: recovery)
  }

  // MARK: - Values

  mutating func value(of expression: Expression, with object: Sample) -> Sample {
    switch expression {
    case .constant(let value):
      return Sample(value: value.map { .scalar($0) } ?? .nothing, isExact: true)
    case .className(let name): return Sample(value: .scalar(.string(name)), isExact: true)
    case .evaluatedObject: return object
    case .variable(let name):
      if let known = variables[name] { return known }
      return tried(isExact: true) { throw ExpressionEvaluator.unknownVariable(name) }
    case .keyPath(let operand, let path):
      let base = value(of: operand, with: object)
      guard let value = base.value else { return .unknown }
      let evaluator = evaluator
      return tried(isExact: base.isExact) { try evaluator.value(atPath: path[...], of: value) }
    case .function(let target, let selector, let arguments):
      let samples = arguments.map { value(of: $0, with: object) }
      return call(selector, on: target, samples, with: object)
    case .call("now", _): return Sample(value: .scalar(.date(0)))
    case .call(let selector, let arguments):
      let samples = arguments.map { value(of: $0, with: object) }
      return tried(samples, isLenient: Self.readsTexts(selector, samples)) {
        try LibraryFunction.call(selector, $0)
      }
    case .aggregate(let members):
      let samples = members.map { value(of: $0, with: object) }
      return tried(samples) { .list($0) }
    case .conditional(let predicate, let first, let second):
      check(predicate, with: object)
      let samples = [value(of: first, with: object), value(of: second, with: object)]
      // A value of either of two kinds is unknown; nothing is of every kind.
      let kinds = samples.map { $0.value?.kind }
      if kinds[0] == "nil" { return Sample(value: samples[1].value) }
      return kinds[1] == "nil" || kinds[0] == kinds[1]
        ? Sample(value: samples[0].value) : .unknown
    case .subquery(let collection, let variable, let predicate):
      let members = value(of: collection, with: object)
      let outer = variables[variable]
      variables[variable] = Self.member(of: members)
      check(predicate, with: object)
      variables[variable] = outer
      return Sample(value: members.value)
    case .setOperation(let operation, let left, let right):
      return tried([value(of: left, with: object), value(of: right, with: object)]) {
        try CollectionFunction.combine($0[0], operation, $0[1])
      }
    case .fetch(let request, let context, _):
      _ = value(of: request, with: object)
      _ = value(of: context, with: object)
      return .unknown
    }
  }

  private mutating func call(
    _ selector: String,
    on target: Expression,
    _ arguments: [Sample],
    with object: Sample
  ) -> Sample {
    let isLenient = Self.readsTexts(selector, arguments)
    switch target {
    case .variable("manager"): return manager(selector, arguments)
    case .variable("entityPolicy"):
      guard mapping.entityMigrationPolicyClassName == nil else { return .unknown }
      note(
        "The method \(selector) is of a policy, and the entity mapping \(mapping.name) names none.",
        "Name the policy: `policy: Name` in a hop file."
      )
      return .unknown
    case .className(let name):
      return tried(arguments, isLenient: isLenient) { values in
        let now = ExpressionValue.scalar(.date(0))
        if let value = try ClassMethod.call(selector, of: name, values, now: now) { return value }
        throw EvaluationError.unknownMethod(selector, of: name)
      }
    default: break
    }
    let base = value(of: target, with: object)
    guard let value = base.value else { return .unknown }
    let name = if case .variable(let name) = target { name } else { value.kind }
    let evaluator = evaluator
    return tried(arguments, isExact: base.isExact, isLenient: isLenient) {
      try evaluator.method(selector, of: value, called: name, $0)
    }
  }

  /// Returns the result of a method of the migration manager.
  private mutating func manager(_ selector: String, _ arguments: [Sample]) -> Sample {
    guard let count = Expression.managerSelectors[selector], count == arguments.count else {
      note(
        "The migration manager has no method for the selector \(selector) with"
          + " \(arguments.count) arguments.",
        "Correct the expression, or do it in a policy."
      )
      return .unknown
    }
    var text: String?
    if let first = arguments.first, first.isExact, case .scalar(.string(let name))? = first.value {
      text = name
    }
    switch selector {
    case "newUUID": return Sample(value: .scalar(.uuid([UInt8](repeating: 0, count: 16))))
    case Expression.pieceNamed: return piece(text)
    case Expression.sourceInstanceForKey:
      checkKey(arguments, of: text, in: source)
      return self.object(text, in: source, "source")
    case Expression.destinationInstanceForKey:
      checkKey(arguments, of: text, in: destination)
      return self.object(text, in: destination, "destination")
    case Expression.destinationInstancesForEntityMapping,
      Expression.sourceInstancesForEntityMapping:
      guard let text else { return .unknown }
      guard let made = others.first(where: { $0.name == text }) else {
        note("No entity mapping is called \(text).", "Name one of this step's entity mappings.")
        return .unknown
      }
      guard selector == Expression.destinationInstancesForEntityMapping else { return .unknown }
      let member = self.object(made.destinationEntityName, in: destination, "destination")
      return Sample(value: member.value.map { .list([$0]) })
    default: return .unknown
    }
  }

  /// Checks that the attribute by which objects are looked up can have the wanted value.
  private mutating func checkKey(
    _ arguments: [Sample],
    of entity: String?,
    in model: ManagedObjectModel
  ) {
    guard let entity, arguments[1].isExact, case .scalar(.string(let key))? = arguments[1].value,
      let attribute = model.property(key, of: entity)?.property.attribute,
      let wanted = arguments[2].value
    else { return }
    switch wanted {
    case .nothing: return
    case .scalar(let value) where attribute.attributeType.mayTake(value): return
    default:
      note(
        "\(entity).\(key) is \(attribute.attributeType), and it is compared with \(wanted.kind), "
          + "which no object has there.",
        "Convert the value that `equals:` gives, such as by CAST or UUIDString, or name another "
          + "attribute in `where:`."
      )
    }
  }

  /// Returns a sample of the objects of other parts of the same source object.
  private mutating func piece(_ name: String?) -> Sample {
    guard let place = name.flatMap(EntityMapping.Pieces.Place.init) else {
      let names = EntityMapping.Pieces.Place.allCases.map(\.rawValue).joined(separator: ", ")
      note("No part is called \(name ?? "so").", "Known are \(names).")
      return .unknown
    }
    guard mapping.pieces != nil, mapping.deduplicationKeys.isEmpty else {
      note(
        mapping.pieces == nil
          ? "\(mapping.name) has no parts."
          : "\(mapping.name) makes one object of several parts, which have no order then.",
        "Links among parts need a `split` without `deduplicate`."
      )
      return .unknown
    }
    let member = object(mapping.destinationEntityName, in: destination, "destination")
    return place == .others ? Sample(value: member.value.map { .list([$0]) }) : member
  }

  /// Returns the result of a computation for samples; unknown where a sample is unknown, unless no kind of
  /// value would do.
  private mutating func tried(
    _ samples: [Sample],
    isExact: Bool = true,
    isLenient: Bool = false,
    _ compute: ([ExpressionValue]) throws -> ExpressionValue
  ) -> Sample {
    guard samples.contains(where: { $0.value == nil }) else {
      let areExact = isExact && samples.allSatisfy(\.isExact)
      let values = samples.compactMap(\.value)
      return tried(isExact: areExact, isLenient: isLenient) { try compute(values) }
    }
    var missing: EvaluationError?
    for kind in SampleObject.kinds {
      do {
        _ = try compute(samples.map { $0.value ?? kind })
        return .unknown
      } catch let error as EvaluationError where error.code == .unknownMethod {
        missing = error
      } catch {
        return .unknown
      }
    }
    mistake = mistake ?? missing
    return .unknown
  }

  private mutating func tried(
    isExact: Bool,
    isLenient: Bool = false,
    _ compute: () throws -> ExpressionValue
  ) -> Sample {
    notes.metUnknown = false
    do {
      let value = try compute()
      if notes.metUnknown { return .unknown }
      if case .nothing = value, !isExact { return .unknown }
      return Sample(value: value, isExact: isExact)
    } catch let error as EvaluationError {
      switch error.code {
      // The name in a text of a row, its length and its matches are known only with the row.
      case .outOfBounds, .tooManySteps: break
      case .unknownMethod: mistake = mistake ?? error
      default: if !isLenient, !notes.metUnknown { mistake = mistake ?? error }
      }
      return .unknown
    } catch {
      return .unknown
    }
  }

  /// Returns whether a method's effect depends on the text of an argument that a row may give.
  private static func readsTexts(_ selector: String, _ arguments: [Sample]) -> Bool {
    let hasObject = ["castObject:toType:", "objectFrom:withIndex:"].contains(selector)
    let arguments = arguments.dropFirst(hasObject ? 1 : 0)
    let names: Set = [
      "component:inTimeZone:", "castObject:toType:", "objectFrom:withIndex:", "valueForKey:",
      "valueForKeyPath:", "firstMatchOfPattern:", "stringByReplacingMatchesOfPattern:withTemplate:",
    ]
    return names.contains(selector) && !arguments.allSatisfy(\.isExact)
      && arguments.contains { argument in
        guard case .scalar(.string)? = argument.value else { return argument.value == nil }
        return !argument.isExact
      }
  }

  /// Returns a member of a collection.
  private static func member(of collection: Sample) -> Sample {
    Sample(value: collection.value?.members?.first)
  }

  private func object(_ name: String?, in model: ManagedObjectModel, _ store: String) -> Sample {
    guard let name, model[name] != nil else { return .unknown }
    return Sample(value: .object(SampleObject(of: name, in: model, store, notes)))
  }

  // MARK: - Conditions

  private mutating func check(_ predicate: Predicate, with object: Sample) {
    switch predicate {
    case .all(let parts), .any(let parts): for part in parts { check(part, with: object) }
    case .not(let part): check(part, with: object)
    case .comparison(let comparison):
      var left = value(of: comparison.left, with: object)
      let right = value(of: comparison.right, with: object)
      if comparison.quantifier != .direct { left = Self.member(of: left) }
      guard
        var known = left.value ?? (comparison.relation == .matches ? .scalar(.string("")) : nil),
        let other = right.value
      else { return }
      if case .nothing = known, comparison.relation == .matches { known = .scalar(.string("")) }
      // The number of bounds is known for a list that is written down.
      if comparison.relation == .between, other.members?.count != 2 { return }
      let evaluator = evaluator
      _ = tried(isExact: left.isExact && right.isExact) {
        .scalar(.boolean(try evaluator.holds(known, comparison, other)))
      }
    }
  }
}

extension AttributeType {
  /// Returns whether an attribute may take a value of the kind of another; numbers take each other.
  fileprivate func mayTake(_ value: AttributeValue) -> Bool {
    switch value {
    case .integer, .real, .decimal, .boolean: isNumeric
    case .string: self == .string || self == .uri
    case .uri: self == .uri
    case .date: self == .date
    case .binary: self == .binary || self == .transformable || self == .uuid
    case .uuid: self == .uuid
    }
  }
}
