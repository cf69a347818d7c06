package import ObjectModel
package import Waystone

extension Finding {
  /// Returns the finding as lines: severity, code, place and message, then the remedy unless it is a
  /// mere note.
  ///
  /// - Parameter version: A version that the reader knows it is about.
  package func lines(indentation: Int, about version: String? = nil) -> [StyledText] {
    let margin = StyledText(String(repeating: " ", count: indentation))
    let word = severity.rawValue
    let name = word + String(repeating: " ", count: 8 - word.count) + code.rawValue
    let hanging = margin + StyledText(String(repeating: " ", count: name.count + 2))
    let room = indentation + name.count + 2
    let head = margin + StyledText(name, severity.style) + "  "
    let said = TerminalText.wrapped(sentence(about: version), indentation: room)
    var lines = said.enumerated().map { index, line in
      (index == 0 ? head : hanging) + StyledText(line)
    }
    if lines.isEmpty { lines = [head] }
    guard severity > .note else { return lines }
    for line in TerminalText.wrapped(remedy, indentation: room) {
      lines.append(hanging + StyledText(line, .faint))
    }
    return lines
  }

  /// Returns the message after its place, as far as neither the reader nor the message itself has it.
  package func sentence(about version: String? = nil) -> String {
    var place = self.place
    if let version, let own = place.version, version == own || version.hasSuffix("/\(own)") {
      place.version = nil
    }
    if statement.begins(with: self.place) {
      if place.subject == nil { place.version = nil }
      place.entity = nil
      place.property = nil
    }
    return (place.text.map { "\($0): " } ?? "") + message
  }

}

extension Finding: MemberEncodable {
  package var members: JSONMembers {
    let members: JSONMembers = [
      "code": code.rawValue, "rule": "\(code)", "severity": severity.rawValue, "risk": risk?.name,
      "message": message, "remedy": remedy, "file": place.file, "line": place.line,
      "version": place.version, "entity": place.entity, "property": place.property,
    ]
    return evidence.map { members + ["evidence": $0] } ?? members
  }
}

extension AcceptedFinding: MemberEncodable {
  package var members: JSONMembers { ["finding": finding, "reason": reason] }

  /// The finding as lines, with the reason below it.
  package var lines: [StyledText] {
    var quiet = finding.withoutFile
    quiet.severity = .note
    return quiet.lines(indentation: 2)
      + ["                 " + StyledText("accepted: \(reason)", .faint)]
  }
}

extension Finding.Evidence: MemberEncodable {
  /// The evidence without any value of a row.
  package var members: JSONMembers {
    [
      "verdict": verdict.rawValue, "isProven": verdict == .proven, "rows": rows, "of": total,
      "groups": groups, "keys": keys, "words": words,
    ]
  }
}

extension Finding.Severity {
  /// The style on a terminal.
  package var style: StyledText.Style {
    switch self {
    case .note: .faint
    case .warning: .caution
    case .error: .bad
    }
  }
}

extension Finding.Place {
  /// `file:line`, version, and `Entity.property`, as far as they are known.
  package var text: String? {
    let position = file.map { file in line.map { "\(file):\($0)" } ?? file }
    let parts = [position, version, subject].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }
}

extension Risk {
  /// The phrase for a step of this risk.
  package var words: String {
    switch self {
    case .lossy: "drops data"
    case .undeclared: "loses data"
    case .exact, .additive, .conditional, .unknown: name
    }
  }

  /// The effect of a step of this risk, after "it".
  var effect: String { self < .lossy ? "is \(name)" : words }

  /// The style on a terminal.
  package var style: StyledText.Style {
    switch self {
    case .exact, .additive: .good
    case .conditional, .unknown: .caution
    case .lossy, .undeclared: .bad
    }
  }
}

extension [Finding] {
  /// A line with the number of findings of each severity.
  package var counts: String {
    Finding.Severity.allCases.reversed().map { severity in
      Quantity.count(count { $0.severity == severity }, severity.rawValue)
    }
    .joined(separator: ", ")
  }

  /// A sentence that lists the failing codes, with the number of findings of each.
  package var failed: String {
    var counts: [String: Int] = [:]
    for finding in self { counts[finding.code.rawValue, default: 0] += 1 }
    let codes = counts.keys.sorted(by: ByteOrder.precedes)
      .map { code in counts[code] == 1 ? code : "\(code) (\(counts[code] ?? 0))" }
    return "Failed: \(codes.joined(separator: ", "))."
  }

  /// Returns the findings below a heading, or nothing; without notes unless they are asked for.
  package func section(_ heading: String, isVerbose: Bool) -> [StyledText] {
    let shown = isVerbose ? self : filter { $0.severity > .note }
    let hidden = count - shown.count
    var lines: [StyledText] = []
    if !shown.isEmpty {
      lines = ["", "\(heading, .strong)"] + shown.lines(indentation: 2)
    }
    if hidden > 0 {
      let more = lines.isEmpty ? "" : "more "
      let nouns = "\(more)\(hidden == 1 ? "note" : "notes")"
      let them = hidden == 1 ? "it" : "them"
      lines += ["", StyledText("\(hidden) \(nouns); --verbose shows \(them).", .faint)]
    }
    return lines
  }
}
