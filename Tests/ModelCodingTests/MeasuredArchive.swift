import ObjectModel
import PropertyLists

/// Archives of expressions as mapping models of public apps have them, made anew.
struct MeasuredArchive {
  private typealias Reference = KeyedArchiveWriter.Reference

  private var writer = KeyedArchiveWriter()

  /// The archive of an expression; nil for forms whose archives were never seen.
  static func archive(_ expression: Expression) -> [UInt8]? {
    var archive = MeasuredArchive()
    guard let root = archive.add(expression) else { return nil }
    return archive.writer.archive(root: root)
  }

  private mutating func object(
    _ classes: [String],
    _ type: Int64,
    _ fields: [String: PropertyList]
  ) -> Reference {
    writer.object(
      hierarchy: classes + ["NSExpression", "NSObject"],
      fields.merging(["NSExpressionType": .integer(type)]) { $1 }
    )
  }

  private mutating func add(_ expression: Expression) -> Reference? {
    switch expression {
    case .evaluatedObject: return object(["NSSelfExpression"], 1, [:])
    case .variable(let name):
      let text = writer.string(name)
      return object(["NSVariableExpression"], 2, ["NSVariable": text.value])
    case .constant(let value): return constant(value)
    case .className(let name):
      let text = writer.string(name)
      return object(
        ["NSConstantValueExpression"],
        0,
        ["NSConstantValueClassName": text.value]
      )
    case .keyPath(let operand, let path):
      let text = writer.string(path.joined(separator: "."))
      let specifier = object(["NSKeyPathSpecifierExpression"], 10, ["NSKeyPath": text.value])
      let isOwn = operand == .evaluatedObject
      return call(
        ["NSKeyPathExpression", "NSFunctionExpression"],
        isOwn ? 3 : 4,
        operand,
        isOwn ? "valueForKey:" : "valueForKeyPath:",
        [specifier]
      )
    case .function(let target, let selector, let arguments):
      let list = arguments.compactMap { add($0) }
      return call(["NSFunctionExpression"], 4, target, selector, list)
    case .call(let selector, let arguments):
      let list = arguments.compactMap { add($0) }
      let library = Expression.className("_NSPredicateUtilities")
      return call(["NSFunctionExpression"], 4, library, selector, list)
    case .aggregate(let members):
      let list = members.compactMap { add($0) }
      let array = writer.array(list)
      return object(["NSAggregateExpression"], 14, ["NSCollection": array.value])
    case .fetch(let request, let context, let countOnly):
      guard let request = add(request), let context = add(context) else { return nil }
      return object(
        ["NSFetchRequestExpression"],
        50,
        [
          "NSFRExpression": request.value, "NSMOCExpression": context.value,
          "NSCountOnlyFlag": .boolean(countOnly),
        ]
      )
    case .conditional, .subquery, .setOperation: return nil
    }
  }

  private mutating func constant(_ value: AttributeValue?) -> Reference? {
    let reference: Reference
    switch value {
    case nil: reference = .null
    case .integer(let number): reference = writer.scalar(.integer(number))
    case .real(let number): reference = writer.scalar(.real(number))
    case .boolean(let flag): reference = writer.scalar(.boolean(flag))
    case .string(let text): reference = writer.string(text)
    case .date(let seconds): reference = writer.date(seconds)
    case .decimal(let digits):
      guard let number = DecimalNumber(digits) else { return nil }
      reference = writer.decimal(number)
    case .binary, .uuid, .uri: return nil
    }
    return object(["NSConstantValueExpression"], 0, ["NSConstantValue": reference.value])
  }

  private mutating func call(
    _ classes: [String],
    _ type: Int64,
    _ target: Expression,
    _ selector: String,
    _ arguments: [Reference]
  ) -> Reference? {
    guard let operand = add(target) else { return nil }
    let name = writer.string(selector)
    let list = writer.array(arguments, isMutable: true)
    return object(
      classes,
      type,
      ["NSOperand": operand.value, "NSSelectorName": name.value, "NSArguments": list.value]
    )
  }
}
