extension OpenFile {
  /// Returns whether another file holds the same bytes.
  ///
  /// - Complexity: A pass over both up to the first difference; none where they differ in size.
  package func hasSameContents(as other: borrowing OpenFile) throws(FileError) -> Bool {
    let size = try status().size
    guard try other.status().size == size else { return false }
    var offset: Int64 = 0
    while offset < size {
      let count = Int(min(256 << 10, size - offset))
      let piece = try read(count: count, at: offset)
      guard try other.read(count: count, at: offset) == piece, !piece.isEmpty else { return false }
      offset += Int64(piece.count)
    }
    return true
  }
}
