import ObjectModel

/// A value of a YAML file with its line.
struct HopNode {
  /// The kinds of values.
  enum Content {
    case null
    /// A scalar; the flag is whether it is in quotation marks or in a block.
    case text(String, isQuoted: Bool)
    case list([HopNode])
    case map([HopEntry])
  }

  let content: Content
  let line: Int
  let file: String

  /// Returns the error for a value of a wrong form.
  func error(_ message: String, _ recovery: String) -> ModelImportError {
    ModelImportError(.badValue, file: file, line: line, message: message, recovery: recovery)
  }

  /// Whether the value is left empty, or `null`.
  var isNull: Bool { if case .null = content { true } else { false } }

  /// Returns the text of a scalar.
  func text(_ key: String, _ what: String) throws(ModelImportError) -> String {
    guard case .text(let text, _) = content, !text.isEmpty else {
      throw error("`\(key)` must be \(what).", "Correct the line named.")
    }
    return text
  }

  /// Returns the members of a list, or the only one where there is no list.
  func list() -> [HopNode] {
    switch content {
    case .null: []
    case .list(let members): members
    case .text, .map: [self]
    }
  }

  /// Returns the texts of a list, or the only one.
  func texts(_ key: String, _ what: String) throws(ModelImportError) -> [String] {
    var result: [String] = []
    for node in list() { result.append(try node.text(key, what)) }
    return result
  }

  /// Returns the keys and values, whose keys must be among those known.
  func map(
    _ key: String,
    knowing names: [String]
  ) throws(ModelImportError) -> [String: HopNode] {
    guard case .map(let entries) = content else {
      throw error("`\(key)` must be keys and values.", "The keys are \(Self.words(names)).")
    }
    var result: [String: HopNode] = [:]
    for entry in entries {
      guard names.contains(entry.name) else {
        throw error(
          at: entry.line,
          "There is no key `\(entry.name.prefix(60))` in \(key).",
          "The keys are \(Self.words(names))."
        )
      }
      result[entry.name] = entry.value
    }
    return result
  }

  /// Returns the names and values of a map whose keys are names of the model.
  func entries(_ key: String) throws(ModelImportError) -> [HopEntry] {
    switch content {
    case .null: return []
    case .map(let entries): return entries
    case .text, .list:
      throw error("`\(key)` must be names with values.", "Write for example `title: $source.name`.")
    }
  }

  /// Returns a truth value.
  func flag(_ key: String) throws(ModelImportError) -> Bool {
    switch try text(key, "yes or no").lowercased() {
    case "yes", "true", "on": return true
    case "no", "false", "off": return false
    default: throw error("`\(key)` must be yes or no.", "Correct the line named.")
    }
  }

  private func error(at line: Int, _ message: String, _ recovery: String) -> ModelImportError {
    ModelImportError(.badValue, file: file, line: line, message: message, recovery: recovery)
  }

  /// Returns a list of names for a sentence.
  static func words(_ names: [String]) -> String {
    names.count < 2
      ? names.joined()
      : names.dropLast().joined(separator: ", ") + " and \(names[names.count - 1])"
  }
}

/// A key of a YAML mapping with its value.
struct HopEntry {
  let name: String
  let line: Int
  let value: HopNode
}
