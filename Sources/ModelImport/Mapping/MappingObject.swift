import ObjectModel
import PropertyLists
import XMLParsing

/// An object of an `xcmapping.xml`: scalars and references by name.
struct MappingObject {
  let element: XMLElement
  let file: String

  init(_ element: XMLElement, file: String) {
    self.element = element
    self.file = file
  }

  var id: String { element["id"] ?? "" }
  var type: String { element["type"] ?? "" }
  var line: Int { element.line }

  /// Returns the text of an attribute; nil where it is absent or empty, which the editor means alike.
  func text(_ name: String) -> String? {
    let text = element.children.first { $0.name == "attribute" && $0["name"] == name }?.text
    return text.map(EscapedText.unescaped).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the text of an attribute that must be there.
  func required(_ name: String) throws(ModelImportError) -> String {
    guard let text = text(name) else { throw damaged("The object has no \(name).") }
    return text
  }

  /// Returns a whole number.
  func number(_ name: String) throws(ModelImportError) -> Int64? {
    guard let text = text(name) else { return nil }
    guard let number = Int64(text) else { throw damaged("The \(name) is no number.") }
    return number
  }

  /// Returns bytes, which are written as base64 with line breaks.
  func bytes(_ name: String) throws(ModelImportError) -> [UInt8]? {
    guard let text = text(name) else { return nil }
    guard let bytes = Base64.bytes(text) else { throw damaged("The \(name) is no base64.") }
    return bytes.isEmpty ? nil : bytes
  }

  /// Returns the identifiers of the objects that a relationship leads to.
  func references(_ name: String) -> [String] {
    element.children.first { $0.name == "relationship" && $0["name"] == name }?["idrefs"]?
      .split(separator: " ").map(String.init) ?? []
  }

  /// Returns the annotations, which are an archived dictionary.
  func userInfo() throws(ModelImportError) -> [String: String] {
    guard let bytes = try bytes("userinfodata") else { return [:] }
    let value: ArchivedValue?
    do throws(PropertyListError) {
      value = try KeyedArchive(bytes).top("root")
    } catch {
      throw damaged("The user info cannot be read: \(error.message)")
    }
    guard let entries = value?.entries else { throw damaged("The user info is no dictionary.") }
    return Dictionary(
      entries.compactMap { entry in entry.value.string.map { (entry.key, $0) } },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// Returns the error for an object of a wrong form.
  func damaged(_ message: String) -> ModelImportError {
    ModelImportError(
      .badValue,
      file: file,
      line: line,
      element: "object",
      message: message,
      recovery: "Open the mapping model in Xcode and save it, or restore it from version control."
    )
  }
}
