extension Expression: CustomStringConvertible {
  /// The expression in the syntax of `NSExpression(format:)`; parsed, it gives an equal one.
  public var description: String {
    switch self {
    case .constant(let value): value.map(\.literal) ?? "nil"
    case .evaluatedObject: "SELF"
    case .variable(let name): "$\(name)"
    case .keyPath(let operand, let path): Self.text(of: path, from: operand)
    case .function(let target, let selector, let arguments):
      "FUNCTION(\(Self.list([target])), \(selector.quoted)"
        + arguments.map { ", \($0)" }.joined() + ")"
    case .className(let name): "CAST(\(name.quoted), \"Class\")"
    case .call(let selector, let arguments): Self.text(ofCall: selector, arguments)
    case .aggregate(let members): "{\(Self.list(members))}"
    case .conditional(let predicate, let first, let second):
      "TERNARY(\(predicate), \(first), \(second))"
    case .subquery(let collection, let variable, let predicate):
      "SUBQUERY(\(collection), $\(variable), \(predicate))"
    case .setOperation(let operation, let left, let right):
      "\(left) \(operation.rawValue) \(right.text(tighterThan: .set))"
    case .fetch(let request, let context, let countOnly):
      "FETCH(\(request), \(context), \(countOnly ? "YES" : "NO"))"
    }
  }

  private static func list(_ members: [Expression]) -> String {
    members.map(\.description).joined(separator: ", ")
  }

  private static func text(of path: [String], from operand: Expression) -> String {
    guard FormatName.areKeys(path), let first = path.first else {
      // A key that is no name has to be quoted.
      return "FUNCTION(\(operand), \"valueForKeyPath:\", \(path.joined(separator: ".").quoted))"
    }
    guard operand == .evaluatedObject else {
      return "\(operand.asTarget).\(path.joined(separator: "."))"
    }
    // The key of a composite's element has a dot within.
    let name = String(first.prefix { $0 != "." })
    let isReserved = FormatName.reserved.contains(name.uppercased())
    let prefix = isReserved ? "#" : FormatName.isKey(name) ? "" : "SELF."
    return prefix + path.joined(separator: ".")
  }

  private static func text(ofCall selector: String, _ arguments: [Expression]) -> String {
    guard arguments.count == 2 else { return "\(selector)(\(list(arguments)))" }
    switch selector {
    case "castObject:toType:": return "CAST(\(list(arguments)))"
    case "objectFrom:withIndex:":
      if case .call(let place, let rest) = arguments[1], rest.isEmpty,
        LibraryFunction.places.contains(place)
      {
        return "\(arguments[0].asCollection)[\(place)]"
      }
      return "\(arguments[0].asCollection)[\(arguments[1])]"
    default:
      guard let sign = LibraryFunction.signs[selector], let level = level(of: selector) else {
        return "\(selector)(\(list(arguments)))"
      }
      let left =
        if level == .power {
          arguments[0].isNegativeNumber
            ? "(\(arguments[0]))" : arguments[0].text(tighterThan: level)
        } else {
          arguments[0].text(atLeast: level)
        }
      return "\(left) \(sign) \(arguments[1].text(tighterThan: level))"
    }
  }

  /// The precedence of the operator that spells the expression; nil where it needs no parentheses.
  private var level: FormatParser.Level? {
    switch self {
    case .setOperation: .set
    case .call(let selector, let arguments) where arguments.count == 2:
      Self.level(of: selector)
    default: nil
    }
  }

  private static func level(of selector: String) -> FormatParser.Level? {
    switch selector {
    case "add:to:", "from:subtract:": .additive
    case "multiply:by:", "divide:by:": .multiplicative
    case "raise:toPower:": .power
    default: nil
    }
  }

  private func text(atLeast other: FormatParser.Level) -> String {
    level.map { $0 < other } == true ? "(\(self))" : description
  }

  private func text(tighterThan other: FormatParser.Level) -> String {
    level.map { $0 <= other } == true ? "(\(self))" : description
  }

  private var isNegativeNumber: Bool {
    switch self {
    case .constant(.integer(let number)): number < 0
    case .constant(.real(let number)): number.sign == .minus
    default: false
    }
  }

  /// The text before a bracket.
  private var asCollection: String { if case .keyPath = self { description } else { asTarget } }

  /// The text before a dot.
  private var asTarget: String {
    switch self {
    case .constant(.integer), .constant(.real), .constant(.boolean), .constant(nil): "(\(self))"
    case .keyPath(_, let path) where FormatName.areKeys(path): "(\(self))"
    default: level == nil ? description : "(\(self))"
    }
  }
}

extension AttributeValue {
  /// The value in a format string.
  ///
  /// Values that have no literal there are casts; bytes are cast from hexadecimal digits, which is
  /// Waystone's own form.
  fileprivate var literal: String {
    switch self {
    case .integer(let number): "\(number)"
    case .real(let number): Self.literal(number)
    case .decimal(let digits): "CAST(\(digits.quoted), \"NSDecimalNumber\")"
    case .string(let text): text.quoted
    case .uri(let text): "CAST(\(text.quoted), \"NSURL\")"
    case .boolean(let flag): flag ? "YES" : "NO"
    case .date(let seconds): "CAST(\(Self.literal(seconds)), \"NSDate\")"
    case .binary(let bytes): "CAST(\"\(Hexadecimal.string(bytes))\", \"NSData\")"
    case .uuid(let bytes): "CAST(\"\(Hexadecimal.string(bytes))\", \"NSUUID\")"
    }
  }

  private static func literal(_ number: Double) -> String {
    number.isFinite ? "\(number)" : "CAST(\"\(number.isNaN ? "nan" : "\(number)")\", \"NSNumber\")"
  }
}

extension String {
  /// The text in quotation marks, as a format string has it.
  fileprivate var quoted: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7f:
        result += "\\x" + Hexadecimal.string([UInt8(truncatingIfNeeded: scalar.value)])
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
