internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone query`.
struct QueryCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Print the objects of a store that a question is for.",
    discussion: """
      The question is an entity, then in any order: a condition in the format of NSPredicate, an order, a \
      part, and the values that are wanted.

        waystone query Store.sqlite 'Note where title CONTAINS[cd] "x" sort by created desc limit 20'
        waystone query Store.sqlite 'Note select title, folder.name, tags.@count offset 20 limit 20'
        waystone query Store.sqlite 'count Note where ANY tags.name == "work"'
        waystone query Store.sqlite 'Note where created > "2024-05-01T12:30:00Z"'

      Text that is compared with a date or a UUID is one: a date without a time is its midnight in UTC. \
      Objects of entities below the entity count. A key that is a reserved word begins with #, a name that is \
      no word is put into quotation marks. An error names the column of the question.

      This verb and `dump` print values; no other verb does. The store is read in one snapshot and not changed.
      """
  )

  /// The forms of the result.
  enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
    case table, json, csv, ndjson
  }

  @Argument(help: "The store.")
  var store: String

  @Argument(help: "The question, in one argument.")
  var question: String

  @Option(help: ArgumentHelp("How to print the result.", valueName: "format"))
  var format = Format.table

  @Flag(help: "CSV: put an apostrophe before text that a spreadsheet would compute.")
  var escapeFormulas = false

  @OptionGroup var common: CommonOptions

  func perform(in session: Session) throws -> CommandStatus {
    let question = try ObjectQuery(question)
    let project = try session.projectIfAny()
    let query = try StoreQuery(
      question,
      of: OpenedContents(
        ofStoreAt: session.console.resolved(store),
        shownAs: store,
        in: project.archive,
        cancellation: session.cancellation
      )
    )
    let data = DataOutput(session: session)
    let faults = try data.printing { output -> [ReadingFault] in
      func text(_ text: String) throws { try output(Array(text.utf8)) }
      switch format {
      case .table: try table(query, to: text)
      case .json: return try json(query, to: text)
      case .csv: try csv(query, to: output)
      case .ndjson:
        if let count = try query.count() {
          try text("{\"count\":\(count)}\n")
        } else {
          try query.forEachLine(text)
        }
      }
      return try query.finish()
    }
    return faults.map { data.explain($0, of: store) } ?? .success
  }

  private func table(_ query: StoreQuery, to output: (String) throws -> Void) throws {
    if let count = try query.count() { return try output("\(count)\n") }
    var report = QueryTable(query.headings)
    try query.forEachRow { report.append($0) }
    try output(report.text)
  }

  private func csv(_ query: StoreQuery, to output: ([UInt8]) throws -> Void) throws {
    var csv = RecordCSV(escapesFormulas: escapeFormulas)
    csv.headings(query.headings)
    if let count = try query.count() {
      csv.row([.object(Int64(count))])
    } else {
      try query.forEachRow { row in
        csv.row(row)
        if csv.bytes.count >= 1 << 16 {
          try output(csv.bytes)
          csv.removeAll()
        }
      }
    }
    try output(csv.bytes)
  }

  /// Prints one JSON object, when all of it is there: an error is one, too.
  private func json(
    _ query: StoreQuery,
    to output: (String) throws -> Void
  ) throws -> [ReadingFault] {
    var objects: [String] = []
    var count = try query.count()
    if count == nil {
      try query.forEachLine { objects.append("    " + $0.dropLast()) }
      count = objects.count
    }
    let faults = try query.finish()
    let report = QueryReport(
      store: store,
      query: question,
      count: count ?? 0,
      isCount: query.query.isCount,
      faults: faults
    )
    try output(report.text(around: objects))
    return faults
  }
}
