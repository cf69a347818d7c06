internal import ObjectModel

/// A line that a build phase prints, which Xcode shows beside the source.
enum XcodeDiagnostic {
  /// Returns the diagnostic of a finding.
  ///
  /// Xcode opens absolute paths only, and shows what has no line at the first.
  static func line(_ entry: FindingsReport.Entry, root: String) -> String {
    let finding = entry.finding
    let file = finding.place.file ?? "."
    let path = file.hasPrefix("/") ? file : "\(root)/\(file)"
    var shown = finding
    shown.place.file = nil
    var message = "\(finding.code.rawValue) \(shown.sentence())"
    if let reason = entry.acceptance {
      message += " Accepted: \(reason)"
    } else if finding.severity > .note {
      message += " \(finding.remedy)"
    }
    let kind = (entry.acceptance == nil ? finding.severity : .note).rawValue
    let text = TerminalText.escaped(
      message.split(whereSeparator: \.isNewline).joined(separator: " ")
    )
    return "\(TerminalText.escaped(path)):\(finding.place.line ?? 1):1: \(kind): \(text)\n"
  }
}

extension FindingsReport {
  /// Returns the findings as Xcode's diagnostics, a line each, in the order of the findings.
  ///
  /// - Parameter root: The absolute path of the folder to which paths of files are relative.
  package func xcodeDiagnostics(below root: String) -> String {
    entries.map { XcodeDiagnostic.line($0, root: root) }.joined()
  }
}
