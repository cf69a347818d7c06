package import StoreMigration

extension SalvageAccount {
  /// The account for programs.
  package var members: JSONMembers {
    [
      "whole": isWhole, "rows": rows, "faults": faults, "hasStrayPages": hasStrayPages,
      "tables": tables.map(\.members), "leftOut": leftOut, "danglingLinks": danglingLinks,
    ]
  }

  /// The account on a terminal, with an empty line behind it.
  package var section: [StyledText] {
    let title: StyledText = "\("damaged", .caution)   what could be read of the store:"
    return [title] + lines.map { "          \($0)" } + [""]
  }
}

extension SalvageAccount.Table {
  fileprivate var members: JSONMembers {
    [
      "name": name, "rows": rows, "entities": entities, "unreadable": gaps,
      "duplicates": duplicates, "hasDamagedPages": hasDamagedPages,
    ]
  }
}
