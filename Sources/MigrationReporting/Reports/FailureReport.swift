/// A report on the failure of a verb, with its remedy.
package struct FailureReport: Hashable, Sendable {
  /// The process's exit status.
  package var status: Int32
  /// The status's stable name.
  package var kind: String
  /// The code of the error, as its own layer names it.
  package var code: String
  /// A sentence that names the file and place.
  package var message: String
  /// The remedy for the user; may be empty.
  package var recovery: String
  /// Whether `resume` can continue from here.
  package var isResumable: Bool

  /// A failure in words.
  package init(
    status: Int32,
    kind: String,
    code: String,
    message: String,
    recovery: String,
    isResumable: Bool = false
  ) {
    self.status = status
    self.kind = kind
    self.code = code
    self.message = message
    self.recovery = recovery
    self.isResumable = isResumable
  }

  /// Returns the lines `error: …` and `next: …`, as standard error shows them.
  package func text(isColored: Bool) -> String {
    var text = StyledText()
    text += "\("error:", .bad) \(message)\n"
    if !recovery.isEmpty { text += "\("next:", .strong) \(recovery)\n" }
    return text.string(isColored: isColored)
  }

  /// The failure for programs.
  package var json: JSONValue {
    [
      "schema": "waystone.error/1", "exit": .integer(Int64(status)), "kind": .string(kind),
      "code": .string(code), "message": .string(message), "recovery": .string(recovery),
      "resumable": .boolean(isResumable),
    ]
  }
}
