import StoreAccess

/// Changes pages of a closed database file as a disk or a stray write would.
package struct PageSurgery {
  /// A file, a page or a text that is not there.
  private struct Missing: Error, CustomStringConvertible { let description: String }

  package let path: String
  package private(set) var bytes: [UInt8]
  package static let pageSize = 4096

  package init(_ path: String) throws {
    self.path = path
    guard let bytes = TemporaryFolder.bytes(of: path) else { throw Missing(description: path) }
    self.bytes = bytes
  }

  /// Writes what was done, and leaves what lies beside the file.
  package func save() throws { try TemporaryFolder.write(bytes, to: path) }

  /// The first page of a table's or index's tree; a file is read that nobody has open.
  package static func root(of name: String, in path: String) throws -> Int {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    let page = try connection.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = ?",
      [.text(name)]
    )
    guard let page else { throw Missing(description: "there is no \(name)") }
    return Int(page)
  }

  /// The pages with rows or entries below a root, from left to right.
  package func leaves(below root: Int) -> [Int] {
    let start = (root - 1) * Self.pageSize
    // 5 and 2 are the inner pages of tables and indexes.
    guard bytes[start] == 5 || bytes[start] == 2 else { return [root] }
    let children = (0..<number(start + 3, 2)).map { index in
      number(start + number(start + 12 + 2 * index, 2), 4)
    }
    return (children + [number(start + 8, 4)]).flatMap { leaves(below: $0) }
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The number of cells of a leaf.
  package func cellCount(_ page: Int) -> Int { number((page - 1) * Self.pageSize + 3, 2) }

  /// Exchanges the places of two cells of a leaf: its structure stays right, its order not.
  package mutating func swapCells(_ page: Int, _ one: Int, _ other: Int) {
    let start = (page - 1) * Self.pageSize + 8
    for byte in 0..<2 { bytes.swapAt(start + 2 * one + byte, start + 2 * other + byte) }
  }

  /// Lets cells of a leaf lie where another does, as a stray write of its pointers would.
  package mutating func copyCellPointer(of page: Int, from cell: Int, to others: [Int]) {
    let start = (page - 1) * Self.pageSize + 8
    for other in others {
      for byte in 0..<2 { bytes[start + 2 * other + byte] = bytes[start + 2 * cell + byte] }
    }
  }

  /// Makes the record of a leaf's cell claim a longer header than it has.
  package mutating func breakRecord(_ page: Int, _ cell: Int) {
    let start = (page - 1) * Self.pageSize
    // Behind the length of the entry of an index.
    bytes[start + number(start + 8 + 2 * cell, 2) + 1] = 0x7f
  }

  /// Turns each byte of a page into zero.
  package mutating func erase(_ page: Int) {
    for offset in 0..<Self.pageSize { bytes[(page - 1) * Self.pageSize + offset] = 0 }
  }

  /// Takes pages as another file of the same layout has them.
  package mutating func take(_ pages: [Int], from other: PageSurgery) {
    for page in pages {
      let range = (page - 1) * Self.pageSize..<page * Self.pageSize
      bytes.replaceSubrange(range, with: other.bytes[range])
    }
  }

  /// Replaces the first place of a text by another of its length, in a row's own bytes.
  package mutating func replace(_ text: String, by other: String) throws {
    let (old, new) = (Array(text.utf8), Array(other.utf8))
    let start = (0...bytes.count - old.count).first {
      bytes[$0..<$0 + old.count].elementsEqual(old)
    }
    guard let start, old.count == new.count else { throw Missing(description: "no such text") }
    bytes.replaceSubrange(start..<start + new.count, with: new)
  }
}
