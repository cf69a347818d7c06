internal import ArgumentParser
internal import BatchMigration
internal import Files
private import Foundation
internal import MigrationReporting
internal import Waystone

/// The command `waystone batch report`.
struct BatchReportCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Print what became of the stores of a batch, in a form for people or programs.",
    discussion: """
      `json`, `csv` and `junit` name every store. In `junit` a store is a test case, which passes \
      where the store is of the version wanted. In `csv` a text that a spreadsheet would compute gets \
      an apostrophe in front. `html` is one file that needs no network: it shows the stores that did \
      not reach the version, then the slowest, 2,000 at most. `markdown` is a summary for a pull \
      request. Each form but `junit` says what migrations dropped or changed, by entity and property.
      """
  )

  /// The forms in which the report is printed.
  enum Format: String, ReportFormat {
    case text
    case json
    case junit
    case csv
    case markdown
    case html
  }

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp(
      "Print the certificate of this store's migration instead, which is JSON.",
      discussion: "By the name that reports show. `waystone verify --certificate` takes it.",
      valueName: "store"
    )
  )
  var certificate: String?

  @Option(help: ArgumentHelp("How to print the result.", valueName: "format"))
  var format: Format?

  @OptionGroup var output: ReportOutput
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if certificate != nil, format != nil, format != .json {
      throw ValidationError("A certificate is JSON: leave --format out.")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    if let certificate { return try printCertificate(of: certificate, in: session) }
    let format = try output.format(format)
    if let path = output.path { try session.checkCanReport(to: path) }
    let opened = try ledger.open(in: session)
    let shown = ledger.shown
    // Totals and stores are of one moment, even while a batch runs and writes.
    let report = try opened.snapshot {
      var report = try BatchReport(opened, shownAs: shown)
      report.namesLosses = true
      guard let path = output.path else {
        if format == .text {
          try session.print(report, as: .text)
        } else {
          try write(report, of: opened, as: format, in: session) {
            try session.print($0, evenIfQuiet: true)
          }
        }
        return report
      }
      try AtomicFile.write(to: session.console.resolved(path)) { sink in
        try write(report, of: opened, as: format, in: session) { try sink(Array($0.utf8)) }
      }
      return report
    }
    if let path = output.path {
      try session.print("\(path) is written. \(report.sentence)\n")
    }
    return .success
  }

  private func printCertificate(of name: String, in session: Session) throws -> CommandStatus {
    if let path = output.path { try session.checkCanCreate(path) }
    let opened = try ledger.open(in: session)
    let store = try opened.store(named: name)
    guard let json = try opened.certificate(of: store.id) else {
      throw WaystoneError(
        .nothingToDo,
        "\(store.found.name) is \(store.state.rawValue): there is no certificate of a migration.",
        recovery: "Only stores that were migrated, or copied as current, have one."
      )
    }
    try session.deliver(String(decoding: json, as: UTF8.self), to: output.path, as: .newFile)
    return .success
  }

  private func write(
    _ report: BatchReport,
    of ledger: borrowing BatchLedger,
    as format: Format,
    in session: Session,
    to sink: (String) throws -> Void
  ) throws {
    switch format {
    case .text: try sink(report.text(isVerbose: session.isVerbose) + "\n" + ReportFile.signature)
    case .markdown: try sink(report.markdown)
    case .html:
      let epoch = session.console.environment["SOURCE_DATE_EPOCH"].flatMap { Int($0) }
      let now = UniversalTime.text(epoch ?? Int(Date().timeIntervalSince1970))
      let origin = PageOrigin(version: WaystoneProgram.version, date: now)
      try sink(report.html(of: ledger, origin: origin))
    case .json: try report.write(.json, of: ledger, to: sink)
    case .csv: try report.write(.csv, of: ledger, to: sink)
    case .junit: try report.write(.junit, of: ledger, to: sink)
    }
  }
}
