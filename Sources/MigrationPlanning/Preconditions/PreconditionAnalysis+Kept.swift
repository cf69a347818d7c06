import ObjectModel

extension PreconditionAnalysis {
  /// Adds the questions whether expressions give a value for each value that nothing else carries.
  func askForKept(_ row: Row, _ gathered: inout Gathered) {
    for declared in source.properties(of: row.source) {
      let name = declared.property.name
      let readers = valueReaders(of: name, row)
      guard let attribute = declared.property.attribute, attribute.isPersistent,
        attribute.derivationExpression == nil, !readers.isEmpty, !row.carries(name)
      else { continue }
      let isReadElsewhere = rows.contains { other in
        other.source == row.source && other.mapping != row.mapping
          && (other.carries(name) || !valueReaders(of: name, other).isEmpty)
      }
      let results =
        isReadElsewhere
        ? [.opaque("other entity mappings read \(row.source).\(name) too")]
        : readers.compactMap { row.resolution.attributes[$0] }
      gathered.add(
        .expressionGivesNothing,
        row.source,
        name,
        .kept,
        row.subject([.carried([name])] + results)
      )
    }
  }

  /// Returns the attributes whose expressions make their value of one of the source's, in byte order.
  func valueReaders(of name: String, _ row: Row) -> [String] {
    row.resolution.attributes.filter { _, value in
      guard case .computed(let expression, _) = value, expression.lookup == nil else {
        return false
      }
      return expression.valueReads.contains(name)
    }
    .keys.sorted(by: ByteOrder.precedes)
  }
}

extension PreconditionAnalysis {
  /// An attribute of a source entity that expressions alone read, with the entity mappings, by their
  /// places, and the destination attributes that may have its value.
  package struct ExpressedAttribute: Hashable, Sendable {
    /// The source entity.
    package let entity: String
    /// The source attribute.
    package let attribute: String
    /// The destination attributes, by the place of their entity mapping.
    package let readers: [Int: [String]]
  }

  /// The attributes whose expressions may give nothing; none of entities that a policy reads.
  package var expressedAttributes: [ExpressedAttribute] {
    var gathered = Gathered()
    for row in rows where !row.isOpaque { askForKept(row, &gathered) }
    return gathered.sorted.compactMap { question in
      guard let name = question.property else { return nil }
      var readers: [Int: [String]] = [:]
      for (index, entity) in mapping.entityMappings.enumerated() {
        guard let row = rows.first(where: { $0.mapping == entity }),
          row.source == question.entity
        else { continue }
        if row.isOpaque { return nil }
        let carriers = row.resolution.attributes.keys.filter { row.carried($0) == name }
        readers[index] = (carriers + valueReaders(of: name, row)).sorted()
      }
      return ExpressedAttribute(entity: question.entity, attribute: name, readers: readers)
    }
  }
}

extension PreconditionAnalysis {
  /// Adds the questions about an attribute whose value an expression computes.
  func askForComputed(_ attribute: String, _ row: Row, _ gathered: inout Gathered) {
    guard let value = row.resolution.attributes[attribute]?.withOperatorComputed,
      case .computed(let expression, []) = value, expression.lookup == nil,
      let declared = destination.property(attribute, of: row.destination)?.property.attribute
    else { return }
    func add(_ code: FindingCode, _ kind: Precondition.Kind, _ values: [ValueOrigin]) {
      gathered.add(code, row.destination, attribute, kind, row.made(values))
    }
    // A part, and its place, is always there.
    if !expression.isPiece {
      add(.expressionFails, .computable, [value])
      if declared.needsValue, !expression.alwaysHasValue {
        add(.requiredWithoutDefault, .present, [value])
      }
    }
    let type = declared.attributeType
    guard type.isStoredAsNumber else { return }
    add(.expressionDoesNotFit, .holds(type), [value] + expression.readAsNumbers)
    if type == .decimal { add(.resultRounded, .keepsDigits, [value]) }
  }

  /// Adds the question whether a filter can be computed of each row.
  func askForFilter(_ row: Row, _ gathered: inout Gathered) {
    guard let filter = row.mapping.sourcePredicate, filter.mayFail else { return }
    let value = Expression.conditional(
      filter,
      .constant(.boolean(true)),
      .constant(.boolean(false))
    )
    gathered.add(
      .expressionFails,
      row.source,
      nil,
      .computable,
      Precondition.Subject(row.source, [.computed(value, [])])
    )
  }

  /// Adds the questions whether attributes that are not carried keep their values in expressions that
  /// may not return them.
  func askForReturned(_ row: Row, _ gathered: inout Gathered) {
    for declared in source.properties(of: row.source) {
      let name = declared.property.name
      guard let attribute = declared.property.attribute, attribute.isPersistent,
        attribute.derivationExpression == nil, !row.carries(name)
      else { continue }
      let readers = row.resolution.attributes.filter { _, value in
        if case .computed = value { value.properties.contains(name) } else { false }
      }
      guard !readers.isEmpty, !readers.values.contains(where: { $0.keeps(name) }) else { continue }
      let others = rows.filter { $0.source == row.source && $0.mapping != row.mapping }
      let carriers = others.filter { $0.carries(name) }
      if carriers.contains(where: { $0.mapping.sourcePredicate == nil }) { continue }
      let results =
        carriers.isEmpty
        ? readers.sorted { $0.key < $1.key }.map(\.value)
        : [.opaque("other entity mappings carry \(row.source).\(name) for some rows")]
      gathered.add(
        .valueUsed,
        row.source,
        name,
        .returned,
        row.subject([.carried([name])] + results)
      )
    }
  }

