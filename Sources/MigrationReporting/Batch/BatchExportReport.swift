package import BatchMigration

/// A report on the stores of a batch that were copied because they were not migrated.
package struct BatchExportReport: Report {
  package static let verb = "batch-export-failures"

  private let exported: BatchRun.Exported
  private let folder: String

  /// A report on the stores that were copied into a folder.
  package init(_ exported: BatchRun.Exported, folder: String) {
    self.exported = exported
    self.folder = folder
  }

  /// Whether all were copied.
  package var isComplete: Bool { exported.stores.allSatisfy { $0.path != nil } }

  /// A line of JSON for each store.
  package var manifest: String { exported.stores.map { $0.json.compact + "\n" }.joined() }

  package var members: [String: JSONValue] {
    ["folder": .string(folder), "stores": .array(exported.stores.map(\.json))]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for store in exported.stores {
      guard let failure = store.failure else { continue }
      lines.append("\("not copied", .bad)  \(store.name, .strong)")
      lines += TerminalText.wrapped(failure, indentation: 2).map { "  \($0)" }
    }
    lines.append(StyledText(sentence))
    return lines
  }

  /// A sentence with the number of copied stores.
  package var sentence: String {
    let copied = exported.stores.count { $0.path != nil }
    return "\(Quantity.count(copied, "store")) copied to \(folder)."
  }
}

extension BatchRun.Exported.Store {
  fileprivate var json: JSONValue {
    [
      "store": .string(name),
      "state": .string(state.rawValue),
      "code": JSONValue(code),
      "message": JSONValue(message),
      "path": JSONValue(path),
      "failure": JSONValue(failure),
    ]
  }
}
