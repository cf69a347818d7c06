/// A part of a tree: its root, and some of the subtrees below, one behind the other.
struct TreePart: Sendable {
  /// The number of the part, from 0.
  let number: Int
  /// The number of parts.
  let count: Int

  /// All of a tree.
  static let whole = TreePart(number: 0, count: 1)

  /// Whether the root itself is one of its pages.
  var hasRoot: Bool { number == 0 }

  /// Returns whether a subtree belongs to it.
  func contains(_ subtree: Int, of subtreeCount: Int) -> Bool {
    subtree * count / subtreeCount == number
  }

  /// Returns the parts of the tree of a table: one, where it has no three levels of pages.
  ///
  /// - Parameter most: The greatest number of parts.
  /// - Throws: ``Unproven`` where its first pages cannot be read.
  static func parts(
    of root: UInt32,
    _ reader: PageReader,
    most: Int
  ) throws(Unproven) -> [TreePart] {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: reader.layout.pageSize,
      alignment: 8
    )
    defer { unsafe memory.deallocate() }
    guard let page = memory.baseAddress else { throw Unproven() }
    func isInner(_ number: UInt32) throws(Unproven) -> Bool {
      guard number > 1, number <= reader.layout.pageCount else { throw Unproven() }
      try unsafe reader.read(number, into: page)
      return unsafe page.load(as: UInt8.self) == 5
    }
    guard most > 1, try isInner(root) else { return [whole] }
    let count = unsafe BigEndian.short(page + 3) + 1
    // The last subtree's number is in the page's head.
    let last = unsafe BigEndian.number(page + 8)
    guard try isInner(last) else { return [whole] }
    let parts = min(most, count)
    return (0..<parts).map { TreePart(number: $0, count: parts) }
  }
}
