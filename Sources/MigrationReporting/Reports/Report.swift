/// The result of a verb, as text for the user and as JSON for programs.
package protocol Report: Encodable, Sendable {
  /// The verb whose result it is; the schema's name comes from it.
  static var verb: String { get }

  /// Returns the result as lines of text; rarely needed details are in the verbose form.
  func lines(isVerbose: Bool) -> [StyledText]
}

extension Report {
  /// The JSON object that the verb prints, with the schema's name.
  package var json: JSONValue {
    get throws {
      var json = try JSONValue(encoding: self)
      json["schema"] = .string("waystone.\(Self.verb)/1")
      return json
    }
  }

  /// Returns the text that the verb prints.
  package func text(isVerbose: Bool = false, isColored: Bool = false) -> String {
    lines(isVerbose: isVerbose).map { $0.string(isColored: isColored) + "\n" }.joined()
  }
}
