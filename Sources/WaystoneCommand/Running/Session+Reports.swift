internal import Files
internal import Waystone

extension Session {
  /// The most that GitHub takes of a step's summary, in bytes.
  private static let greatestSummary = 1 << 20

  /// Appends Markdown to the summary of the step that GitHub Actions runs, where it runs one.
  func appendToSummary(_ markdown: String) throws(WaystoneError) {
    let path = console.environment["GITHUB_STEP_SUMMARY", default: ""]
    guard !path.isEmpty else { return }
    let bytes = Array(Self.cut(markdown + "\n").utf8)
    do throws(FileError) {
      try OpenFile(appending: path, permissions: 0o666).write(bytes)
    } catch {
      throw WaystoneError(
        .cannotWrite,
        "\(path), which GITHUB_STEP_SUMMARY names, cannot be written: \(error.message).",
        recovery: "Check the folder's permissions, or unset GITHUB_STEP_SUMMARY."
      )
    }
  }

  /// Returns the text up to a line's end within what GitHub takes; all of a longer one would be refused.
  private static func cut(_ text: String) -> String {
    let note = "\n</details>\n\nThe rest is more than GitHub takes of a summary.\n"
    guard text.utf8.count > greatestSummary else { return text }
    let limit = text.utf8.index(text.startIndex, offsetBy: greatestSummary - note.utf8.count)
    let end = text.utf8[..<limit].lastIndex(of: UInt8(ascii: "\n")) ?? text.startIndex
    return text[..<end] + note
  }
}
