package import BatchMigration

/// A report on the stores of a batch that were copied because they were not migrated.
package struct BatchExportReport: Report, MemberEncodable {
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
  package var manifest: String {
    get throws {
      try exported.stores.map { try JSONValue(encoding: $0).compact + "\n" }.joined()
    }
  }

  package var members: JSONMembers {
    ["folder": folder, "stores": exported.stores]
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
