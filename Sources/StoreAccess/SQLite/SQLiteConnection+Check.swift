/// What is wrong in the pages of a database.
package struct PageFaults: Sendable {
  /// Up to twenty lines in SQLite's words; none where all is well.
  package var lines: [String] = []
  /// What was proven on the way, where nothing had to be asked of SQLite.
  package var proof: PageProof?

  /// The greatest number of lines that are asked for.
  package static let greatestCount = 20

  /// Whether all is well.
  package var isEmpty: Bool { lines.isEmpty }
}

extension SQLiteConnection {
  /// What is wrong in the pages of a database.
  ///
  /// The quick check reads each page once and finds whatever contradicts the structure of the trees: by
  /// ``PageProof``, and where that cannot tell, by SQLite, which has the last word. The full check is
  /// SQLite's alone, and also looks each row up in each index. Neither names a value of a row.
  ///
  /// - Parameters:
  ///   - schema: `main`, or the name of an attached database.
  ///   - isFull: Whether it is SQLite's integrity check.
  ///   - interest: What else of the rows the proof tells.
  ///   - onProgress: Told by the proof, on this thread.
  /// - Throws: ``SQLiteError``, but not for a file that is damaged: that is the answer.
  /// - Complexity: A pass over the file; the full check O(*n* log *n*) in the entries of indexes.
  package func faults(
    in schema: String = "main",
    isFull: Bool = false,
    interest: PageProof.Interest = .init(),
    onProgress: PageProof.Progress? = nil
  ) throws(SQLiteError) -> PageFaults {
    if !isFull,
      let proof = PageProof(of: self, schema: schema, interest: interest, onProgress: onProgress)
    {
      return PageFaults(proof: proof)
    }
    let pragma = isFull ? "integrity_check" : "quick_check"
    do throws(SQLiteError) {
      let rows = try rows("PRAGMA \(SQL.identifier(schema)).\(pragma)(\(PageFaults.greatestCount))")
      let lines = rows.flatMap { row in
        (row.first?.text ?? "SQLite gives no reason").split(separator: "\n").map(String.init)
      }
      // What could not be read is told as damage too.
      if rows.first?.first?.text != "ok" { try checkReads() }
      // Several lines of one tree come as one text, below the name of the database.
      let told = lines.filter { $0 != "ok" && !$0.hasPrefix("***") }
      return PageFaults(lines: Array(told.prefix(PageFaults.greatestCount)))
    } catch {
      guard error.isDamage else { throw error }
      return PageFaults(lines: [error.message])
    }
  }
}
