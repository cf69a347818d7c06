import ObjectModel
import PropertyLists

/// A decoder of archived expressions and predicates.
///
/// The keys of constants, key paths, functions, fetches, comparisons and compounds were measured on
/// compiled models and mapping models of public apps. No archive with an aggregate, a subquery, a
/// conditional or a set was at hand: their parts are recognized by their classes and by the names that
/// their keys come from. Depth and size are bounded, because an archive can make an expression a part of
/// itself, or share parts without end.
struct ExpressionDecoder {
  private static let maximumDepth = 64
  private var budget = 100_000

  /// - Throws: `ModelCodingError` where the form is not known, or too deep.
  mutating func expression(
    _ object: ArchivedObject,
    depth: Int = 0
  ) throws(ModelCodingError) -> Expression {
    try spend(depth)
    switch object.className {
    case "NSSelfExpression": return .evaluatedObject
    case "NSVariableExpression": return .variable(try variable(object))
    case "NSConstantValueExpression": return try constant(object, depth: depth)
    case "NSKeyPathSpecifierExpression": return .keyPath(.evaluatedObject, try keyPath(object))
    case "NSKeyPathExpression", "NSFunctionExpression":
      return try function(object, depth: depth + 1)
    case "NSFetchRequestExpression":
      return .fetch(
        try part("NSFRExpression", of: object, depth: depth + 1),
        context: try part("NSMOCExpression", of: object, depth: depth + 1),
        countOnly: object["NSCountOnlyFlag"]?.boolean ?? false
      )
    case "NSAggregateExpression":
      guard let members = object["NSCollection"]?.elements else { throw Self.incomplete(object) }
      return .aggregate(try expressions(members, of: object, depth: depth + 1))
    case "NSSymbolicExpression":
      let token = object.keys.compactMap { object[$0]?.string }.first
      guard let token, LibraryFunction.places.contains(token) else { throw Self.incomplete(object) }
      return .call(token, [])
    case "NSTernaryExpression":
      return .conditional(
        try condition(of: object, depth: depth + 1),
        try part(named: "True", of: object, depth: depth + 1),
        try part(named: "False", of: object, depth: depth + 1)
      )
    case "NSSubqueryExpression": return try subquery(object, depth: depth + 1)
    case "NSUnionSetExpression", "NSIntersectSetExpression", "NSMinusSetExpression":
      let operation = Expression.SetOperation.allCases.first {
        object.className.uppercased().hasPrefix("NS" + $0.rawValue)
      }
      return .setOperation(
        operation ?? .union,
        try part(named: "Left", of: object, depth: depth + 1),
        try part(named: "Right", of: object, depth: depth + 1)
      )
    default:
      throw .unknownExpression("An expression of class \(object.className) is not known.")
    }
  }

  /// - Throws: `ModelCodingError` where the form is not known, or too deep.
  mutating func predicate(
    _ object: ArchivedObject,
    depth: Int = 0
  ) throws(ModelCodingError) -> Predicate {
    try spend(depth)
    switch object.className {
    case "NSTruePredicate": return .all([])
    case "NSFalsePredicate": return .any([])
    case "NSCompoundPredicate":
      guard let archived = object["NSSubpredicates"]?.elements else {
        throw Self.incomplete(object)
      }
      var parts: [Predicate] = []
      for element in archived {
        guard let part = element.object else { throw Self.incomplete(object) }
        parts.append(try predicate(part, depth: depth + 1))
      }
      switch object["NSCompoundPredicateType"]?.integer {
      case 0 where parts.count == 1: return .not(parts[0])
      case 1: return .all(parts)
      case 2: return .any(parts)
      default: throw Self.incomplete(object)
      }
    case "NSComparisonPredicate": return .comparison(try comparison(object, depth: depth + 1))
    default: throw .unknownExpression("A predicate of class \(object.className) is not known.")
    }
  }

