internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import Waystone

/// The option for a file to which a report is written instead of being printed.
struct ReportOutput: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp(
      "Where to write the result; the name's end tells the format, and an older report is written over.",
      valueName: "file"
    )
  )
  var path: String?

  /// Returns the format wanted: the one that is named, else the one that the file's name ends with; text
  /// for a name without an end.
  ///
  /// - Throws: ``WaystoneError``, `badArgument` for an end by which the verb knows no format.
  func format<Format: ReportFormat>(_ named: Format?) throws(WaystoneError) -> Format {
    if let named { return named }
    guard let path, let dot = FileSystem.name(of: path).lastIndex(of: "."),
      dot > FileSystem.name(of: path).startIndex
    else { return .text }
    let end = String(FileSystem.name(of: path)[dot...].dropFirst())
    if let format = ReportFile.formats[end.lowercased()].flatMap(Format.init) { return format }
    let ends = ReportFile.formats.filter { Format(rawValue: $0.value) != nil }.keys.sorted()
    throw WaystoneError(
      .badArgument,
      "No format of this report has names that end in .\(end).",
      recovery:
        "Name a format with --format, or end the name in \(ends.map { ".\($0)" }.joined(separator: ", "))."
    )
  }
}

/// The forms in which a verb's report is printed.
protocol ReportFormat: RawRepresentable<String>, ExpressibleByArgument, CaseIterable, Sendable {
  /// The format of text for the user.
  static var text: Self { get }
}

/// A report in a file, and the test that distinguishes it from other files.
enum ReportFile {
  /// The formats by the ends of names.
  static let formats = [
    "html": "html", "json": "json", "sarif": "sarif", "xml": "junit", "md": "markdown",
    "mmd": "mermaid", "dot": "dot", "gv": "dot", "txt": "text", "csv": "csv",
  ]

  /// The marks of each format's reports: their start, and the parts that all have.
  ///
  /// A file that only quotes a report lacks some, and is not overwritten.
  private static let marks: [(start: String, all: [String])] = [
    ("<!DOCTYPE html>", ["Made by Waystone ", "id=\"findings\""]),
    ("<!DOCTYPE html>", ["Made by Waystone ", "id=\"causes\""]),
    ("name,state,model,version,path,bytes,result,", []), ("## Waystone batch\n", []),
    ("{", ["\n  \"schema\": \"waystone."]),
    ("{", ["sarif-schema-2.1.0", "\"id\": \"waystone/"]),
    ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"waystone ", []),
    ("## Migration coverage\n", []), ("## Waystone check\n", []),
    ("digraph versions {\n", []), ("flowchart LR\n  n0[", []),
    ("::", ["title=WS"]),
  ]

  /// The marks of files that are meant to be kept: no report overwrites them.
  private static let kept = ["certificate", "baseline", "recipe", "lock"].map {
    "\n  \"schema\": \"waystone.\($0)/"
  }

  /// The last line of a text report, by which it is recognized.
  static let signature = "Made by Waystone \(WaystoneProgram.version).\n"
  private static let limit = 64 << 20

  /// Returns whether a file holds figures of a batch that this command wrote.
  static func isMetrics(_ path: String) -> Bool {
    let bytes = try? InputFile.bytes(of: path, shownAs: path, limit: 1 << 20)
    return bytes?.starts(with: "# HELP \(BatchMetrics.prefix)".utf8) == true
  }

  /// Returns whether a file is a report that this command wrote.
  static func isOurs(_ path: String) -> Bool {
    guard let bytes = try? InputFile.bytes(of: path, shownAs: path, limit: limit) else {
      return false
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return text.hasSuffix("\n\(signature)")
      || !kept.contains(where: text.contains)
        && marks.contains { mark in
          text.hasPrefix(mark.start) && mark.all.allSatisfy { text.contains($0) }
        }
  }
}
