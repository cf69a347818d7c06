/// A kind of Core Data's stores that is no SQLite database.
package enum OtherStoreKind: Hashable, Sendable {
  /// `NSXMLStoreType`: a `<database>` of CoreData.dtd.
  case xml
  /// `NSBinaryStoreType`: a keyed archive.
  case binary

  /// Recognizes a kind by the first bytes of a file; nil where they are of neither.
  ///
  /// An XML property list, or any other XML, is no store.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: "bplist".utf8) {
      self = .binary
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.contains("<database>") || text.contains("<!DOCTYPE database"),
      text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<"
    else { return nil }
    self = .xml
  }

  /// The kind in words, for a sentence that begins with the file.
  package var words: String {
    switch self {
    case .xml: "a store of Core Data's XML kind (NSXMLStoreType)"
    case .binary:
      "a binary property list, as stores of Core Data's binary kind (NSBinaryStoreType) are"
    }
  }

  /// Returns the refusal of such a store.
  func error(of path: String) -> StoreAccessError {
    StoreAccessError(
      code: .unsupported,
      message: "\(path) is \(words), and Waystone reads the SQLite kind only",
      recovery: "Let the app copy it into a SQLite store: NSPersistentStoreCoordinator has "
        + "migratePersistentStore(_:to:options:withType:) for that."
    )
  }
}
