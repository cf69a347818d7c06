#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An expected text that a person has read, in a file beside the tests.
///
/// A missing golden is recorded and fails its test, so that nothing passes unread.
/// `Scripts/record-goldens` records all of them anew.
public enum Golden {
  /// Returns the fault of a text, or nil where it is the golden's.
  ///
  /// - Parameters:
  ///   - name: The file's name in the folder `Goldens` of the tests' target.
  ///   - source: A source file of the tests' target.
  public static func mismatch(_ text: String, _ name: String, source: String = #filePath) -> String?
  {
    let parts = source.split(separator: "/")
    guard let tests = parts.lastIndex(of: "Tests"), tests + 1 < parts.count else {
      return "\(source) lies in no folder of tests."
    }
    let folder = "/" + parts[...(tests + 1)].joined(separator: "/") + "/Goldens"
    let path = folder + "/" + name
    let isRecording = ProcessInfo.processInfo.environment["WAYSTONE_RECORD_GOLDENS"] == "1"
    let expected = FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self)
    }
    if let expected, expected == text { return nil }
    guard let expected, !isRecording else {
      do {
        try FileManager.default.createDirectory(
          atPath: folder,
          withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return "Golden \(name) was recorded: read it, then run the test again."
      } catch {
        return "Golden \(name) could not be recorded: \(error)"
      }
    }
    return difference(expected, text, name)
  }

  /// The first line in which two texts differ.
  private static func difference(_ expected: String, _ text: String, _ name: String) -> String {
    let old = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = zip(old, new).prefix { $0 == $1 }.count
    let wanted = line < old.count ? String(old[line]) : "(end)"
    let found = line < new.count ? String(new[line]) : "(end)"
    return "Golden \(name), line \(line + 1):\n  expected: \(wanted)\n  found:    \(found)\n"
      + "All of it:\n\(text)"
  }
}
