internal import Foundation
internal import Logging
internal import MigrationReporting

/// A handler that writes each entry of a log as one line: logfmt (https://brandur.org/logfmt) or JSON.
struct LineLogHandler: LogHandler {
  enum Form: Sendable {
    case logfmt
    case json
  }

  let form: Form
  let write: @Sendable (String) -> Void
  var metadata = Logger.Metadata()
  var logLevel = Logger.Level.info

  init(form: Form, _ write: @escaping @Sendable (String) -> Void) {
    self.form = form
    self.write = write
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var fields = [
      ("time", Date().formatted(.iso8601)), ("level", event.level.rawValue),
      ("message", "\(event.message)"),
    ]
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    fields += all.map { ($0.key, "\($0.value)") }.sorted { $0.0 < $1.0 }
    switch form {
    case .logfmt:
      write(fields.map { "\($0)=\(Self.word($1))" }.joined(separator: " ") + "\n")
    case .json:
      let members = fields.map { ($0, JSONValue.string($1)) }
      write(JSONValue.object(Dictionary(members, uniquingKeysWith: { $1 })).compact + "\n")
    }
  }

  /// Returns a value as logfmt has it: quoted where it holds more than plain characters.
  private static func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "=" && $0 != "\\" }
    guard !isPlain else { return text }
    var word = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": word += "\\\""
      case "\\": word += "\\\\"
      case "\n": word += "\\n"
      default: word.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar)
      }
    }
    return word + "\""
  }
}
