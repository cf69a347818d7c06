import StoreAccess

/// The tables whose pages have the faults of a damaged file.
///
/// A table all of whose rows seem to be read may have lost some: a damaged page can name too few.
struct FaultyPages {
  /// The tables with faulty pages.
  private(set) var tables: Set<String> = []
  /// Whether there are faults whose place is unknown, or known only to be in no tree.
  private(set) var areStray = false

  /// - Parameter faults: The lines of SQLite's check; if their number is its limit, there may be more.
  init(_ faults: [String], _ connection: borrowing SQLiteConnection) {
    areStray = faults.count >= PageFaults.greatestCount
    var pages: Set<Int64> = []
    for fault in faults {
      // "On tree page 85 cell 1: …", "Page 90 is never used", "Multiple uses for byte 3840 of page 85".
      if let text = fault.firstMatch(of: /[Pp]age (\d+)/)?.1, let page = Int64(text) {
        pages.insert(page)
      } else if !Self.isOfNoRow(fault) {
        areStray = true
      }
    }
    guard !pages.isEmpty else { return }
    let owners = Self.owners(of: pages, connection)
    tables = Set(owners.values.joined())
    areStray = areStray || !pages.isSubset(of: owners.keys)
  }

  /// Returns whether a fault can hide no missing row: it concerns the list of free pages, or a value
  /// that the schema does not allow.
  private static func isOfNoRow(_ fault: String) -> Bool {
    fault.contains("reelist") || fault.contains(/value in [^ ]+\.[^ ]+/)
  }

  /// Returns the tables and indexes to which pages belong; none where SQLite cannot report that.
  private static func owners(
    of pages: Set<Int64>,
    _ connection: borrowing SQLiteConnection
  ) -> [Int64: [String]] {
    let list = pages.sorted().map(String.init).joined(separator: ", ")
    let query = "SELECT DISTINCT pageno, name FROM dbstat('main') WHERE pageno IN (\(list))"
    let rows = (try? connection.rows(query)) ?? []
    return Dictionary(
      rows.compactMap { row in
        guard let page = row[0].integer, let name = row[1].text else { return nil }
        return (page, [name])
      },
      uniquingKeysWith: +
    )
  }
}
