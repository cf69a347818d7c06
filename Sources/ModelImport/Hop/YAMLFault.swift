private import Yams

/// A fault of a text that is not YAML, or that gives one key twice.
package struct YAMLFault {
  /// The line, from 1; nil where it is unknown.
  package let line: Int?
  /// The message, a sentence.
  package let message: String
  /// The advice for the user.
  package let recovery: String

  /// The fault that Yams reports.
  package init(_ error: any Error) {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      line = mark.line
      message = "This is not YAML: \(problem)."
      recovery =
        "Look at the line named, or the one before it; quote texts that hold `: ` or `#`."
    case .duplicatedKeysInMapping(let keys, let context):
      line = context.mark.line
      message = "`\(keys.joined(separator: "`, `"))` stands twice in one map."
      recovery = "Keep one of them, or make one list of both."
    default:
      line = nil
      message = "This is not YAML: it cannot be parsed."
      recovery = "Check the file with any reader of YAML."
    }
  }
}
