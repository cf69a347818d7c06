/// The result of a verb, as text for the user and as JSON for programs.
package protocol Report: Sendable {
  /// The verb whose result it is; the schema's name comes from it.
  static var verb: String { get }

  /// The result's members, without the schema's name.
  var members: [String: JSONValue] { get }

  /// Returns the result as lines of text; rarely needed details are in the verbose form.
  func lines(isVerbose: Bool) -> [StyledText]
}

extension Report {
  /// The JSON object that the verb prints, with the schema's name.
  package var json: JSONValue {
    .object(members.merging(["schema": .string("waystone.\(Self.verb)/1")]) { $1 })
  }

  /// Returns the text that the verb prints.
  package func text(isVerbose: Bool = false, isColored: Bool = false) -> String {
    lines(isVerbose: isVerbose).map { $0.string(isColored: isColored) + "\n" }.joined()
  }
}
