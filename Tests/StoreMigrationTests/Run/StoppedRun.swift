import StoreMigration
import Testing

/// A run that is asked to stop when a record stands in its journal.
enum StoppedRun {
  static func stop(_ store: String, output: String? = nil, at event: JournalRecord.Event) throws {
    let plan = try Journey.plan()
    var options = MigrationOptions()
    options.output = output
    options.settings.fusesHops = false
    let cancellation = options.cancellation
    options.onEvent = {
      if case .recorded(let record) = $0, record.event == event { cancellation.request() }
    }
    let error = #expect(throws: MigrationError.self) {
      _ = try StoreMigrator(plan: plan, options: options).migrate(store)
    }
    #expect(error?.code == .interrupted)
    #expect(error?.isResumable == true)
  }
}