  /// Adds the question whether a text that is split has empty parts, which make nothing.
  func askForWholeParts(_ row: Row, _ gathered: inout Gathered) {
    guard let pieces = row.mapping.pieces, let separator = pieces.separator, pieces.trimsBlanks,
      !row.hasPolicy,
      let name = ValueOrigin(pieces.value.ofSource).carriedProperty,
      source.property(name, of: row.source)?.property.attribute?.isPersistent == true
    else { return }
    gathered.add(
      .emptyPartsLeftOut,
      row.source,
      name,
      .noEmptyParts(separator: separator),
      row.subject([.carried([name])])
    )
  }

  /// Adds the question whether an ordered relationship that only its inverse carries has an order to
  /// lose.
  func askForOrder(_ row: Row, _ gathered: inout Gathered) {
    for declared in source.properties(of: row.source) {
      guard let old = declared.property.relationship, old.isPersistent, old.isToMany, old.isOrdered,
        !row.gives(old.name), let inverse = source.inverse(of: old)?.property.name,
        rows.contains(where: { other in
          source.isKind(other.source, of: old.destinationEntityName) && !other.isOpaque
            && other.gives(inverse)
        })
      else { continue }
      let subject = row.subject([.carried([old.name])])
      gathered.add(.becomesUnordered, row.source, old.name, .atMostOneLink, subject)
    }
  }
}

extension ValueOrigin {
  /// Returns whether each value of a source property can be computed from this one.
  ///
  /// A text that is no number is not kept by a conversion to one, and is asked about by itself, as is a
  /// number that becomes another.
  func keeps(_ name: String) -> Bool {
    switch self {
    case .carried(let path): path == [name]
    case .converted(let inner, _, _), .filled(let inner, _): inner.keeps(name)
    case .computed(let expression, let inputs):
      expression.keeps { part in
        if case .keyPath(.variable("source"), [name]) = part { return true }
        return ExpressionNormalizer.input(part, among: inputs)?.keeps(name) == true
      }
    case .constant, .first, .unordered, .cut, .chosen, .without, .owners, .partly, .opaque: false
    }
  }
}

extension Expression {
  /// Returns whether its value shows that of a part, for any rows: the part itself, converted or with
  /// other text around it.
  fileprivate func keeps(_ isPart: (Expression) -> Bool) -> Bool {
    if isPart(self) { return true }
    switch self {
    case .call("castObject:toType:", let list): return list.first?.keeps(isPart) == true
    case .call("noindex:", let list): return list.first?.keeps(isPart) == true
    case .function(let target, "stringByAppendingString:", let list):
      return target.keeps(isPart) || list.contains { $0.keeps(isPart) }
    case .conditional(_, let first, let second):
      return first.keeps(isPart) && second.keeps(isPart)
    default: return false
    }
  }

  /// The values that the expression reads as numbers, and that may be text.
  fileprivate var readAsNumbers: [ValueOrigin] {
    var found: [ValueOrigin] = []
    forEachPart { part in
      guard case .call("castObject:toType:", let list) = part, list.count == 2,
        [.constant(.string("NSNumber")), .constant(.string("NSDecimalNumber"))].contains(list[1])
      else { return }
      found.append(ValueOrigin(list[0]))
    }
    return found
  }

  /// The source properties from which the expression makes its value, without those that only its
  /// conditions read.
  var valueReads: Set<String> {
    switch self {
    case .constant, .evaluatedObject, .variable, .className: []
    case .keyPath(.variable("source"), let path): Set(path.prefix(1))
    case .keyPath(let operand, _): operand.valueReads
    case .function(let target, _, let arguments):
      arguments.reduce(target.valueReads) { $0.union($1.valueReads) }
    case .call(_, let parts), .aggregate(let parts):
      parts.reduce([]) { $0.union($1.valueReads) }
    case .conditional(_, let first, let second), .setOperation(_, let first, let second):
      first.valueReads.union(second.valueReads)
    case .subquery(let collection, _, _): collection.valueReads
    case .fetch(let request, let context, _): request.valueReads.union(context.valueReads)
    }
  }
}

extension ValueOrigin {
  /// The value of a path with a collection operator as that of an expression, which may fail or not fit.
  fileprivate var withOperatorComputed: ValueOrigin {
    guard case .carried(let path) = self, path.contains(where: { $0.hasPrefix("@") }) else {
      return self
    }
    return .computed(.keyPath(.variable("source"), path), [])
  }
}

extension Predicate {
  /// Whether the values of a row can make it fail, rather than not hold.
  fileprivate var mayFail: Bool {
    var mayFail = false
    forEachPart { part in
      switch part {
      case .function, .call, .setOperation: mayFail = true
      default: break
      }
    }
    forEachComparison { if $0.relation == .matches { mayFail = true } }
    return mayFail
  }
}
