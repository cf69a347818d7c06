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
    var owners: [Int: Set<String>] = [:]
    for fault in faults where !SourceCheck.isOfIndex(fault) {
      // "On tree page 85 cell 1: …", "Page 90 is never used", "Multiple uses for byte 3840 of page 85".
      guard let text = fault.firstMatch(of: /[Pp]age (\d+)/)?.1, let page = Int(text) else {
        areStray = true
        continue
      }
      if owners[page] == nil { owners[page] = Self.owners(of: page, connection) }
      tables.formUnion(owners[page] ?? [])
      if owners[page]?.isEmpty ?? true { areStray = true }
    }
  }

  /// The tables and indexes in whose trees a page is; none where SQLite cannot say that.
  private static func owners(
    of page: Int,
    _ connection: borrowing SQLiteConnection
  ) -> Set<String> {
    let query = "SELECT DISTINCT name FROM dbstat('main') WHERE pageno = ?"
    let rows = (try? connection.rows(query, [.integer(Int64(page))])) ?? []
    return Set(rows.compactMap { $0.first?.text })
  }
}
