/// A source file's bytes and the name by which findings call it.
package struct SourceText: Hashable, Sendable {
  /// The name of the file, which findings show.
  package var name: String
  /// What the file holds.
  package var bytes: [UInt8]

  /// A file's bytes under a name.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Whether text occurs in the bytes.
  ///
  /// - Complexity: O(*n*) in the bytes, for text whose first byte is rare.
  package func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count else { return false }
    var rest = bytes[...]
    while let place = rest.firstIndex(of: first) {
      if bytes[place...].starts(with: wanted) { return true }
      rest = bytes[(place + 1)...]
    }
    return false
  }

  /// Whether a model may be declared in the file.
  package var mentionsModels: Bool { contains("@Model") || contains("@SwiftData.Model") }
}
