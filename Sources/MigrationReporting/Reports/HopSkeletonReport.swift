internal import ObjectModel

/// A hop file that was written to begin with.
package struct HopSkeletonReport: Report {
  package static let verb = "init"

  /// The file.
  package var path: String
  /// How many lines need a person.
  package var todoCount: Int

  /// A file with so many lines to do.
  package init(path: String, todoCount: Int) {
    self.path = path
    self.todoCount = todoCount
  }

  package var members: [String: JSONValue] {
    ["path": .string(path), "todos": JSONValue(todoCount)]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    [
      "\(path, .strong)",
      todoCount == 0
        ? "Nothing in it needs you; `waystone check --mapping \(path.shellWord)` says what it does."
        : "\(Quantity.count(todoCount, "line")) with TODO; then `waystone check --mapping \(path.shellWord)`.",
    ]
  }
}
