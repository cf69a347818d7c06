internal import ObjectModel
package import StoreMigration

/// A report on the files that were removed beside a store, or would be.
package struct CleaningReport: Report, MemberEncodable {
  package static let verb = "clean"

  private let store: String
  private let cleaning: WorkspaceCleaning
  private let isDone: Bool
  private let shortened: @Sendable (String) -> String

  /// Makes a report on the cleaning of a store's workspace.
  ///
  /// - Parameters:
  ///   - isDone: Whether it was carried out, and not only listed.
  ///   - shortened: The form in which a path is shown.
  package init(
    store: String,
    cleaning: WorkspaceCleaning,
    isDone: Bool,
    shortened: @escaping @Sendable (String) -> String
  ) {
    self.store = store
    self.cleaning = cleaning
    self.isDone = isDone
    self.shortened = shortened
  }

  package var members: JSONMembers {
    [
      "store": store, "removed": isDone, "bytes": bytes, "items": cleaning.removed.map(members),
      "kept": cleaning.kept.map(members), "leftAlone": cleaning.strangers.map(shortened),
      "unfinished": cleaning.unfinished?.rawValue,
    ]
  }

  private var bytes: Int64 { cleaning.removed.reduce(0) { $0 + $1.bytes } }

  private func members(_ item: WorkspaceCleaning.Item) -> JSONMembers {
    [
      "path": shortened(item.path), "kind": item.kind.rawValue, "bytes": item.bytes,
      "run": item.run,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    if cleaning.removed.isEmpty {
      lines.append("Nothing to remove beside \(store, .strong).")
    } else {
      lines += table(cleaning.removed)
      let files = Quantity.count(cleaning.removed.count, "file")
      let size = Quantity.bytes(Int(bytes))
      lines.append("")
      if isDone {
        lines.append("\("removed", .good)  \(files), \(size)")
      } else {
        lines.append("\(files), \(size), can be removed: add --yes to remove them.")
        if cleaning.removed.contains(where: { $0.kind == .backup }) {
          lines.append("`waystone rollback` cannot put a removed backup back.")
        }
      }
    }
    if !cleaning.kept.isEmpty {
      let files = Quantity.count(cleaning.kept.count, "file")
      let size = Quantity.bytes(Int(cleaning.kept.reduce(0) { $0 + $1.bytes }))
      lines.append("\(isDone ? "kept" : "stays")  \(files), \(size)")
      if isVerbose { lines += table(cleaning.kept) }
    }
    lines += unfinished
    lines += cleaning.strangers.map { path in
      Workspace.isUnreadCopy(path)
        ? "left alone, since it may be the only copy of changes: \(shortened(path))"
        : "left alone, since no run has made it: \(shortened(path))"
    }
    return lines
  }

  /// The lines on an unfinished run or rollback, with the command that ends it.
  private var unfinished: [StyledText] {
    let label: StyledText = "\("unfinished", .caution)"
    switch cleaning.unfinished {
    case nil: return []
    case .rollback:
      return [label + "  a rollback: end it with `waystone rollback \(store.shellWord)`"]
    case .run:
      let checkpoints = cleaning.kept.filter { $0.kind == .checkpoint }
      let size = Quantity.bytes(Int(checkpoints.reduce(0) { $0 + $1.bytes }))
      let files = Quantity.count(checkpoints.count, "checkpoint file")
      return [
        label
          + "  a run, with \(files), \(size): go on with `waystone resume \(store.shellWord)`, or throw it "
          + "away with `waystone migrate --restart`"
      ]
    }
  }

  private func table(_ items: [WorkspaceCleaning.Item]) -> [StyledText] {
    var table = TextTable([("", .left), ("", .right), ("", .left)])
    for item in items {
      table.append([
        StyledText(item.kind.rawValue), StyledText(Quantity.bytes(Int(item.bytes))),
        StyledText(shortened(item.path)),
      ])
    }
    return table.lines(indentation: 2)
  }
}
