/// The migration as a person would write it by hand, who knows that nobody looks at the stages
/// between: one script that reads each row once and writes a fresh file of the last version.
struct SinglePass {
  /// The script, which `ComparisonBenchmark` hands to SQLite as it is.
  let sql: String

  /// - Parameters:
  ///   - store: The store of the first version.
  ///   - model: A store of the last version, of which tables and indexes are taken; not its rows.
  ///   - expressions: What gives the columns of `ZNOTE`; the others are carried as they are.
  init(of store: String, like model: String, expressions: [String: String]) throws {
    let query = "SELECT type, name, sql FROM sqlite_master WHERE sql <> ''"
    let schema = try Database.rows(of: query, in: model)
    var lines = [
      "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE",
      "PRAGMA cache_size = -65536", "ATTACH '\(Database.quoted(store))' AS old", "BEGIN",
    ]
    for object in schema where object[0] == "table" {
      lines.append(object[2])
      guard object[1] == "ZNOTE" else {
        lines.append("INSERT INTO main.\(object[1]) SELECT * FROM old.\(object[1])")
        continue
      }
      let columns = try Database.rows(of: "SELECT name FROM pragma_table_info('ZNOTE')", in: model)
        .map { $0[0] }
      let values = columns.map { expressions[$0] ?? $0 }
      lines.append(
        """
        INSERT INTO main.ZNOTE (\(columns.joined(separator: ", "))) \
        SELECT \(values.joined(separator: ", ")) FROM old.ZNOTE
        """
      )
    }
    lines += schema.filter { $0[0] == "index" }.map { $0[2] }
    sql = (lines + ["COMMIT"]).joined(separator: ";\n")
  }
}
