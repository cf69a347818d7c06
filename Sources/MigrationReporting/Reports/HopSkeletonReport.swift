internal import ObjectModel

/// A hop file that was written to begin with.
package struct HopSkeletonReport: Report, MemberEncodable {
  package static let verb = "init"

  /// A reason why plans do not see a file, with the remedy.
  package struct Obstacle: Sendable {
    let advice: String
    let line: String?

    /// Makes the remedy, with the line to add where the advice ends with one.
    package init(advice: String, line: String? = nil) {
      self.advice = advice
      self.line = line
    }
  }

  /// The file.
  package var path: String
  /// The number of lines that the user must complete.
  package var todoCount: Int
  /// The reason why plans do not see the file; nil where they do.
  package var obstacle: Obstacle?

  /// A file with so many lines to do.
  package init(path: String, todoCount: Int, obstacle: Obstacle?) {
    self.path = path
    self.todoCount = todoCount
    self.obstacle = obstacle
  }

  package var members: JSONMembers {
    ["path": path, "todos": todoCount, "taken": obstacle == nil]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = [
      "\(path, .strong)",
      todoCount == 0
        ? "Nothing in it needs you; `waystone check --mappings \(path.shellWord)` says what it does."
        : "\(Quantity.count(todoCount, "line")) with TODO; then `waystone check --mappings \(path.shellWord)`.",
    ]
    guard let obstacle else { return lines }
    lines += StyledText.lines(obstacle.advice, .caution)
    if let line = obstacle.line { lines.append("  \(line)") }
    return lines
  }
}
