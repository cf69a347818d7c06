private import CLibXML2

/// A parser of XML of bounded size and depth into elements.
///
/// libxml2's SAX2 interface is used, so that no document is built and nothing is expanded: no
/// network, no external subset, no entities but the five of XML itself. A document type with an
/// internal subset is refused, as neither models nor property lists have one.
enum XMLTree {
  /// The greatest size in bytes; the largest model of a public app has 100 KB.
  static let greatestSize = 32 << 20
  /// The greatest depth of elements; models have five levels.
  static let greatestDepth = 32
  /// The greatest number of elements.
  static let greatestCount = 500_000

  /// Sets libxml2 up, which must be done before several threads use it.
  static func prepare() { xmlInitParser() }

  /// The greatest number of attributes of an element; models have up to 20.
  static let greatestAttributeCount = 5000

  /// Returns the root element.
  ///
  /// - Throws: ``ModelImportError`` with the line at fault.
  static func parse(_ bytes: [UInt8], file: String) throws(ModelImportError) -> XMLElement {
    let builder = XMLTreeBuilder(file: file)
    guard bytes.count <= greatestSize else {
      throw builder.error(
        .tooLarge,
        line: nil,
        "The file is larger than \(greatestSize >> 20) MiB.",
        "Models are far smaller; check that this is one."
      )
    }
    guard !hasCrowdedTag(bytes) else {
      throw builder.error(
        .tooLarge,
        line: nil,
        "An element seems to have more than \(greatestAttributeCount) attributes.",
        "Models have far less; check that this is one."
      )
    }
    let isWellFormed = builder.run(bytes)
    if let failure = builder.failure { throw failure }
    guard isWellFormed, let root = builder.root else {
      throw builder.error(
        .notXML,
        line: nil,
        "The file is not well-formed XML.",
        "Restore it from version control."
      )
    }
    return root
  }

  /// Returns whether so many equals signs are between two opening brackets that they may be those of
  /// more attributes than accepted.
  ///
  /// libxml2 compares each attribute of an element with all before it, and reports none of them
  /// until it has done so: the time grows with the square of their number.
  private static func hasCrowdedTag(_ bytes: [UInt8]) -> Bool {
    var count = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "<"): count = 0
      case UInt8(ascii: "="):
        count += 1
        if count > greatestAttributeCount { return true }
      default: break
      }
    }
    return false
  }
}
