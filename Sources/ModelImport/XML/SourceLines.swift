import XMLParsing

/// The lines on which a model's XML file declares its entities and their properties.
package struct SourceLines: Hashable, Sendable {
  private struct Name: Hashable {
    var entity: String
    var property: String?
  }

  /// The elements of an entity that are properties.
  private static let properties: Set<String> = ["attribute", "relationship", "fetchedProperty"]

  private var lines: [Name: Int] = [:]

  /// The lines of the `contents` file of an `.xcdatamodel`.
  ///
  /// - Throws: ``ModelImportError`` where the file cannot be read or is no XML, as one of Xcode 3 or
  ///   a compiled one.
  /// - Complexity: O(*n*) in the file's bytes.
  package init(contentsOf path: String) throws(ModelImportError) {
    let file = FilePath(path)
    self.init(try XMLTree.parse(file.bytes(limit: XMLTree.limits.size), file: path))
  }

  private init(_ root: XMLElement) {
    for entity in root.children(named: "entity") {
      guard let name = entity["name"] else { continue }
      take(Name(entity: name), entity)
      for property in entity.children where Self.properties.contains(property.name) {
        if let own = property["name"] { take(Name(entity: name, property: own), property) }
      }
    }
  }

  /// Records the line of a declaration; of two with one name the first counts.
  private mutating func take(_ name: Name, _ element: XMLElement) {
    if lines[name] == nil { lines[name] = element.line }
  }

  /// Returns the line of a property, of the entity where the property is not declared, or nil.
  package func line(entity: String, property: String?) -> Int? {
    property.flatMap { lines[Name(entity: entity, property: $0)] } ?? lines[Name(entity: entity)]
  }
}
