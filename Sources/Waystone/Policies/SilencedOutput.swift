/// The functions and types by which apps print and log, as Swift that does nothing: values of rows could be
/// in it, and reports go where it would.
enum SilencedOutput {
  /// Returns the sources of all but those that an app declares itself.
  static func text(besides declared: Set<String>) -> String {
    "import Foundation\n\n"
      + parts.filter { !declared.contains($0.name) }.map { $0.text + "\n" }.joined()
  }

  private static let parts: [(name: String, text: String)] = [
    (
      "print",
      """
      func print(_ items: Any..., separator: String = " ", terminator: String = "\\n") {}
      """
    ),
    (
      "debugPrint",
      """
      func debugPrint(_ items: Any..., separator: String = " ", terminator: String = "\\n") {}
      """
    ),
    ("NSLog", "func NSLog(_ format: String, _ arguments: Any?...) {}"),
    (
      "OSLogPrivacy",
      "struct OSLogPrivacy { static let `public` = Self(), `private` = Self(), auto = Self() }"
    ),
    (
      "OSLogMessage",
      """
      struct OSLogMessage: ExpressibleByStringInterpolation {
        struct StringInterpolation: StringInterpolationProtocol {
          init(literalCapacity: Int, interpolationCount: Int) {}
          mutating func appendLiteral(_ literal: String) {}
          mutating func appendInterpolation(_ value: Any?, privacy: OSLogPrivacy = .auto) {}
        }
        init(stringLiteral value: String) {}
        init(stringInterpolation: StringInterpolation) {}
      }
      """
    ),
    (
      "OSLogType",
      """
      struct OSLogType {
        static let `default` = Self(), info = Self(), debug = Self(), error = Self(), fault = Self()
      }
      """
    ),
    (
      "OSLog",
      """
      struct OSLog {
        static let `default` = OSLog(subsystem: "", category: "")
        init(subsystem: String, category: String) {}
      }
      """
    ),
    (
      "os_log",
      """
      func os_log(
        _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ arguments: Any?...
      ) {}
      func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {}
      """
    ),
    (
      "Logger",
      """
      struct Logger {
        init() {}
        init(subsystem: String, category: String) {}
        func log(level: OSLogType = .default, _ message: OSLogMessage) {}
        func trace(_ message: OSLogMessage) {}
        func debug(_ message: OSLogMessage) {}
        func info(_ message: OSLogMessage) {}
        func notice(_ message: OSLogMessage) {}
        func warning(_ message: OSLogMessage) {}
        func error(_ message: OSLogMessage) {}
        func critical(_ message: OSLogMessage) {}
        func fault(_ message: OSLogMessage) {}
      }
      """
    ),
  ]
}
