internal import Mustache
internal import ObjectModel

/// The frame of each HTML page: a template, one style sheet and one script.
///
/// The page's own policy forbids all requests, and all scripts and styles but these two, whose hashes it
/// names.
struct PageFrame {
  private let template: String
  private let style: String
  private let script: String

  /// The parts, as the package manager compiled them into the program.
  init(template: [UInt8], style: [UInt8], script: [UInt8]) {
    self.template = Self.unindented(template)
    self.style = Self.unindented(style)
    self.script = Self.unindented(script)
  }

  /// Returns a file of the page's own without the blanks at the beginning of its lines.
  private static func unindented(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 == " " } }
      .joined(separator: "\n")
  }

  /// Returns the page's text.
  ///
  /// - Throws: An error of Mustache on the template.
  func text(_ context: [String: Any]) throws -> String {
    let policy =
      "default-src 'none'; img-src data:; style-src '\(Self.hash(style))'; "
      + "script-src '\(Self.hash(script))'; base-uri 'none'; form-action 'none'"
    let parts: [String: Any] = ["policy": policy, "style": style, "script": script]
    return try MustacheTemplate(string: template).render(context.merging(parts) { $1 })
  }

  /// Returns a text's hash as a content security policy names it.
  private static func hash(_ text: String) -> String {
    "sha256-" + Base64.string(SHA256.hash(Array(text.utf8)))
  }

  /// Returns the parts of a bar, those that are there.
  static func bar(_ parts: [(look: String, label: String, count: Int)]) -> [[String: Any]] {
    let total = max(1, parts.reduce(0) { $0 + $1.count })
    var sum = 0
    return parts.filter { $0.count > 0 }.map { part in
      defer { sum += part.count }
      return [
        "name": part.look,
        "label": part.label,
        "count": Quantity.grouped(part.count),
        "start": percent(sum, total),
        "width": percent(part.count, total),
      ]
    }
  }

  /// Returns a part as a number of percent with one digit behind the point.
  static func percent(_ part: Int, _ total: Int) -> String {
    let tenths = part * 1000 / max(1, total)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
