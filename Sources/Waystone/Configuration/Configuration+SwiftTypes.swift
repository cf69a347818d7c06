internal import ObjectModel
package import SwiftDataImport
internal import Yams

extension Configuration {
  /// The form of a Swift type that the file states, with the line.
  package struct StatedForm: Hashable, Sendable {
    /// The form.
    package var form: TypeForm
    /// The line in the file, from 1.
    package var line: Int
  }
}

extension Configuration.SwiftDataKeys {
  /// The greatest depth of composites in composites.
  private static let greatestDepth = 8

  /// Returns what `types:` states: for each Swift type the form in which stores of the app keep it.
  static func forms(
    _ node: Node,
    _ configuration: Configuration
  ) throws(WaystoneError) -> [String: Configuration.StatedForm] {
    guard case .mapping(let mapping) = node else {
      throw configuration.expected("an attribute type for each Swift type", "types", node)
    }
    var result: [String: Configuration.StatedForm] = [:]
    for (key, value) in mapping {
      let name = try configuration.entry(key, "types", "a Swift type")
      result[name.text] = .init(
        form: try form(value, of: name.text, configuration, depth: 0),
        line: name.line
      )
    }
    return result
  }

  private static func form(
    _ node: Node,
    of type: String,
    _ configuration: Configuration,
    depth: Int
  ) throws(WaystoneError) -> TypeForm {
    func refusal() -> WaystoneError {
      configuration.error(
        line: node.mark?.line,
        "That is no form in which SwiftData keeps \(type).",
        recovery:
          "Write an attribute type such as `Integer 64` or `Transformable`, `raw String` for an enum, or the "
          + "elements of a composite: `{latitude: Double?, longitude: Double?}`."
      )
    }
    switch node {
    case .mapping(let mapping) where depth < greatestDepth && !mapping.isEmpty:
      var elements: [TypeForm.Element] = []
      for (key, value) in mapping {
        let name = try configuration.entry(key, "types", "the name of an element").text
        let isOptional = value.scalar?.string.hasSuffix("?") == true
        var element = value
        if isOptional, let text = value.scalar?.string {
          element = .scalar(Node.Scalar(String(text.dropLast()), .implicit, .any, value.mark))
        }
        elements.append(
          .init(
            name,
            try form(element, of: type, configuration, depth: depth + 1),
            // A composite in a composite may lack a value, too.
            isOptional: isOptional || value.mapping != nil
          )
        )
      }
      return .composite(elements)
    case .scalar(let scalar):
      let text = scalar.string
      if text.hasPrefix(TypeForm.raw), depth == 0,
        let raw = attributeType(String(text.dropFirst(TypeForm.raw.count)))
      {
        return .rawValue(raw)
      }
      guard let known = attributeType(text) else { throw refusal() }
      return .attribute(known)
    default: throw refusal()
    }
  }

  /// Returns the attribute type of a name, where stores keep values of it.
  private static func attributeType(_ name: String) -> AttributeType? {
    guard let type = AttributeType.namesInXcode[name],
      ![.undefined, .objectID, .composite].contains(type)
    else { return nil }
    return type
  }
}