  private mutating func comparison(
    _ object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> Predicate.Comparison {
    guard let operation = object["NSPredicateOperator"]?.object,
      let relation = operation["NSOperatorType"]?.integer.flatMap(Predicate.Relation.init),
      let quantifier = Predicate.Quantifier(rawValue: operation["NSModifier"]?.integer ?? 0)
    else { throw Self.incomplete(object) }
    // Operators over text keep their options under another key.
    let options = operation["NSOptions"]?.integer ?? operation["NSFlags"]?.integer ?? 0
    guard (0...3).contains(options) else {
      throw .unknownExpression("A comparison has options (\(options)) that are not known.")
    }
    var comparison = Predicate.Comparison(
      try part("NSLeftExpression", of: object, depth: depth),
      relation,
      try part("NSRightExpression", of: object, depth: depth),
      quantifier: quantifier
    )
    comparison.isCaseInsensitive = options & 1 != 0
    comparison.isDiacriticInsensitive = options & 2 != 0
    return comparison
  }

  private mutating func constant(
    _ object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> Expression {
    if let name = object["NSConstantValueClassName"]?.string { return .className(name) }
    guard let value = object["NSConstantValue"] else { return .constant(nil) }
    return try constant(value, of: object, depth: depth)
  }

  private mutating func constant(
    _ value: ArchivedValue,
    of object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> Expression {
    try spend(depth)
    if value.isNull { return .constant(nil) }
    if let members = value.elements {
      var list: [Expression] = []
      for member in members { list.append(try constant(member, of: object, depth: depth + 1)) }
      return .aggregate(list)
    }
    guard let constant = AttributeValue(value) else {
      throw .unknownExpression("A constant is \(value.kind), which is not known.")
    }
    return .constant(constant)
  }

  private mutating func function(
    _ object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> Expression {
    guard let archived = object["NSArguments"]?.elements else { throw Self.incomplete(object) }
    if object.className == "NSKeyPathExpression" {
      guard archived.count == 1, let specifier = archived[0].object else {
        throw Self.incomplete(object)
      }
      return .keyPath(
        try part("NSOperand", of: object, depth: depth),
        try keyPath(specifier)
      )
    }
    let target = try part("NSOperand", of: object, depth: depth)
    let arguments = try expressions(archived, of: object, depth: depth)
    guard let selector = object["NSSelectorName"]?.string, !selector.isEmpty else {
      throw Self.incomplete(object)
    }
    guard selector.utf8.count(where: { $0 == UInt8(ascii: ":") }) == arguments.count else {
      throw .unknownExpression(
        "A call of \(selector) has \(arguments.count) arguments, not one for each colon."
      )
    }
    guard target == .className(LibraryFunction.className) else {
      return .method(of: target, selector: selector, arguments: arguments)
    }
    guard LibraryFunction.selectors.contains(selector) else {
      throw .unknownExpression("The function \(selector) of NSExpression is not known.")
    }
    return .libraryCall(selector, arguments)
  }

  private mutating func subquery(
    _ object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> Expression {
    let named = object.keys.sorted()
    let isVariable = { (key: String) in key.contains("Variable") || key.contains("Iterator") }
    let collection = named.filter { key in
      !isVariable(key) && object[key]?.object?.isKind(of: "NSExpression") == true
    }
    guard collection.count == 1, let key = named.first(where: isVariable) else {
      throw Self.incomplete(object)
    }
    let name: String
    if let text = object[key]?.string, FormatName.isName(text) {
      name = text
    } else if let part = object[key]?.object, part.className == "NSVariableExpression" {
      name = try variable(part)
    } else {
      throw Self.incomplete(object)
    }
    return .subquery(
      try part(collection[0], of: object, depth: depth),
      variable: name,
      try condition(of: object, depth: depth)
    )
  }
}

// The parts of an object.
extension ExpressionDecoder {
  private mutating func spend(_ depth: Int) throws(ModelCodingError) {
    budget -= 1
    guard depth < Self.maximumDepth, budget > 0 else {
      throw .unknownExpression("An expression is nested too deep, or has too many parts.")
    }
  }

  private mutating func part(
    _ key: String,
    of object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> Expression {
    guard let part = object[key]?.object else { throw Self.incomplete(object) }
    return try expression(part, depth: depth)
  }

  private mutating func part(
    named word: String,
    of object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> Expression {
    guard let key = object.keys.sorted().first(where: { $0.contains(word) }) else {
      throw Self.incomplete(object)
    }
    return try part(key, of: object, depth: depth)
  }

  private mutating func condition(
    of object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> Predicate {
    let parts = object.keys.sorted().compactMap { object[$0]?.object }
    guard let part = parts.first(where: { $0.isKind(of: "NSPredicate") }) else {
      throw Self.incomplete(object)
    }
    return try predicate(part, depth: depth)
  }

  private mutating func expressions(
    _ archived: [ArchivedValue],
    of object: ArchivedObject,
    depth: Int
  ) throws(ModelCodingError) -> [Expression] {
    var list: [Expression] = []
    for element in archived {
      guard let part = element.object else { throw Self.incomplete(object) }
      list.append(try expression(part, depth: depth))
    }
    return list
  }

  private func variable(_ object: ArchivedObject) throws(ModelCodingError) -> String {
    guard let name = object["NSVariable"]?.string, FormatName.isName(name) else {
      throw Self.incomplete(object)
    }
    return name
  }

  private func keyPath(_ object: ArchivedObject) throws(ModelCodingError) -> [String] {
    guard let text = object["NSKeyPath"]?.string else { throw Self.incomplete(object) }
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard !names.contains("") else { throw Self.incomplete(object) }
    return names
  }

  private static func incomplete(_ object: ArchivedObject) -> ModelCodingError {
    .unknownExpression(
      "An archived object of class \(object.className) has not the parts that are known, but "
        + "\(object.keys.sorted().joined(separator: ", "))."
    )
  }
}
