/// The functions and types by which apps print and log, as Swift that does nothing: values of rows could be
/// in it, and reports go where it would.
package enum SilencedOutput {
  /// The names of the functions and types.
  static let names = Set(parts.map(\.name))

  /// Returns the sources: all in a namespace of this name, for code that names the module of one, and those that
  /// an app does not declare itself also by their own names.
  package static func text(besides declared: Set<String>) -> String {
    let inside = parts.map { part in
      part.isType ? part.text : part.text.replacing("func ", with: "static func ")
    }
    let outside = parts.filter { !declared.contains($0.name) }.map { part in
      part.isType ? "typealias \(part.name) = \(Self.self).\(part.name)" : part.text
    }
    return "import Foundation\n\nenum \(Self.self) {\n\(inside.joined(separator: "\n"))\n}\n"
      + outside.map { $0 + "\n" }.joined()
  }

  private struct Part {
    let name: String
    let text: String
    var isType: Bool { text.hasPrefix("struct ") }

    init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  private static let parts =
    [
      Part(
        "print",
        """
        func print(_ items: Any..., separator: String = " ", terminator: String = "\\n") {}
        """
      ),
      Part(
        "debugPrint",
        """
        func debugPrint(_ items: Any..., separator: String = " ", terminator: String = "\\n") {}
        """
      ),
      Part(
        "dump",
        """
        @discardableResult func dump<T>(
          _ value: T, name: String? = nil, indent: Int = 0, maxDepth: Int = .max, maxItems: Int = .max
        ) -> T { value }
        """
      ),
      Part("NSLog", "func NSLog(_ format: String, _ arguments: Any?...) {}"),
      Part(
        "OSLogPrivacy",
        """
        struct OSLogPrivacy {
          struct Mask { static let hash = Self(), none = Self() }
          static let `public` = Self(), `private` = Self(), sensitive = Self(), auto = Self()
          static func `private`(mask: Mask) -> Self { Self() }
          static func sensitive(mask: Mask) -> Self { Self() }
          static func auto(mask: Mask) -> Self { Self() }
        }
        """
      ),
      Part(
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
      Part(
        "OSLogType",
        """
        struct OSLogType {
          static let `default` = Self(), info = Self(), debug = Self(), error = Self(), fault = Self()
        }
        """
      ),
      Part(
        "OSLog",
        """
        struct OSLog {
          static let `default` = OSLog(subsystem: "", category: "")
          init(subsystem: String, category: String) {}
        }
        """
      ),
      Part(
        "os_log",
        """
        func os_log(
          _ message: StaticString, log: OSLog = .default, type: OSLogType = .default, _ arguments: Any?...
        ) {}
        func os_log(_ type: OSLogType, log: OSLog = .default, _ message: OSLogMessage) {}
        @_disfavoredOverload func os_log(_ message: OSLogMessage) {}
        """
      ),
      Part(
        "Logger",
        """
        struct Logger {
          init() {}
          init(subsystem: String, category: String) {}
          init(label: String) {}
          init(_ log: OSLog) {}
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
    + ["Verbose", "Debug", "Info", "Warn", "Error"].map {
      // CocoaLumberjack's.
      Part("DDLog\($0)", "func DDLog\($0)(_ message: @autoclosure () -> Any?) {}")
    }
}
