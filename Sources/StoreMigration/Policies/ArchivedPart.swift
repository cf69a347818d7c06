import ObjectModel
import PropertyLists

/// A reader of a part of the keyed archive that a transformable or binary attribute holds.
enum ArchivedPart {
  /// Returns the value at a path; nothing where it leads to none.
  ///
  /// The path has keys of dictionaries, places in arrays and keys of archived objects, with points between
  /// them; an empty one is the whole.
  /// - Throws: ``EvaluationError`` where the bytes are no keyed archive, or the part is an object of a
  ///   class that has no value.
  static func value(_ arguments: [ExpressionValue], in bytes: [UInt8]) throws -> ExpressionValue {
    guard arguments.count == 1, case .scalar(.string(let path)) = arguments[0] else {
      throw refusal("was given no path")
    }
    let archive: KeyedArchive
    do throws(PropertyListError) { archive = try KeyedArchive(bytes) } catch {
      throw refusal("was asked of bytes that are no keyed archive")
    }
    var found = archive.top("root")
    for name in path.split(separator: ".") {
      guard let value = found else { return .nothing }
      found = part(String(name), of: value)
    }
    let result = try found.map { try value($0, depth: 0) } ?? .nothing
    do throws(PropertyListError) { try archive.checkEffort() } catch {
      throw refusal("was asked of an archive that contains itself")
    }
    return result
  }

  private static func part(_ name: String, of value: ArchivedValue) -> ArchivedValue? {
    if let elements = value.elements {
      return Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    }
    if let entries = value.entries { return entries.last { $0.key == name }?.value }
    return value.object?[name]
  }

  /// The greatest depth of arrays in arrays; one that contains itself has no end.
  private static let greatestDepth = 64

  private static func value(_ archived: ArchivedValue, depth: Int) throws -> ExpressionValue {
    if archived.isNull { return .nothing }
    switch archived {
    case .plain(.boolean(let flag)): return .scalar(.boolean(flag))
    case .plain(.integer(let number)): return .scalar(.integer(number))
    case .plain(.real(let number)): return .scalar(.real(number))
    default: break
    }
    if let text = archived.string { return .scalar(.string(text)) }
    if let seconds = archived.date { return .scalar(.date(seconds)) }
    if let bytes = archived.data { return .scalar(.binary(bytes)) }
    if let bytes = archived.uuid { return .scalar(.uuid(bytes)) }
    if let text = archived.url { return .scalar(.uri(text)) }
    if let number = archived.decimal { return .scalar(.decimal(number.description)) }
    if let elements = archived.elements {
      guard depth < greatestDepth else { throw refusal("found arrays in each other without end") }
      return .list(try elements.map { try value($0, depth: depth + 1) })
    }
    throw refusal("found \(archived.kind), which is no value; name one of its keys")
  }

  private static func refusal(_ what: String) -> EvaluationError {
    EvaluationError(
      .wrongKind,
      "\(Expression.archivedValueAtPath) \(what).",
      recovery: "Correct the path, or read the value in a policy."
    )
  }
}
