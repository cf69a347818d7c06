/// An error that reports why, and where, a format string is no expression or no predicate.
public struct FormatError: Error, Hashable, Sendable {
  /// The place at fault, in UTF-8 bytes from the beginning of the text.
  public var offset: Int
  /// The line at fault, from 1.
  public var line: Int
  /// The place in the line, from 1, in Unicode scalars.
  public var column: Int
  /// A sentence that describes the error.
  public var message: String
  /// The user's next step.
  public var recovery: String

  /// An error at a place of a text.
  init(_ text: [UInt8], offset: Int, _ message: String, recovery: String) {
    let before = text.prefix(offset)
    let start = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
    self.offset = before.count
    line = before.count { $0 == 0x0a } + 1
    // Bytes that continue a scalar are not counted.
    column = before[start...].count { $0 & 0xc0 != 0x80 } + 1
    self.message = message
    self.recovery = recovery
  }
}

extension FormatError: CustomStringConvertible {
  /// The place, the message and what to do next.
  public var description: String { "line \(line), column \(column): \(message) \(recovery)" }
}
