import ObjectModel
import StoreMigration

extension NSPredicate {
  /// Makes the condition that a text spells, as `NSPredicate(format:)` on Apple's platforms.
  ///
  /// `%@` is a value, an object, or a collection of them; `%K` is a key path; `%d`, `%ld`, `%i`,
  /// `%u`, `%f` and the like are numbers. A text that cannot be read is an error of the fetch.
  public convenience init(format: String, _ arguments: Any?...) {
    self.init(format: format, argumentArray: arguments.map { $0 as Any })
  }

  /// Makes the condition that a text with arguments spells.
  public convenience init(format: String, argumentArray arguments: [Any]?) {
    let text = FormattedPredicate(format, arguments ?? [])
    self.init { object, _ in
      guard let probe = object as? PredicateProbe else { return text.matches(object) }
      probe.found = text
      return true
    }
  }
}

/// The question for the text that a predicate was made of.
final class PredicateProbe: NSObject {
  var found: FormattedPredicate?
}

/// The question for the key path by which an order was made.
private final class OrderProbe: NSObject {
  var path: [String]?
}

/// A predicate's text with its arguments.
final class FormattedPredicate {
  let format: String
  let arguments: [Any]

  init(_ format: String, _ arguments: [Any]) {
    self.format = format
    self.arguments = arguments
  }

  /// Returns whether an object fulfils the condition; an error is kept as its context's.
  func matches(_ object: Any?) -> Bool {
    guard let object = object as? NSManagedObject, let context = object.managedObjectContext,
      let stored = object.stored
    else {
      PendingError.recordUnsupported("A predicate was asked about something")
      return false
    }
    return context.reporting {
      let (predicate, variables) = try parsed(in: context)
      var evaluator = context.evaluator
      evaluator.variables.merge(variables) { $1 }
      return try evaluator.evaluate(predicate, with: .object(stored))
    } ?? false
  }

  /// Returns the predicate, and the objects that it names as variables.
  func parsed(
    in context: NSManagedObjectContext
  ) throws -> (ObjectModel.Predicate, [String: ExpressionValue]) {
    var writer = FormatWriter(arguments: arguments, bridge: context.bridge)
    let text = try writer.text(of: format)
    return (try ObjectModel.Predicate(format: text, arguments: writer.values), writer.variables)
  }
}

/// A predicate of Foundation's as the engine's condition, and the rest that only Foundation knows.
struct FetchCondition {
  /// The part that the engine asks.
  var predicate: ObjectModel.Predicate?
  /// The objects in it.
  var variables: [String: ExpressionValue] = [:]
  /// The whole where a part of it is a block.
  var filter: NSPredicate?

  init(_ predicate: NSPredicate, in context: NSManagedObjectContext) {
    guard let (condition, variables) = Self.condition(of: predicate, in: context) else {
      filter = predicate
      return
    }
    self.predicate = condition
    self.variables = variables
  }

  private static func condition(
    of predicate: NSPredicate,
    in context: NSManagedObjectContext
  ) -> (ObjectModel.Predicate, [String: ExpressionValue])? {
    if let compound = predicate as? NSCompoundPredicate {
      let parts = compound.subpredicates
      var variables: [String: ExpressionValue] = [:]
      var conditions: [ObjectModel.Predicate] = []
      for part in parts {
        // Two parts name their objects alike.
        guard let (condition, more) = condition(of: part, in: context),
          more.keys.allSatisfy({ variables[$0] == nil })
        else { return nil }
        conditions.append(condition)
        variables.merge(more) { $1 }
      }
      switch compound.compoundPredicateType {
      case .and: return (.all(conditions), variables)
      case .or: return (.any(conditions), variables)
      case .not: return (.not(.all(conditions)), variables)
      @unknown default: return nil
      }
    }
    let probe = PredicateProbe()
    _ = predicate.evaluate(with: probe)
    guard let text = probe.found else { return nil }
    return context.reporting { try text.parsed(in: context) }
  }
}

/// A writer of a format as the engine reads it: with `%@` and `%K` for values, and variables for objects.
struct FormatWriter {
  let arguments: [Any]
  let bridge: ValueBridge
  /// The values of the places, in their order.
  private(set) var values: [AttributeValue?] = []
  /// The objects.
  private(set) var variables: [String: ExpressionValue] = [:]
  private var next = 0

  init(arguments: [Any], bridge: ValueBridge) {
    self.arguments = arguments
    self.bridge = bridge
  }

