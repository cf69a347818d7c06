import Files
import XMLParsing

/// A reader of a store of Core Data's XML kind (`NSXMLStoreType`), which keeps one object at a time.
///
/// The format is that of CoreData.dtd, whose file is not fetched. It was measured on 36 files that versions
/// 186 to 1340 of the framework wrote, all in public projects.
package struct XMLStoreReader {
  /// The path, as messages have it.
  let path: String

  /// The limits of an object: 100,000 properties, and 256 MiB of text.
  private static let limits = XMLLimits(
    subject: "store of the XML kind",
    depth: 32,
    count: 100_000,
    attributeCount: 64,
    size: 256 << 20
  )

  package init(_ path: String) { self.path = path }

  /// Returns the head of the file: the store's identifier and its metadata.
  ///
  /// - Throws: ``StoreAccessError``.
  package func head() throws(StoreAccessError) -> XMLStoreHead {
    var head: XMLStoreHead?
    try read { element in
      head = try XMLStoreHead(element, path: path)
      return false
    } object: { _ in
      false
    }
    guard let head else { throw StoreAccessError.inXMLStore(path, nil, "it has no databaseInfo") }
    return head
  }

  /// Returns the number of objects of each entity, by the entity's name in capitals.
  ///
  /// - Throws: ``StoreAccessError``.
  package func counts() throws(StoreAccessError) -> [String: Int] {
    var counts: [String: Int] = [:]
    try forEachObject { counts[$0.type.uppercased(), default: 0] += 1 }
    return counts
  }

  /// Passes each object to a closure.
  ///
  /// - Throws: ``StoreAccessError``; other errors of the closure become one.
  /// - Complexity: O(*n*) in the bytes, in memory for one object.
  func forEachObject(_ body: (XMLStoreObject) throws -> Void) throws(StoreAccessError) {
    var hasHead = false
    try read { element in
      guard !hasHead else {
        throw StoreAccessError.inXMLStore(path, element.line, "it has a second databaseInfo")
      }
      hasHead = true
      return true
    } object: { object in
      try body(object)
      return true
    }
    guard hasHead else { throw StoreAccessError.inXMLStore(path, nil, "it has no databaseInfo") }
  }

  private func read(
    head: (XMLElement) throws -> Bool,
    object: (XMLStoreObject) throws -> Bool
  ) throws(StoreAccessError) {
    do {
      let file = try OpenFile(plainFile: FileSystem.resolved(path))
      var offset: Int64 = 0
      var bytes = [UInt8](repeating: 0, count: 256 << 10)
      try XMLElementStream.forEachChild(within: Self.limits) {
        let count = try file.read(into: &bytes, at: offset)
        offset += Int64(count)
        return bytes[..<count]
      } _: { root, element in
        guard root == "database" else {
          throw StoreAccessError.inXMLStore(
            path,
            element.line,
            "the file is a \(root.prefix(40)), and no database of Core Data's"
          )
        }
        switch element.name {
        case "databaseInfo": return try head(element)
        case "object": return try object(XMLStoreObject(element, path: path))
        default:
          throw StoreAccessError.inXMLStore(
            path,
            element.line,
            "\(element.name.prefix(40)) is no element of such a store"
          )
        }
      }
    } catch let error as StoreAccessError {
      throw error
    } catch let error as XMLError {
      throw .inXMLStore(path, error.line, XMLStoreHead.clause(error.message))
    } catch let error as SQLiteError {
      throw StoreAccessError(error)
    } catch let error as FileError {
      throw StoreAccessError(error)
    } catch {
      throw StoreAccessError(code: .other, message: "\(path) cannot be read: \(error)")
    }
  }
}
