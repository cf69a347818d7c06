internal import Files

/// The path of a member of an archive, which leads to a place below its root.
struct MemberPath: Hashable {
  /// The reason for which a name is no such path.
  struct Refusal: Error {
    /// The name as messages show it.
    var shownName: String
    /// A sentence.
    var reason: String
  }

  /// The names of the folders, and of the member.
  let components: [String]

  /// The path without `./` and doubled slashes.
  var text: String { components.joined(separator: "/") }
  /// The name of the member itself.
  var name: String { components.last ?? "" }
  /// The path of its folder, with a slash at the end; empty for the root.
  var folder: String { components.dropLast().map { $0 + "/" }.joined() }

  /// The path that a name in an archive is; it may be the root itself.
  ///
  /// - Throws: ``Refusal`` where it is no text, absolute, or leads upwards.
  init(_ bytes: [UInt8]) throws(Refusal) {
    let shown = ShownName.of(String(decoding: bytes, as: UTF8.self))
    func refused(_ reason: String) -> Refusal { Refusal(shownName: shown, reason: reason) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw refused("Its name is not UTF-8.")
    }
    try self.init(text, refused)
  }

  /// The path that a text is.
  ///
  /// - Throws: ``Refusal``, as ``init(_:)-([UInt8])``.
  init(text: String) throws(Refusal) {
    try self.init(text) { Refusal(shownName: ShownName.of(text), reason: $0) }
  }

  private init(_ text: String, _ refused: (String) -> Refusal) throws(Refusal) {
    guard text.utf8.first != UInt8(ascii: "/") else {
      throw refused("Its name is an absolute path.")
    }
    guard !text.utf8.contains(0) else { throw refused("Its name holds a NUL character.") }
    // The path is split by bytes: a slash that a combining character follows is one too.
    let parts = text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard !parts.contains("..") else { throw refused("Its name leads upwards (`..`).") }
    components = parts.filter { $0 != "." }
    guard components.allSatisfy({ $0.utf8.count <= 255 }) else {
      throw refused("Its name is too long for a file.")
    }
  }
}
