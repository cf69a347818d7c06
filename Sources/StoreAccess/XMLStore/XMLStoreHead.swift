import PropertyLists
import XMLParsing

/// The head of a store of the XML kind: its `databaseInfo`.
package struct XMLStoreHead: Hashable, Sendable {
  /// The metadata, as a store of the SQLite kind keeps them; without version hashes where the file has none,
  /// as one that was written before Mac OS X 10.5 has.
  package let metadata: StoreMetadata

  /// Reads the element.
  ///
  /// - Throws: ``StoreAccessError`` with `damaged`, which names the line.
  init(_ element: XMLElement, path: String) throws(StoreAccessError) {
    func child(_ name: String) throws(StoreAccessError) -> XMLElement? {
      let found = element.children(named: name)
      guard found.count < 2 else {
        throw .inXMLStore(path, found[1].line, "databaseInfo has two elements \(name)")
      }
      return found.first
    }
    guard let uuid = try child("UUID"), !uuid.text.isEmpty, uuid.text.utf8.count <= 255 else {
      throw .inXMLStore(path, element.line, "databaseInfo has no UUID")
    }
    var list = PropertyList.dictionary([:])
    if let metadata = try child("metadata") {
      guard metadata.children.count < 2, Self.isBlank(metadata.text) else {
        throw .inXMLStore(path, metadata.line, "the metadata are no property list")
      }
      if let plist = metadata.children.first {
        do throws(XMLError) { list = try XMLPropertyList.read(plist) } catch {
          throw .inXMLStore(path, error.line ?? plist.line, Self.clause(error.message))
        }
      }
    }
    var entries = list.dictionary ?? [:]
    // The kind is that of the file that the metadata are in, and the identifier is beside them there.
    entries["NSStoreType"] = .string("SQLite")
    entries["NSStoreUUID"] = nil
    if entries[StoreMetadata.Key.versionHashes] == nil {
      entries[StoreMetadata.Key.versionHashes] = .dictionary([:])
    }
    entries[StoreMetadata.Key.autoVacuumLevel] = .string("2")
    metadata = try StoreMetadata(uuid: uuid.text, .dictionary(entries), path: path)
  }

  /// Returns whether a text has nothing but space.
  static func isBlank(_ text: String) -> Bool { text.utf8.allSatisfy { $0 <= 0x20 } }

  /// Returns a sentence as the part of another.
  static func clause(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

extension StoreAccessError {
  /// Returns the error of a place in a store of the XML kind.
  ///
  /// - Parameter fault: A clause without any value of the file.
  static func inXMLStore(
    _ path: String,
    _ line: Int?,
    object: String? = nil,
    _ fault: String,
    code: Code = .damaged,
    recovery: String? = nil
  ) -> StoreAccessError {
    let place = line.map { "\(path):\($0)" } ?? path
    let subject = object.map { "the object \($0.prefix(40)): " } ?? ""
    return StoreAccessError(
      code: code,
      message: "\(place): \(subject)\(fault)",
      recovery: recovery
        ?? "Take the store from a backup, or open it with the app that made it and save it there."
    )
  }
}
