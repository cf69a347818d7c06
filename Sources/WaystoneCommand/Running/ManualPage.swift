internal import ArgumentParser

/// The manual page, made of the help of all verbs, in the language of man(7).
enum ManualPage {
  /// The page's source.
  static var text: String {
    var lines = [
      ".TH WAYSTONE 1 \"\" \"waystone \(WaystoneProgram.version)\"", ".SH NAME",
      "waystone \\- \(escaped(RootCommand.configuration.abstract))", ".SH SYNOPSIS",
      ".B waystone", "VERB [options]",
    ]
    lines += section("DESCRIPTION", WaystoneProgram.help(of: "waystone", columns: 72) ?? "")
    for verb in WaystoneProgram.verbs {
      lines += section("waystone \(verb)", WaystoneProgram.help(of: verb, columns: 72) ?? "")
    }
    lines += section("EXIT STATUS", HelpTopic.exitCodes.text)
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a heading, and text whose lines stay as they are.
  private static func section(_ heading: String, _ text: String) -> [String] {
    [".SH \"\(heading)\"", ".nf"]
      + text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { escaped(String($0)) } + [".fi"]
  }

  /// Returns a line in which nothing is a request or an escape.
  private static func escaped(_ line: String) -> String {
    let text = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
