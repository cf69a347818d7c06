import Foundation
import GRDB

/// Seconds of processor time that the process has had.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Fetches all notes as rows and reads each column by its name.
func readRows(_ database: Database) throws -> Int {
  let rows = try Row.fetchAll(
    database,
    sql: """
      SELECT Z_PK, ZBODY, ZCREATED, ZIDENTIFIER, ZISPINNED, ZMODIFIED, ZPRICE, ZRATING, ZSKETCH, ZTITLE, ZWORDS
      FROM ZNOTE ORDER BY Z_PK
      """
  )
  var count = 0
  for row in rows {
    let (body, title): (String?, String?) = (row["ZBODY"], row["ZTITLE"])
    let (created, modified): (Double?, Double?) = (row["ZCREATED"], row["ZMODIFIED"])
    let (identifier, sketch): (Data?, Data?) = (row["ZIDENTIFIER"], row["ZSKETCH"])
    let (pinned, words): (Bool?, Int64?) = (row["ZISPINNED"], row["ZWORDS"])
    let (price, rating): (Double?, Double?) = (row["ZPRICE"], row["ZRATING"])
    for value in [body, title] where value != nil { count += 1 }
    for value in [created, modified, price, rating] where value != nil { count += 1 }
    for value in [identifier, sketch] where value != nil { count += 1 }
    if pinned != nil { count += 1 }
    if words != nil { count += 1 }
  }
  return count
}

/// Fetches the keys of all notes as rows.
func readKeys(_ database: Database) throws -> Int {
  try Row.fetchAll(database, sql: "SELECT Z_PK FROM ZNOTE ORDER BY Z_PK").count
}

// usage: RowRun rows|keys STORE
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, ["rows", "keys"].contains(arguments[0]) else {
  print("usage: RowRun rows|keys STORE")
  throw CancellationError()
}
var configuration = Configuration()
configuration.readonly = true
let queue = try DatabaseQueue(path: arguments[1], configuration: configuration)
let start = processorSeconds()
let count = try queue.read { database in
  try arguments[0] == "rows" ? readRows(database) : readKeys(database)
}
print(#"{"seconds": \#(processorSeconds() - start), "count": \#(count)}"#)
