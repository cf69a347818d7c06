package import StoreMigration
internal import Waystone

/// The JSON of `query`, around objects that are JSON already.
package struct QueryReport: Encodable, Sendable {
  private let schema = "waystone.query/1"
  private let store: String
  private let query: String
  private let count: Int
  private let unreadable: [ReadingFault]
  private let isCount: Bool

  private enum CodingKeys: CodingKey {
    case schema, store, query, count, unreadable
  }

  /// The report of a result.
  package init(store: String, query: String, count: Int, isCount: Bool, faults: [ReadingFault]) {
    self.store = store
    self.query = query
    self.count = count
    self.isCount = isCount
    unreadable = faults
  }

  /// Returns the text; a count has no objects.
  package func text(around objects: [String]) throws -> String {
    let text = try JSONValue(encoding: self).prettyPrinted
    guard !isCount else { return text + "\n" }
    let list = objects.isEmpty ? "[]" : "[\n\(objects.joined(separator: ",\n"))\n  ]"
    return "{\n  \"objects\": \(list),\(text.dropFirst())\n"
  }
}

/// The table of `query`: what it shows is shortened, and no character of it acts on a terminal.
package struct QueryTable {
  private var table: TextTable
  private var count = 0
  /// The most characters of a cell.
  private static let greatestWidth = 60

  /// A table without rows.
  package init(_ headings: [String]) {
    // A heading is shown as the model has it: case counts in a question.
    table = TextTable(headings.map { _ in ("", .left) })
    table.append(headings.map { StyledText($0, .faint) })
  }

  /// Adds the values of an object.
  package mutating func append(_ row: [RecordValue]) {
    count += 1
    table.append(row.map { StyledText(Self.cell($0)) })
  }

  /// The table, and the number of objects in the last line.
  package var text: String {
    let lines = table.lines().map { $0.string(isColored: false) + "\n" }
    return (count == 0 ? "" : lines.joined()) + "\(count) object\(count == 1 ? "" : "s")\n"
  }

  private static func cell(_ value: RecordValue) -> String {
    switch value {
    case .nothing: return ""
    case .scalar(.string(let text)), .scalar(.uri(let text)), .file(let text),
      .unreadable(.string(let text)):
      return shortened(text)
    case .scalar(.binary(let bytes)), .encoded(let bytes), .unreadable(.binary(let bytes)):
      return "\(bytes.count) bytes"
    case .scalar(let scalar), .unreadable(let scalar):
      return json(.scalar(scalar)).filter { $0 != "\"" }
    case .composite, .propertyList, .object, .objects, .list: return shortened(json(value))
    }
  }

  private static func json(_ value: RecordValue) -> String {
    var json = RecordJSON()
    json.write(value)
    return json.take()
  }

  private static func shortened(_ text: String) -> String {
    // A text of many megabytes is cut before it is looked at.
    let start = text.prefix(greatestWidth + 1)
    guard start.count > greatestWidth || start.utf8.count > 1000 else { return String(start) }
    var bytes = 0
    let kept = start.prefix(greatestWidth - 1).prefix { character in
      bytes += character.utf8.count
      return bytes < 1000
    }
    return kept + "\u{2026}"
  }
}
