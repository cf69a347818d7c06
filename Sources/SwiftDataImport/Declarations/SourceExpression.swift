/// An expression of a source, as far as declarations of models need it.
package indirect enum SourceExpression: Hashable, Sendable {
  /// An argument of a call.
  package struct Argument: Hashable, Sendable {
    /// The label, where there is one.
    package var label: String?
    /// The value.
    package var value: SourceExpression
  }

  /// Text without interpolation.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A number with a fraction or an exponent.
  case real(Double)
  /// `true` or `false`.
  case boolean(Bool)
  /// `nil`.
  case null
  /// Names joined by dots: `Trip.self`, `UUID`.
  case reference([String])
  /// Names behind a leading dot: `.cascade`.
  case member([String])
  /// A call of something.
  case call(SourceExpression, [Argument])
  /// A key path: `\Trip.name` or `\.name`.
  case keyPath(root: [String], path: [String])
  /// `[a, b]`.
  case array([SourceExpression])
  /// A type that is called or named: `[String]`, `Set<String>`.
  case type(SourceType)
  /// Expressions joined by `+`.
  case sum([SourceExpression])
  /// Another expression; its text where that is short.
  case other(String)

  /// The greatest depth to which expressions are read; a deeper one is ``other(_:)``.
  static let greatestDepth = 32
  /// The text of ``other(_:)`` for an expression that is not short.
  static let long = "a long expression"
}

extension SourceExpression: CustomStringConvertible {
  /// The expression as a source might spell it.
  package var description: String {
    switch self {
    case .string: "text"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .null: "nil"
    case .reference(let path): path.joined(separator: ".")
    case .member(let path): ".\(path.joined(separator: "."))"
    case .call(let callee, let arguments):
      "\(callee)(\(arguments.map { ($0.label.map { "\($0): " } ?? "") + "\($0.value)" }.joined(separator: ", ")))"
    case .keyPath(let root, let path):
      "\\\(root.joined(separator: ".")).\(path.joined(separator: "."))"
    case .array(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
    case .type(let type): type.description
    case .sum(let terms): terms.map(\.description).joined(separator: " + ")
    case .other(let text): text
    }
  }
}
