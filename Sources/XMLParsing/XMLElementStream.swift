/// A parser of XML of any length, which hands over the children of the root one by one and keeps none.
///
/// Memory is bounded by the greatest child. Nothing is expanded or fetched, as in ``XMLTree``; a file that
/// declares another encoding than UTF-8 is refused.
package enum XMLElementStream {
  /// Parses a file, part by part.
  ///
  /// - Parameters:
  ///   - limits: The limits of each child, and of the depth.
  ///   - next: Returns the next bytes of the file; none at its end.
  ///   - body: Receives the root's name and a child; returns whether to go on.
  /// - Throws: ``XMLError`` with the line at fault, and the errors of the closures.
  /// - Complexity: O(*n*) in the bytes.
  package static func forEachChild(
    within limits: XMLLimits,
    next: () throws -> ArraySlice<UInt8>,
    _ body: (_ root: String, _ child: XMLElement) throws -> Bool
  ) throws {
    try withoutActuallyEscaping(body) { body in
      let builder = XMLElementBuilder(limits: limits, onChild: body)
      defer { builder.onChild = nil }
      var failure: (any Error)?
      var isFirst = true
      do throws(XMLError) {
        try builder.run {
          do {
            let part = try next()
            if isFirst { try checkEncoding(part) }
            isFirst = false
            return part
          } catch {
            failure = error
            return []
          }
        }
      } catch {
        throw failure ?? error
      }
      if let failure { throw failure }
      if let thrown = builder.thrown { throw thrown }
    }
  }

  /// Returns whether a file that begins with these bytes is XML in UTF-16, with or without a mark of its order.
  package static func isUTF16(_ head: ArraySlice<UInt8>) -> Bool {
    let starts: [[UInt8]] = [
      [0xff, 0xfe], [0xfe, 0xff], [UInt8(ascii: "<"), 0], [0, UInt8(ascii: "<")],
    ]
    return starts.contains { head.starts(with: $0) }
  }

  /// Throws if an XML declaration names another encoding than UTF-8 and its part ASCII.
  private static func checkEncoding(_ part: ArraySlice<UInt8>) throws(XMLError) {
    guard !isUTF16(part) else {
      throw XMLError(
        .notWellFormed,
        line: 1,
        "The file is in UTF-16, and stores of the XML kind are UTF-8."
      )
    }
    let head = String(decoding: part.prefix(256), as: UTF8.self)
    guard let end = head.firstRange(of: "?>"), head.contains("<?xml"),
      let name = head[..<end.lowerBound].firstRange(of: "encoding")
    else { return }
    let rest = head[name.upperBound..<end.lowerBound].drop { $0 == " " || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return }
    let encoding = rest.dropFirst().prefix { $0 != quote }
    guard !["utf-8", "utf8", "us-ascii", "ascii"].contains(encoding.lowercased()) else { return }
    throw XMLError(
      .notWellFormed,
      line: 1,
      "The file declares the encoding \(encoding.prefix(40)), and stores of the XML kind are UTF-8."
    )
  }
}
