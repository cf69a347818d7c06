/// A text in runs of one style each, which a terminal shows in colour and a file as plain text.
///
/// Interpolated text comes from files and may be hostile: its control characters are shown as escapes,
/// so that no name in a model can move a terminal's cursor. Literals are ours and stay as they are.
package struct StyledText: Hashable, Sendable {
  /// A meaning of a run of text; the terminal's palette decides its colour.
  package enum Style: Hashable, Sendable {
    /// Ordinary text.
    case plain
    /// Names of things, headings.
    case strong
    /// A text that may be skipped.
    case faint
    /// Done, equal, proven.
    case good
    /// Asks for attention.
    case caution
    /// Refused, lost, failed.
    case bad

    /// The parameter of ECMA-48's Select Graphic Rendition, where there is one.
    fileprivate var parameter: String? {
      switch self {
      case .plain: nil
      case .strong: "1"
      case .faint: "2"
      case .good: "32"
      case .caution: "33"
      case .bad: "31"
      }
    }
  }

  private struct Run: Hashable, Sendable {
    var text: String
    var style: Style
  }

  private var runs: [Run] = []

  /// Foreign text in one style, its control characters shown as escapes.
  package init(_ text: String, _ style: Style = .plain) {
    append(TerminalText.escaped(text), style)
  }

  /// Makes an empty text.
  package init() {}

  /// The number of columns that the text takes in a terminal.
  package var width: Int { runs.reduce(0) { $0 + TerminalText.width($1.text) } }

  /// Whether there is nothing to show.
  package var isEmpty: Bool { runs.allSatisfy(\.text.isEmpty) }

  /// Returns the text, with the terminal's codes where it is to be coloured.
  package func string(isColored: Bool) -> String {
    var result = ""
    for run in runs {
      if isColored, let parameter = run.style.parameter, !run.text.isEmpty {
        result += "\u{1b}[\(parameter)m\(run.text)\u{1b}[0m"
      } else {
        result += run.text
      }
    }
    return result
  }

  /// Returns two texts joined.
  package static func + (first: StyledText, second: StyledText) -> StyledText {
    var result = first
    result.runs += second.runs
    return result
  }

  /// Appends a text.
  package static func += (first: inout StyledText, second: StyledText) {
    first.runs += second.runs
  }

  private mutating func append(_ text: String, _ style: Style) {
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(Run(text: text, style: style))
    }
  }
}

extension StyledText {
  /// Returns sentences in lines of the terminal's width.
  package static func lines(_ sentences: String, _ style: Style = .plain) -> [StyledText] {
    TerminalText.wrapped(sentences, indentation: 0).map { StyledText($0, style) }
  }
}

extension StyledText: ExpressibleByStringInterpolation {
  /// Makes a text of a literal, without escapes.
  package init(stringLiteral value: String) { append(value, .plain) }

  /// The text that an interpolated literal spells.
  package init(stringInterpolation: Interpolation) { self = stringInterpolation.text }

  /// The collected pieces of an interpolated literal.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = StyledText()

    /// Room for the pieces of a literal.
    package init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends text of ours.
    package mutating func appendLiteral(_ literal: String) { text.append(literal, .plain) }

    /// Appends foreign text in a style.
    package mutating func appendInterpolation(_ value: String, _ style: Style = .plain) {
      text.append(TerminalText.escaped(value), style)
    }

    /// Appends a number in a style.
    package mutating func appendInterpolation(_ value: some BinaryInteger, _ style: Style = .plain)
    {
      text.append(Quantity.grouped(value), style)
    }

    /// Appends styled text as it is.
    package mutating func appendInterpolation(_ value: StyledText) { text += value }
  }
}
