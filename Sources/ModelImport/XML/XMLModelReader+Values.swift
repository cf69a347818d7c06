import ObjectModel
import XMLParsing

extension XMLModelReader {
  /// Returns the place of an element.
  func place(
    _ element: XMLElement,
    entity: String? = nil,
    property: String? = nil
  ) -> Finding.Place {
    Finding.Place(file: file, line: element.line, entity: entity, property: property)
  }

  /// Notes a value that is left out.
  mutating func unusable(
    _ attribute: String,
    of element: XMLElement,
    at place: Finding.Place,
    _ why: String
  ) {
    findings.append(
      Finding(
        .unusableValue,
        .warning,
        at: place,
        message: "The \(attribute) of this \(element.name) cannot be used, as \(why); "
          + "it is left out.",
        remedy: "Correct it in Xcode's model editor."
      )
    )
  }

  /// Notes a default that is not of its type and is read as Xcode's compiler reads it: by its
  /// beginning, else as 0 or NO.
  mutating func noteCompiled(
    _ text: String,
    as value: AttributeValue,
    of element: XMLElement,
    at place: Finding.Place
  ) {
    let number =
      switch value {
      case .integer(let value): "\(value)"
      case .real(let value): "\(value)"
      case .boolean(let value): value ? "YES" : "NO"
      default: "what it begins with"
      }
    findings.append(
      Finding(
        .unusableValue,
        .note,
        at: place,
        message:
          "Default \"\(text.prefix(40))\" is not of type \(element["attributeType"] ?? "Undefined"); "
          + "Xcode and Waystone read it as \(number).",
        remedy: "Correct it in Xcode's model editor, which changes no version hash."
      )
    )
  }

  /// Returns the error for a value without which the hashes would be wrong.
  func badValue(
    _ attribute: String,
    of element: XMLElement,
    _ why: String
  ) -> ModelImportError {
    ModelImportError(
      .badValue,
      file: file,
      line: element.line,
      element: element.name,
      message: "The \(attribute) of this \(element.name) \(why).",
      recovery: "Correct it in Xcode's model editor."
    )
  }

  /// Returns a value that must be there and not be empty.
  func required(_ name: String, of element: XMLElement) throws(ModelImportError) -> String {
    guard let value = element[name], !value.isEmpty else {
      throw badValue(name, of: element, "is missing")
    }
    return value
  }

  /// Returns a value, the empty one meaning none.
  func optional(_ name: String, of element: XMLElement) -> String? {
    element[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns a boolean in any spelling that `NSString.boolValue` and Xcode share, or nil where absent.
  mutating func flag(
    _ name: String,
    of element: XMLElement,
    at place: Finding.Place
  ) -> Bool? {
    guard let text = element[name] else { return nil }
    guard let value = Self.boolean(text) else {
      unusable(name, of: element, at: place, "it is neither YES nor NO")
      return nil
    }
    return value
  }

  /// Returns a boolean that goes into version hashes, where absent false.
  func hashedFlag(_ name: String, of element: XMLElement) throws(ModelImportError) -> Bool {
    guard let text = element[name] else { return false }
    guard let value = Self.boolean(text) else {
      throw badValue(name, of: element, "is neither YES nor NO")
    }
    return value
  }

  static func boolean(_ text: String) -> Bool? {
    switch text {
    case "YES", "yes", "true", "1": true
    case "NO", "no", "false", "0": false
    default: nil
    }
  }

  /// Returns the annotations inside an element.
  mutating func userInfo(
    of element: XMLElement,
    at place: Finding.Place
  ) -> [String: String] {
    var result: [String: String] = [:]
    for entry in element.children(named: "userInfo").flatMap({ $0.children(named: "entry") }) {
      guard let key = entry["key"], result[key] == nil else {
        var place = place
        place.line = entry.line
        unusable("key", of: entry, at: place, "it is missing or recurs")
        continue
      }
      result[key] = entry["value"] ?? ""
    }
    return result
  }
}
