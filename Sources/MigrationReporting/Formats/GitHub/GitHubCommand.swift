internal import ObjectModel

/// A command to GitHub Actions: a line that a step prints and the runner acts on.
enum GitHubCommand {
  /// Returns the annotation of a finding.
  ///
  /// Source: GitHub's "Workflow commands for GitHub Actions", and the escapes of its toolkit's
  /// command.ts.
  static func annotation(_ entry: FindingsReport.Entry) -> String {
    let finding = entry.finding
    var properties: [(String, String)] = []
    if let file = finding.place.file {
      properties.append(("file", file))
      if let line = finding.place.line { properties.append(("line", "\(line)")) }
    }
    let subject = finding.place.subject.map { " \($0)" } ?? ""
    let accepted = entry.acceptance == nil ? "" : " (accepted)"
    properties.append(("title", "\(finding.code.rawValue)\(subject)\(accepted)"))
    var shown = finding
    shown.place.file = nil
    var message = shown.sentence()
    if let reason = entry.acceptance {
      message += "\nAccepted: \(reason)"
    } else if finding.severity > .note {
      message += "\n\(finding.remedy)"
    }
    let values = properties.map { "\($0)=\(property($1))" }.joined(separator: ",")
    return "::\(entry.command) \(values)::\(data(message))"
  }

  /// Returns the text after the colons.
  static func data(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      default: result += TerminalText.escaped(String(scalar))
      }
    }
    return result
  }

  /// Returns the value of a property, in which two more characters are special.
  static func property(_ text: String) -> String {
    var result = ""
    for scalar in data(TerminalText.escaped(text)).unicodeScalars {
      switch scalar {
      case ":": result += "%3A"
      case ",": result += "%2C"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension FindingsReport.Entry {
  fileprivate var command: String {
    guard acceptance == nil else { return "notice" }
    switch finding.severity {
    case .note: return "notice"
    case .warning: return "warning"
    case .error: return "error"
    }
  }
}

extension FindingsReport {
  /// The findings as GitHub's annotations, a line each, errors first.
  ///
  /// GitHub shows ten of each severity for a step; the summary has all.
  package var githubAnnotations: String {
    let all = entries
    let ordered = Finding.Severity.allCases.reversed().flatMap { severity in
      all.filter { $0.finding.severity == severity && $0.acceptance == nil }
    }
    return (ordered + all.filter { $0.acceptance != nil })
      .map { GitHubCommand.annotation($0) + "\n" }.joined()
  }
}
