import Foundation
import MigrationTestSupport

/// A JSON Schema in the few words that our schemas use, to hold output against.
struct JSONSchema {
  /// The address of the published schemas.
  static let folder =
    SampleArchive.root + "/../Sources/StoreMigration/StoreMigration.docc/Resources"

  private let root: [String: Any]

  /// The schema of a name such as `waystone.plan/1`.
  init(_ name: String) throws {
    try self.init(file: "\(name.replacing("/", with: "-")).schema.json")
  }

  private init(file: String) throws { try self.init(at: "\(Self.folder)/\(file)") }

  /// The schema in a file.
  init(at path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    root = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
  }

  /// In what an output differs from the schema that it names.
  static func mistakes(inOutput output: [String: Any]) -> [String] {
    guard let name = output["schema"] as? String else { return ["$.schema: missing"] }
    guard let schema = try? JSONSchema(name) else { return ["$.schema: \(name) is not published"] }
    return schema.mistakes(in: output)
  }

  /// In what a value differs from the schema, with the place of each difference.
  func mistakes(in value: Any) -> [String] { mistakes(in: value, root, at: "$") }

  private func mistakes(in value: Any, _ schema: [String: Any], at place: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      let parts = reference.split(separator: "#", omittingEmptySubsequences: false)
      let other = parts[0].isEmpty ? self : try? JSONSchema(file: String(parts[0]))
      let name = parts.count < 2 ? nil : parts[1].split(separator: "/").last.map(String.init)
      let target =
        name.map { (other?.root["$defs"] as? [String: Any])?[$0] as? [String: Any] } ?? other?.root
      guard let other, let target else { return ["\(place): no definition \(reference)"] }
      return other.mistakes(in: value, target, at: place)
    }
    if let choices = schema["anyOf"] as? [[String: Any]] {
      let found = choices.map { mistakes(in: value, $0, at: place) }
      return found.contains([]) ? [] : found.first ?? []
    }
    let known: Set = [
      "$schema", "$defs", "title", "description", "type", "required", "properties", "items", "enum",
      "const", "additionalProperties", "anyOf",
    ]
    var found = schema.keys.filter { !known.contains($0) }.map { "\(place): unknown word \($0)" }
    if let wanted = schema["const"], !Self.equal(wanted, value) { found.append("\(place): const") }
    if let wanted = schema["enum"] as? [Any], !wanted.contains(where: { Self.equal($0, value) }) {
      found.append("\(place): none of the enum")
    }
    if let type = schema["type"] {
      let types = type as? [String] ?? [type as? String ?? ""]
      if !types.contains(where: { Self.isKind(value, $0) }) {
        return found + ["\(place): no \(types.joined(separator: " or "))"]
      }
    }
    if let members = value as? [String: Any] {
      let properties = schema["properties"] as? [String: Any] ?? [:]
      for name in schema["required"] as? [String] ?? [] where members[name] == nil {
        found.append("\(place).\(name): missing")
      }
      for (name, member) in members {
        if let schema = properties[name] as? [String: Any] {
          found += mistakes(in: member, schema, at: "\(place).\(name)")
        } else if let schema = schema["additionalProperties"] as? [String: Any] {
          found += mistakes(in: member, schema, at: "\(place).\(name)")
        } else if schema["additionalProperties"] as? Bool == false {
          found.append("\(place).\(name): not in the schema")
        }
      }
    }
    if let items = value as? [Any], let schema = schema["items"] as? [String: Any] {
      for (index, item) in items.enumerated() {
        found += mistakes(in: item, schema, at: "\(place)[\(index)]")
      }
    }
    return found
  }

  private static func equal(_ first: Any, _ second: Any) -> Bool {
    if first is NSNull || second is NSNull { return first is NSNull && second is NSNull }
    return first as? String == second as? String
  }

  private static func isKind(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "object": value is [String: Any]
    case "array": value is [Any]
    case "string": value is String
    case "null": value is NSNull
    case "boolean": (value as? NSNumber).map(isBoolean) ?? false
    case "integer":
      (value as? NSNumber).map { !isBoolean($0) && $0.doubleValue.rounded() == $0.doubleValue }
        ?? false
    case "number": (value as? NSNumber).map { !isBoolean($0) } ?? false
    default: false
    }
  }

  private static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }
}
