package import StoreMigration

extension SalvageAccount {
  /// The account for programs.
  package var json: JSONValue {
    .object([
      "whole": .boolean(isWhole),
      "rows": .integer(rows),
      "faults": JSONValue(faults),
      "hasStrayPages": .boolean(hasStrayPages),
      "tables": .array(tables.map(\.json)),
      "leftOut": JSONValue(leftOut),
      "danglingLinks": danglingLinks.map { .array($0.map(\.json)) } ?? .null,
    ])
  }

  /// The account on a terminal, with an empty line behind it.
  package var section: [StyledText] {
    let title: StyledText = "\("damaged", .caution)   what could be read of the store:"
    return [title] + lines.map { "          \($0)" } + [""]
  }
}

extension SalvageAccount.Table {
  fileprivate var json: JSONValue {
    .object([
      "name": .string(name),
      "rows": .integer(rows),
      "entities": .object(entities.mapValues { .integer($0) }),
      "unreadable": .array(
        gaps.map { gap in
          .object([
            "after": gap.after.map { .integer($0) } ?? .null,
            "before": gap.before.map { .integer($0) } ?? .null,
          ])
        }
      ),
      "duplicates": .integer(duplicates),
      "hasDamagedPages": .boolean(hasDamagedPages),
    ])
  }
}

extension SalvageAccount.DanglingLinks {
  fileprivate var json: JSONValue {
    .object([
      "entity": .string(entity), "relationship": .string(relationship), "count": .integer(count),
    ])
  }
}
