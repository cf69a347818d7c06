/// The reason why XML cannot be read.
package struct XMLError: Error, Hashable, Sendable {
  /// A reason that a caller may want to branch on.
  package enum Code: Hashable, Sendable {
    /// The bytes are not well-formed XML.
    case notWellFormed
    /// The XML declares or uses entities, or has a document type of its own.
    case hostile
    /// The file is larger than the limits allow.
    case tooLarge
    /// The elements are deeper or more than the limits allow.
    case tooMany
    /// An element of a property list has no value of its type.
    case badPropertyList
  }

  /// The reason that applies.
  package var code: Code
  /// The line in the file, from 1, where it is known.
  package var line: Int?
  /// The element at fault, where it is one.
  package var element: String?
  /// A sentence that states the fault, without the place and without any value of the file.
  package var message: String

  init(_ code: Code, line: Int? = nil, element: String? = nil, _ message: String) {
    self.code = code
    self.line = line
    self.element = element
    self.message = message
  }
}
