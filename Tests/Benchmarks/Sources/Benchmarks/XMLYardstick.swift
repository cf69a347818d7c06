import CLibXML2

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The least that reading models can cost: libxml2 walks the same files, and nothing is kept.
enum XMLYardstick {
  /// Parses the file `contents` of each version of an `.xcdatamodeld`, one after the other.
  ///
  /// libxml2's SAX2 interface calls an empty function for each start and end of an element and for
  /// each text.
  /// - Throws: ``BenchmarkError`` for a file that is not well-formed.
  static func parse(_ model: String) throws {
    xmlInitParser()
    for path in versions(of: model) {
      guard let data = FileManager.default.contents(atPath: path), isWellFormed(data) else {
        throw BenchmarkError("\(path) is not well-formed XML")
      }
    }
  }

  /// The paths of the files `contents` in an `.xcdatamodeld`.
  static func versions(of model: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: model)) ?? []
    return names.filter { $0.hasSuffix(".xcdatamodel") }.sorted()
      .map { "\(model)/\($0)/contents" }
  }

  private static func isWellFormed(_ data: Data) -> Bool {
    var handler = xmlSAXHandler()
    handler.initialized = UInt32(XML_SAX2_MAGIC)
    handler.startElementNs = { _, _, _, _, _, _, _, _, _ in }
    handler.endElementNs = { _, _, _, _ in }
    handler.characters = { _, _, _ in }
    guard let parser = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else { return false }
    defer { xmlFreeParserCtxt(parser) }
    data.withUnsafeBytes { bytes in
      let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      _ = xmlParseChunk(parser, text, Int32(bytes.count), 1)
    }
    return parser.pointee.wellFormed != 0
  }
}
