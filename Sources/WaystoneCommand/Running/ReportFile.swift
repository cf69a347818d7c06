internal import ArgumentParser
internal import Waystone

/// Where a report is written, instead of being printed.
struct ReportOutput: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Where to write the result; the name's end tells the format, and an older report is written over.",
      valueName: "file"
    )
  )
  var path: String?

  /// The format wanted: the one that is named, else the one that the file's name ends with.
  func format<Format: ReportFormat>(_ named: Format?) -> Format {
    let end = path?.split(separator: ".").last.map { $0.lowercased() }
    return named ?? end.flatMap { Format(rawValue: ReportFile.formats[$0] ?? "") } ?? .text
  }
}

/// The forms in which a verb's report is printed.
protocol ReportFormat: RawRepresentable<String>, ExpressibleByArgument, CaseIterable, Sendable {
  /// For people at a terminal.
  static var text: Self { get }
}

/// A report in a file, and how one is told from other people's files.
enum ReportFile {
  /// The formats by the ends of names.
  static let formats = [
    "html": "html", "json": "json", "sarif": "sarif", "xml": "junit", "md": "markdown",
    "mmd": "mermaid", "dot": "dot", "gv": "dot", "txt": "text",
  ]

  /// What stands in our reports, in one format or another.
  private static let marks = [
    "Made by Waystone ", "\"schema\": \"waystone.", "\"name\": \"Waystone\"",
    "<testsuites name=\"waystone ", "## Migration coverage", "## Waystone check",
    "digraph versions {", "flowchart LR\n  n0[", "\nThe app (", " versions checked: ",
  ]
  private static let limit = 64 << 20

  /// Whether a file is a report that this command wrote.
  static func isOurs(_ path: String) -> Bool {
    guard let bytes = try? InputFile.bytes(of: path, shownAs: path, limit: limit) else {
      return false
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return marks.contains { text.contains($0) }
  }
}
