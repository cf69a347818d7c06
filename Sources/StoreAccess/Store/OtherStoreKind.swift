import Files
import ObjectModel
import XMLParsing

/// A kind of Core Data's stores that is no SQLite database.
package enum OtherStoreKind: Hashable, Sendable {
  /// `NSXMLStoreType`: a `<database>` of CoreData.dtd.
  case xml
  /// `NSBinaryStoreType`: a keyed archive.
  case binary

  /// The bytes that suffice to recognize the kind of a store.
  package static let headSize = 2_048

  /// Recognizes a kind by the first bytes of a file; nil where they are of neither.
  ///
  /// An XML property list, or any other XML, is no store, and neither is a mapping model of Xcode's.
  package init?(_ bytes: [UInt8]) {
    if bytes.starts(with: "bplist".utf8) {
      self = .binary
      return
    }
    let head = Self.plain(bytes.prefix(Self.headSize))
    let start = head.starts(with: [0xef, 0xbb, 0xbf]) ? head.dropFirst(3) : head
    guard start.drop(while: { [0x20, 0x09, 0x0a, 0x0d].contains($0) }).first == UInt8(ascii: "<")
    else { return nil }
    let text = String(decoding: head, as: UTF8.self)
    let isOfType = text.contains("<!DOCTYPE database") && text.contains("CoreData.dtd")
    guard isOfType || text.contains("<database>") && text.contains("<databaseInfo>"),
      // The mapping models of Xcode's editor, which it keeps as such stores.
      !text.contains("<key>XDDev")
    else { return nil }
    self = .xml
  }

  /// Returns the beginning of a text; one in UTF-16 as far as it is ASCII, which is enough to recognize it.
  private static func plain(_ head: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard XMLElementStream.isUTF16(head) else { return head }
    return head.filter { $0 != 0 && $0 < 0x80 }[...]
  }

  /// Recognizes the kind of a file; nil where it is of neither.
  ///
  /// - Throws: ``StoreAccessError`` where it cannot be read.
  package init?(ofFileAt path: String) throws(StoreAccessError) {
    let bytes = try asStoreAccess(files: { () throws(FileError) -> [UInt8]? in
      let path = try FileSystem.resolved(path)
      guard try FileSystem.status(path)?.kind == .file else { return nil }
      return try OpenFile(reading: path).read(count: Self.headSize, at: 0)
    })
    guard let bytes else { return nil }
    self.init(bytes)
  }

  /// The kind in words, for a sentence that begins with the file.
  package var words: String {
    switch self {
    case .xml: "a store of Core Data's XML kind (NSXMLStoreType)"
    case .binary:
      "a binary property list, as stores of Core Data's binary kind (NSBinaryStoreType) are"
    }
  }

  /// Returns the refusal of such a store where one of the SQLite kind is needed.
  package func error(of path: String) -> StoreAccessError {
    switch self {
    case .xml:
      StoreAccessError(
        code: .unsupported,
        message: "\(path) is \(words), and this needs one of the SQLite kind",
        recovery:
          "Make one of it first: waystone migrate \(path.shellWord) --output NEW.sqlite. The original "
          + "stays as it is."
      )
    case .binary:
      StoreAccessError(
        code: .unsupported,
        message: "\(path) is \(words), and Waystone reads the SQLite and the XML kind only",
        recovery: "Let the app copy it into a SQLite store: NSPersistentStoreCoordinator has "
          + "migratePersistentStore(_:to:options:withType:) for that."
      )
    }
  }
}
