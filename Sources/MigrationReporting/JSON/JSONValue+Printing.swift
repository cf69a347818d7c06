internal import ObjectModel

extension JSONValue {
  /// The text over several lines, indented by two spaces, without a newline at the end.
  package var prettyPrinted: String {
    var result = ""
    print(to: &result, indentation: 0)
    return result
  }

  /// The text in one line, as newline-delimited JSON needs it.
  package var compact: String {
    var result = ""
    print(to: &result, indentation: nil)
    return result
  }

  private func print(to result: inout String, indentation: Int?) {
    switch self {
    case .null: result += "null"
    case .boolean(let flag): result += flag ? "true" : "false"
    case .integer(let number): result += "\(number)"
    case .number(let number): result += number.isFinite ? "\(number)" : "null"
    case .string(let text): Self.print(text, to: &result)
    case .line(let value): value.print(to: &result, indentation: nil)
    case .array(let values):
      Self.printList(values, "[", "]", to: &result, indentation) { value, result, inner in
        value.print(to: &result, indentation: inner)
      }
    case .object(let members):
      let names = members.keys.sorted(by: ByteOrder.precedes)
      Self.printList(names, "{", "}", to: &result, indentation) { name, result, inner in
        Self.print(name, to: &result)
        result += inner == nil ? ":" : ": "
        (members[name] ?? .null).print(to: &result, indentation: inner)
      }
    }
  }

  private static func printList<Element>(
    _ elements: [Element],
    _ open: String,
    _ close: String,
    to result: inout String,
    _ indentation: Int?,
    _ printElement: (Element, inout String, Int?) -> Void
  ) {
    result += open
    let inner = indentation.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { result += "," }
      if let inner { result += "\n" + String(repeating: " ", count: inner) }
      printElement(element, &result, inner)
    }
    if let indentation, !elements.isEmpty {
      result += "\n" + String(repeating: " ", count: indentation)
    }
    result += close
  }

  private static func print(_ text: String, to result: inout String) {
    result += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      // Controls must be escaped; the two line separators are for readers that are JavaScript.
      case "\0"..."\u{1f}", "\u{7f}"..."\u{9f}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    result += "\""
  }
}
