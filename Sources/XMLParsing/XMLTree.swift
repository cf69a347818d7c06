/// A parser of XML of bounded size and depth into elements.
///
/// libxml2's SAX2 interface is used, so that no document is built and nothing is expanded: no
/// network, no external subset, no entities but the five of XML itself. A document type with an
/// internal subset is refused, as neither models nor property lists have one.
package enum XMLTree {
  /// The limits of what is read.
  package static let limits = XMLLimits.model

  /// Sets libxml2 up, which must be done before several threads use it.
  package static func prepare() { XMLElementBuilder.prepare() }

  /// Returns the root element.
  ///
  /// - Throws: ``XMLError`` with the line at fault.
  package static func parse(_ bytes: [UInt8]) throws(XMLError) -> XMLElement {
    guard bytes.count <= limits.size else {
      throw XMLError(.tooLarge, "The file is larger than \(limits.size >> 20) MiB.")
    }
    let builder = XMLElementBuilder(limits: limits)
    var offset = 0
    try builder.run {
      let part = bytes[offset...].prefix(65_536)
      offset += part.count
      return part
    }
    guard let root = builder.root else {
      throw XMLError(.notWellFormed, "The file is not well-formed XML.")
    }
    return root
  }
}
