internal import ObjectModel
internal import Waystone

extension JSONValue {
  /// The text over several lines, indented by two spaces, without a newline at the end.
  package var prettyPrinted: String { text(indentation: 0) }

  /// The text in one line, as newline-delimited JSON needs it.
  package var compact: String { text(indentation: nil) }

  private func text(indentation: Int?) -> String {
    var text = RecordJSON()
    print(to: &text, indentation: indentation)
    return text.take()
  }

  private func print(to result: inout RecordJSON, indentation: Int?) {
    switch self {
    case .null: result.append("null")
    case .boolean(let flag): result.append(flag ? "true" : "false")
    case .integer(let number): result.append("\(number)")
    case .number(let number): result.append(number.isFinite ? "\(number)" : "null")
    case .string(let text): result.write(text: text)
    case .line(let value): value.print(to: &result, indentation: nil)
    case .array(let values):
      Self.printList(values, "[", "]", to: &result, indentation) { value, result, inner in
        value.print(to: &result, indentation: inner)
      }
    case .object(let members):
      let sorted = members.sorted { ByteOrder.precedes($0.key, $1.key) }
      Self.printList(sorted, "{", "}", to: &result, indentation) { member, result, inner in
        result.write(text: member.key)
        result.append(inner == nil ? ":" : ": ")
        member.value.print(to: &result, indentation: inner)
      }
    }
  }

  private static func printList<Element>(
    _ elements: [Element],
    _ open: String,
    _ close: String,
    to result: inout RecordJSON,
    _ indentation: Int?,
    _ printElement: (Element, inout RecordJSON, Int?) -> Void
  ) {
    result.append(open)
    let inner = indentation.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { result.append(",") }
      if let inner { result.append("\n" + String(repeating: " ", count: inner)) }
      printElement(element, &result, inner)
    }
    if let indentation, !elements.isEmpty {
      result.append("\n" + String(repeating: " ", count: indentation))
    }
    result.append(close)
  }
}
