import MigrationTestSupport
import StoreAccess
import Testing

/// Changes pages of a closed database file as a disk or a stray write would.
struct PageSurgery {
  let path: String
  private(set) var bytes: [UInt8]
  static let pageSize = 4096

  init(_ path: String) throws {
    self.path = path
    bytes = try #require(TemporaryFolder.bytes(of: path))
  }

  /// Writes what was done, and leaves what lies beside the file.
  func save() throws { try TemporaryFolder.write(bytes, to: path) }

  /// The first page of a table's or index's tree; a file is read that nobody has open.
  static func root(of name: String, in path: String) throws -> Int {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    let page = try connection.integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = ?",
      [.text(name)]
    )
    return Int(try #require(page, "there is no \(name)"))
  }

  /// The pages with rows or entries below a root, from left to right.
  func leaves(below root: Int) -> [Int] {
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
  func cellCount(_ page: Int) -> Int { number((page - 1) * Self.pageSize + 3, 2) }

  /// Exchanges the places of two cells of a leaf: its structure stays right, its order not.
  mutating func swapCells(_ page: Int, _ one: Int, _ other: Int) {
    let start = (page - 1) * Self.pageSize + 8
    for byte in 0..<2 { bytes.swapAt(start + 2 * one + byte, start + 2 * other + byte) }
  }

  /// Lets cells of a leaf lie where another does, as a stray write of its pointers would.
  mutating func copyCellPointer(of page: Int, from cell: Int, to others: [Int]) {
    let start = (page - 1) * Self.pageSize + 8
    for other in others {
      for byte in 0..<2 { bytes[start + 2 * other + byte] = bytes[start + 2 * cell + byte] }
    }
  }

  /// Makes the record of a leaf's cell claim a longer header than it has.
  mutating func breakRecord(_ page: Int, _ cell: Int) {
    let start = (page - 1) * Self.pageSize
    // Behind the length of the entry of an index.
    bytes[start + number(start + 8 + 2 * cell, 2) + 1] = 0x7f
  }

  /// Turns each byte of a page into zero.
  mutating func erase(_ page: Int) {
    for offset in 0..<Self.pageSize { bytes[(page - 1) * Self.pageSize + offset] = 0 }
  }

  /// Takes pages as another file of the same layout has them.
  mutating func take(_ pages: [Int], from other: PageSurgery) {
    for page in pages {
      let range = (page - 1) * Self.pageSize..<page * Self.pageSize
      bytes.replaceSubrange(range, with: other.bytes[range])
    }
  }

  /// Replaces the first place of a text by another of its length, in a row's own bytes.
  mutating func replace(_ text: String, by other: String) throws {
    let (old, new) = (Array(text.utf8), Array(other.utf8))
    #expect(old.count == new.count)
    let start = try #require(
      (0...bytes.count - old.count).first { bytes[$0..<$0 + old.count].elementsEqual(old) }
    )
    bytes.replaceSubrange(start..<start + new.count, with: new)
  }
}
