/// The faults in the pages of a database.
package struct PageFaults: Sendable {
  /// Up to twenty lines in SQLite's words; none where all is well.
  package var lines: [String] = []
  /// The proof, where SQLite's own check was not needed.
  package var proof: PageVerification?

  /// The greatest number of lines that are asked for.
  package static let greatestCount = 20

  /// Whether all is well.
  package var isEmpty: Bool { lines.isEmpty }
}

extension SQLiteConnection {
  /// Returns the faults in the pages of a database.
  ///
  /// The quick check reads each page once and finds every contradiction in the structure of the trees: by
  /// ``PageVerification``, and where that does not succeed, by SQLite, whose answer is final. The full check is
  /// SQLite's alone, and also looks each row up in each index. Neither names a value of a row.
  ///
  /// - Parameters:
  ///   - schema: `main`, or the name of an attached database.
  ///   - isFull: Whether it is SQLite's integrity check.
  ///   - interest: The other facts about the rows that the proof reports.
  ///   - onProgress: Called by the proof, on this thread.
  /// - Throws: ``SQLiteError``, but not for a file that is damaged: that is the result.
  /// - Complexity: A pass over the file; the full check O(*n* log *n*) in the entries of indexes.
  package func faults(
    in schema: String = "main",
    isFull: Bool = false,
    interest: PageVerification.Interest = .init(),
    onProgress: PageVerification.Progress? = nil
  ) throws(SQLiteError) -> PageFaults {
    if !isFull,
      let proof = PageVerification(
        of: self,
        schema: schema,
        interest: interest,
        onProgress: onProgress
      )
    {
      return PageFaults(proof: proof)
    }
    let pragma = isFull ? "integrity_check" : "quick_check"
    do throws(SQLiteError) {
      let rows = try rows("PRAGMA \(SQL.identifier(schema)).\(pragma)(\(PageFaults.greatestCount))")
      let lines = rows.flatMap { row in
        (row.first?.text ?? "SQLite gives no reason").split(separator: "\n").map(String.init)
      }
      // SQLite reports a failed read as damage too.
      if rows.first?.first?.text != "ok" { try checkReads() }
      // Several lines of one tree come as one text, below the name of the database.
      let faults = lines.filter { $0 != "ok" && !$0.hasPrefix("***") }
      return PageFaults(lines: Array(faults.prefix(PageFaults.greatestCount)))
    } catch {
      guard error.isDamage else { throw error }
      return PageFaults(lines: [error.message])
    }
  }
}
