/// A parser of XML of any length, which hands over the children of the root one by one and keeps none.
///
/// Memory is bounded by the greatest child. Nothing is expanded or fetched, as in ``XMLTree``; the file is
/// taken for UTF-8, and an encoding that it declares does not count.
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
      do throws(XMLError) {
        try builder.run {
          do { return try next() } catch {
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
}
