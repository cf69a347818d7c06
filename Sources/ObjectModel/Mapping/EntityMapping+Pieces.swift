extension EntityMapping {
  /// The division of a source object into parts; each part makes an object of its own.
  ///
  /// A text is cut at a separator, as in a list of tags; the members of a collection are parts as
  /// they are. All other expressions of the mapping know the part as `$piece` and its place, from
  /// 0, as `$index`. A source object without parts makes nothing. Core Data's mappings have no such
  /// thing; its policies do it in `createDestinationInstances`.
  public struct Pieces: Hashable, Sendable {
    /// The text or the collection.
    public var value: Expression
    /// The text between two parts; nil where the value is a collection.
    public var separator: String?
    /// Whether blanks at both ends of each part of a text are left out, and then empty parts too.
    public var trimsBlanks: Bool

    /// The parts of a value.
    public init(of value: Expression, separator: String? = nil, trimsBlanks: Bool = true) {
      self.value = value
      self.separator = separator
      self.trimsBlanks = trimsBlanks
    }

    /// The part, relative to an object's own, whose object a relationship links.
    package enum Place: String, CaseIterable, Sendable {
      /// The next part.
      case next
      /// The previous part.
      case previous
      /// The first part, also from itself.
      case first
      /// The last part, also from itself.
      case last
      /// All other parts.
      case others
    }

    /// The variable by which expressions know the part, without the dollar.
    public static let variable = "piece"
    /// The variable by which expressions know the part's place, without the dollar.
    public static let indexVariable = "index"

    /// Returns the parts of a text.
    public func parts(of text: String) -> [String] {
      guard let separator, !separator.isEmpty else { return [text] }
      let bytes = Array(text.utf8)
      let wanted = Array(separator.utf8)
      var parts: [String] = []
      var start = 0
      var index = 0
      while index + wanted.count <= bytes.count {
        if bytes[index] == wanted[0], bytes[index..<index + wanted.count].elementsEqual(wanted) {
          parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
          index += wanted.count
          start = index
        } else {
          index += 1
        }
      }
      parts.append(String(decoding: bytes[start...], as: UTF8.self))
      guard trimsBlanks else { return parts }
      return parts.map(Self.trimmed).filter { !$0.isEmpty }
    }

    /// Returns the parts of a value; nil where it is neither a text nor a collection.
    package func parts(of value: ExpressionValue) -> [ExpressionValue]? {
      switch value {
      case .nothing: []
      case .list(let members), .set(let members): members
      case .scalar(.string(let text)): parts(of: text).map { .scalar(.string($0)) }
      default: nil
      }
    }

    private static func trimmed(_ text: String) -> String {
      let start = text.drop(while: \.isWhitespace)
      return String(start.reversed().drop(while: \.isWhitespace).reversed())
    }
  }
}

extension Expression {
  /// Whether it reads the part of an object, or the part's place.
  package var readsPiece: Bool {
    var found = false
    forEachPart { part in if part.isPiece { found = true } }
    return found
  }

  /// Whether it is the part of an object, or the part's place.
  package var isPiece: Bool {
    switch self {
    case .variable(EntityMapping.Pieces.variable), .variable(EntityMapping.Pieces.indexVariable):
      true
    default: false
    }
  }
}
