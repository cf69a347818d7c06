import StoreAccess

/// Whose pages the faults of a damaged file are in.
///
/// A table all of whose rows seem to be read may have lost some: a damaged page can name fewer than it has.
struct FaultyPages {
  /// The tables with faulty pages.
  private(set) var tables: Set<String> = []
  /// Whether there are faults of which it is not known where they are, or only that they are in no tree.
  private(set) var areStray = false

  /// - Parameter faults: What SQLite's check says, line by line; as many as it says at most may not be all.
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

  /// Whether a line tells of no row that could be missing: of the list of free pages, or of a value that the
  /// schema does not allow.
  private static func isOfNoRow(_ fault: String) -> Bool {
    fault.contains("reelist") || fault.contains(/value in [^ ]+\.[^ ]+/)
  }

  /// The tables and indexes in whose trees pages are; none where SQLite cannot say that.
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
