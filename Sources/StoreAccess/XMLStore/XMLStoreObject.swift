import XMLParsing

/// An object of a store of the XML kind, as its element has it.
struct XMLStoreObject {
  /// The value of an attribute.
  struct Value {
    /// The name, which the framework writes in small letters.
    let name: String
    /// The name of the type, such as `int32`.
    let type: String
    /// The characters, with their escapes.
    let text: String
    let line: Int
  }

  /// The links of a relationship.
  struct Links {
    /// The name, which the framework writes in small letters.
    let name: String
    /// The identifiers of the destinations, in their order.
    let identifiers: [Substring]
    let line: Int
  }

  /// The identifier, such as `z102`, unique in the file.
  let identifier: String
  /// The name of the entity, which the framework writes in capitals.
  let type: String
  /// The line on which the start tag ends.
  let line: Int
  /// The attributes that have a value.
  private(set) var values: [Value] = []
  /// The relationships, those without any link included.
  private(set) var links: [Links] = []

  /// Reads the element.
  ///
  /// - Throws: ``StoreAccessError`` with `damaged`, which names the line and the object.
  init(_ element: XMLElement, path: String) throws(StoreAccessError) {
    guard let identifier = element["id"], !identifier.isEmpty,
      !identifier.utf8.contains(where: { $0 <= 0x20 })
    else { throw .inXMLStore(path, element.line, "an object has no identifier") }
    guard let type = element["type"], !type.isEmpty else {
      throw .inXMLStore(path, element.line, object: identifier, "it has no entity")
    }
    self.identifier = identifier
    self.type = type
    line = element.line
    func fault(_ line: Int, _ words: String) -> StoreAccessError {
      .inXMLStore(path, line, object: identifier, words)
    }
    guard XMLStoreHead.isBlank(element.text) else {
      throw fault(element.line, "there is text between its attributes")
    }
    var names: Set<String> = []
    for child in element.children {
      guard let name = child["name"], !name.isEmpty else {
        throw fault(child.line, "an element \(child.name.prefix(40)) has no name")
      }
      guard names.insert(name.lowercased()).inserted else {
        throw fault(child.line, "it has two elements for \(name.prefix(80))")
      }
      guard child.children.isEmpty else {
        throw fault(child.line, "\(name.prefix(80)) has elements inside, whose form is not known")
      }
      switch child.name {
      case "attribute":
        values.append(
          Value(name: name, type: child["type"] ?? "", text: child.text, line: child.line)
        )
      case "relationship":
        guard XMLStoreHead.isBlank(child.text) else {
          throw fault(child.line, "the relationship \(name.prefix(80)) has text")
        }
        let references = child["idrefs"] ?? ""
        links.append(
          Links(
            name: name,
            identifiers: references.utf8.split(whereSeparator: { $0 <= 0x20 })
              .map { Substring($0) },
            line: child.line
          )
        )
      default:
        throw fault(child.line, "\(child.name.prefix(40)) is no attribute and no relationship")
      }
    }
  }
}
