package import Waystone

extension WaystoneError {
  /// The options that advice may name, and that `waystone migrate` alone has.
  package static let optionsOfOneStore = [
    "--accept-damaged-source", "--accept-shortcut", "--avoid", "--certificate", "--downgrade",
    "--history", "--prefer", "--restart", "--via",
  ]

  /// The message as a batch keeps it, complete in one text: it includes the losses or edges that are not
  /// accepted, with their steps.
  var batchMessage: String {
    guard code == .noPath, !findings.isEmpty else { return message }
    let shown = findings.prefix(3).filter { !message.contains($0.message) }.map { finding in
      let step = finding.place.version.map { " (step to \($0))" } ?? ""
      return " \(finding.code.rawValue)\(step): \(finding.message)"
    }
    let more = findings.count > 3 ? " And \(findings.count - 3) more." : ""
    return message + shown.joined() + more
  }

  /// The advice to the user, with the options that a batch has.
  var batchRecovery: String {
    if reason == "downgrade" {
      return
        "Name a later version. A batch brings no store to an older one: `waystone migrate STORE --to "
        + "V --output FILE --downgrade` does, one by one."
    }
    if code == .cannotCreate {
      let choice = "Choose another name for the output, or move "
      if recovery.hasPrefix(choice) {
        return "Move \(recovery.dropFirst(choice.count).dropLast()), then `waystone batch retry "
          + "--state failed`, and run the batch again."
      }
      return recovery.replacing(
        "Choose another name, or remove it.",
        with: "Look at what is there. Move it away, then `waystone batch retry --state failed`."
      )
    }
    let text = recovery.replacing("`migrate --accept", with: "`--accept")
      .replacing("(migrate --accept", with: "(--accept")
      .replacing("--like STORE of `plan` and `migrate`", with: "--like STORE")
      .replacing(
        "for the steps named",
        with: findings.isEmpty ? "for the steps" : "for those steps"
      )
    let foreign = Self.optionsOfOneStore.filter { text.contains($0) }
    guard !foreign.isEmpty else { return text }
    let isOne = foreign.count == 1
    return text
      + " (A batch does not have \(foreign.joined(separator: ", ")): \(isOne ? "it is" : "they are")"
      + " for one store, with `waystone migrate`.)"
  }
}