  /// Returns the format with its places as the engine has them.
  ///
  /// - Throws: ``MigrationError`` for more places than arguments, and values of other kinds.
  mutating func text(of format: String) throws -> String {
    var text = ""
    var quote: Character?
    var rest = format[...]
    while let character = rest.popFirst() {
      if let open = quote {
        text.append(character)
        if character == "\\", let escaped = rest.popFirst() { text.append(escaped) }
        if character == open { quote = nil }
      } else if character == "%" {
        text += try place(&rest)
      } else {
        if character == "\"" || character == "'" { quote = character }
        text.append(character)
      }
    }
    return text
  }

  private mutating func place(_ rest: inout Substring) throws -> String {
    if rest.first == "%" {
      rest.removeFirst()
      return "%%"
    }
    let kind = rest.drop { "0123456789.+-lhqzjt".contains($0) }
    guard let letter = kind.first, "@KdDiuUfFgGeExXc".contains(letter), letter != "%" else {
      return "%"
    }
    rest = kind.dropFirst()
    guard arguments.indices.contains(next) else {
      throw MigrationError(
        .failed,
        "The format of a predicate has more places than arguments.",
        recovery: "Give one argument for each."
      )
    }
    let argument = arguments[next]
    next += 1
    guard letter != "K" else {
      values.append(.string(argument as? String ?? "\(argument)"))
      return "%K"
    }
    return try written(argument)
  }

  private mutating func written(_ argument: Any) throws -> String {
    guard let value = ValueBridge.unwrapped(argument) else {
      values.append(nil)
      return "%@"
    }
    if let scalar = ValueBridge.scalar(value) {
      values.append(scalar)
      return "%@"
    }
    let stored = try bridge.stored(collection(value))
    let members: [ExpressionValue]
    switch stored {
    case .list(let list), .set(let list): members = list
    default:
      let name = "argument\(next)"
      variables[name] = stored
      return "$\(name)"
    }
    let scalars = members.compactMap { if case .scalar(let scalar) = $0 { scalar } else { nil } }
    guard scalars.count == members.count else {
      let name = "argument\(next)"
      variables[name] = stored
      return "$\(name)"
    }
    values += scalars
    return "{" + scalars.map { _ in "%@" }.joined(separator: ", ") + "}"
  }

  private func collection(_ value: Any) -> Any {
    if let set = value as? Set<AnyHashable> { return NSSet(array: set.map(\.base)) }
    return value
  }
}

extension NSSortDescriptor {
  /// Makes an order by the values of a key path, as `NSSortDescriptor(key:ascending:)` on Apple's platforms.
  public convenience init(key: String?, ascending: Bool) {
    self.init(keyPath: \NSObject.self, ascending: ascending) { left, right in
      guard let probe = left as? OrderProbe else {
        return Self.order(left, right, by: key ?? "self")
      }
      probe.path = Self.path(key ?? "self")
      return .orderedSame
    }
  }

  /// Makes an order by the texts of a key path, which one of the methods of `NSString` compares; another method
  /// is an error of the fetch.
  public convenience init(key: String?, ascending: Bool, selector: Selector?) {
    guard let selector, selector.name.filter({ $0 != ":" }) != "compare" else {
      self.init(key: key, ascending: ascending)
      return
    }
    let path = key ?? "self"
    self.init(keyPath: \NSObject.self, ascending: ascending) { left, right in
      // SQL does not know the order.
      left is OrderProbe ? .orderedSame : selector.order(left, right, by: path)
    }
  }

  /// The key path and the direction, where the order is one by a key path.
  var sortKey: (path: [String], isAscending: Bool)? {
    guard keyPath == \NSObject.self else { return nil }
    let probe = OrderProbe()
    _ = compare(probe, to: probe)
    return probe.path.map { ($0, ascending) }
  }

  private static func path(_ key: String) -> [String] { key.split(separator: ".").map(String.init) }

  private static func order(_ left: Any, _ right: Any, by key: String) -> ComparisonResult {
    guard let left = left as? NSManagedObject, let right = right as? NSManagedObject,
      let first = left.stored, let second = right.stored, let context = left.managedObjectContext
    else {
      PendingError.recordUnsupported("An order was asked for of something")
      return .orderedSame
    }
    return context.reporting {
      let path = ObjectModel.Expression.keyPath(
        .evaluatedObject,
        path(key)
      )
      let evaluator = context.evaluator
      let precedes = try evaluator.precedes(
        evaluator.evaluate(path, with: .object(first)),
        evaluator.evaluate(path, with: .object(second))
      )
      return precedes.map { $0 ? .orderedAscending : .orderedDescending } ?? .orderedSame
    } ?? .orderedSame
  }
}
