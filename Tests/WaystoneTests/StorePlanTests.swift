import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Plans and runs as a program makes them.
@Suite struct StorePlanTests {
  @Test func `a store is read, planned for and migrated by a hop file`() throws {
    try SampleStore.with("Library", "v1") { sample in
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: sample.url)
      #expect(models.identify(store).versions.map(\.qualifiedName) == ["Library/v1"])
      var options = MigrationOptions()
      options.settings.certifies = true
      let plan = try models.plan(for: store, options)
      #expect(plan.isSafe, "\(plan.blockers)")
      #expect(plan.hops.map(\.kind) == [.authored])
      #expect(!plan.accounts.isEmpty)
      let stages = Locked<[MigrationProgress]>([])
      options.onProgress = { progress in stages.change { $0.append(progress) } }
      let outcome = try plan.migrate(store, options)
      #expect(outcome.backup != nil)
      #expect(outcome.certificate?.hops.count == 1)
      #expect(stages.value.map(\.completedRows).max() ?? 0 > 0)
      let result = try Store(reading: sample.url)
      #expect(models.identify(result).versions.map(\.qualifiedName) == ["Library/v2"])
      let again = try models.plan(for: result, options)
      #expect(again.hops.isEmpty)
      #expect(try again.migrate(result, options).backup == nil)
      #expect(try Run(resuming: sample.url).resume() == nil)
    }
  }

  @Test func `an output leaves the store as it is`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let before = TemporaryFolder.bytes(of: sample.path)
      let store = try Store(reading: sample.url)
      var options = MigrationOptions()
      options.outputURL = URL(filePath: "\(sample.folder)/result.sqlite")
      let models = try ModelArchive(contentsOf: SampleStore.models)
      try models.plan(for: store, to: "Letters/v3", options).migrate(store, options)
      #expect(TemporaryFolder.bytes(of: sample.path) == before)
      let result = try Store(reading: URL(filePath: "\(sample.folder)/result.sqlite"))
      #expect(models.identify(result).versions.map(\.name) == ["v3"])
    }
  }

  @Test func `a version that only the store has is recovered from it`() throws {
    try SampleStore.with("Letters", "v2") { sample in
      var models = try ModelArchive(
        contentsOf: SampleStore.models.appending(path: "Letters.xcdatamodeld")
      )
      models.models[0].versions.removeAll { $0.name == "v2" }
      let store = try Store(reading: sample.url)
      #expect(models.identify(store).versions.isEmpty)
      #expect(store.carriedModel?.entityVersionHashes == store.versionHashes)
      let plan = try models.plan(for: store, to: "v4")
      #expect(plan.plan.source.isRecovered)
      try plan.migrate(store)
      #expect(models.identify(try Store(reading: sample.url)).versions.map(\.name) == ["v4"])
    }
  }

  @Test func `a plan that needs an unknown policy is not safe and says which`() throws {
    try SampleStore.with("Notes", "v3") { sample in
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: sample.url)
      let plan = try models.plan(for: store)
      #expect(!plan.isSafe)
      #expect(plan.blockers.code == .blocked)
      #expect(plan.blockers.findings.map(\.code) == [.unresolvedPolicy])
      #expect(plan.blockers.message.contains("Notes.ImageAttachmentPolicy"))
      let error = #expect(throws: WaystoneError.self) { try plan.migrate(store) }
      #expect(error?.code == .blocked)
      var options = MigrationOptions()
      options.register(ImageAttachmentPolicy.self)
      #expect(try models.plan(for: store, options).isSafe)
    }
  }

  @Test func `an encoded plan is made again with the policies of the decoder`() throws {
    try SampleStore.with("Notes", "v2") { sample in
      var options = MigrationOptions()
      options.register(ImageAttachmentPolicy.self)
      options.planning.acceptUnknown = true
      let store = try Store(reading: sample.url)
      let plan = try ModelArchive(contentsOf: SampleStore.models).plan(for: store, options)
      let json = try JSONEncoder().encode(plan)
      let decoder = JSONDecoder()
      decoder.userInfo[.migrationOptions] = options
      let again = try decoder.decode(StorePlan.self, from: json)
      #expect(again == plan)
      #expect(again.isSafe)
      #expect(try !JSONDecoder().decode(StorePlan.self, from: json).isSafe)
      try again.migrate(store, options)
      let error = #expect(throws: WaystoneError.self) {
        try decoder.decode(StorePlan.self, from: json)
      }
      #expect(error?.code == .mismatch)
    }
  }

  @Test func `an interrupted run goes on with the options that the program brings`() throws {
    try SampleStore.with("Notes", "v2") { sample in
      var options = MigrationOptions()
      options.register(ImageAttachmentPolicy.self)
      let store = try Store(reading: sample.url)
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let plan = try models.plan(for: store, options)
      let cancellation = options.cancellation
      options.onEvent = {
        if case .recorded(let record) = $0, record.event == .hop { cancellation.request() }
      }
      let error = #expect(throws: WaystoneError.self) { try plan.migrate(store, options) }
      #expect(error?.code == .interrupted)
      #expect(error?.isResumable == true)
      let run = try Run(resuming: sample.url)
      #expect(run.isUnfinished)
      var others = MigrationOptions()
      others.register(ImageAttachmentPolicy.self)
      let outcome = try #require(try run.resume(others))
      #expect(outcome.resumedAfter > 0)
      #expect(models.identify(try Store(reading: sample.url)).versions.map(\.name) == ["v4"])
    }
  }

  @Test func `an edge that a program made counts, and its run goes on with it`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let inferred = try models.plan(from: "Letters/v1", to: "Letters/v2")
      #expect(inferred.hops.map(\.kind) == [.inferred])
      var mapping = inferred.hops[0].mapping
      mapping.actionsAfter = [.handler("done")]
      var options = MigrationOptions()
      options.edges = [
        AuthoredEdge(
          source: inferred.source.hashes,
          destination: inferred.destination.hashes,
          mapping: mapping,
          origins: []
        )
      ]
      options.planning.acceptUnknown = true
      let calls = Locked(0)
      options.register(handler: "done") { _ in calls.change { $0 += 1 } }
      let store = try Store(reading: sample.url)
      let plan = try models.plan(for: store, to: "Letters/v2", options)
      #expect(plan.hops.map(\.kind) == [.authored])
      #expect(plan.isSafe, "\(plan.blockers)")
      let cancellation = options.cancellation
      options.onEvent = {
        if case .recorded(let record) = $0, record.event == .copied { cancellation.request() }
      }
      let error = #expect(throws: WaystoneError.self) { try plan.migrate(store, options) }
      #expect(error?.code == .interrupted)
      let without = #expect(throws: WaystoneError.self) { try Run(resuming: sample.url).resume() }
      #expect(without?.code == .mismatch)
      options.cancellation = Cancellation()
      options.onEvent = { _ in }
      #expect(try Run(resuming: sample.url).resume(options) != nil)
      #expect(calls.value == 1)
    }
  }

  @Test func `a plan that did not ask the rows is not called safe`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: sample.url)
      var options = MigrationOptions()
      #expect(try models.plan(for: store, to: "Letters/v4", options).isSafe)
      options.asksRows = false
      let plan = try models.plan(for: store, to: "Letters/v4", options)
      #expect(!plan.isSafe)
      #expect(plan.accounts.isEmpty)
      #expect(plan.blockers.code == .blocked)
      #expect(plan.blockers.message.contains("rows were not asked"))
      #expect(plan.blockers.recovery.contains("asksRows"))
      // What the rows would decide is named.
      #expect(plan.blockers.findings.allSatisfy { $0.risk == .conditional })
      // Nothing is asked where nothing is to be done.
      #expect(try models.plan(for: store, to: "Letters/v1", options).isSafe)
    }
  }

  @Test func `a name that is no version is not taken for a store`() throws {
    let models = try ModelArchive(contentsOf: SampleStore.models)
    let error = #expect(throws: WaystoneError.self) { try models.plan(from: "Letters/v9") }
    #expect(error?.code == .unknownVersion)
  }

  @Test func `an error is of one type, with a code and what to do`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: sample.url)
      func code<Value>(_ body: () throws(WaystoneError) -> Value) -> WaystoneError.Code? {
        do throws(WaystoneError) { _ = try body() } catch {
          return error.message.isEmpty || error.recovery.isEmpty ? nil : error.code
        }
        return nil
      }
      let missing = URL(filePath: sample.folder + "/missing")
      #expect(code { () throws(WaystoneError) in try Store(reading: missing) } == .missingFile)
      #expect(
        code { () throws(WaystoneError) in try ModelArchive(contentsOf: missing) }
          == .missingFile
      )
      #expect(code { () throws(WaystoneError) in try Run(resuming: missing) } == .missingFile)
      #expect(
        code { () throws(WaystoneError) in try models.plan(for: store, to: "v9") }
          == .unknownVersion
      )
      let web = URL(string: "https://example.org/app.sqlite") ?? missing
      #expect(code { () throws(WaystoneError) in try Store(reading: web) } == .badArgument)
      let back = code { () throws(WaystoneError) in
        try models.plan(for: Store(reading: sample.url), to: "Notes/v2")
      }
      #expect(back == .badArgument)
    }
  }

  @Test func `where no path is safe the error has what blocks each step`() throws {
    try SampleStore.with("Library", "v1") { sample in
      // Without the hop file beside it.
      let alone = URL(filePath: sample.folder + "/Library.xcdatamodeld")
      try FileManager.default.copyItem(
        at: SampleStore.models.appending(path: "Library.xcdatamodeld"),
        to: alone
      )
      var options = MigrationOptions()
      options.planning.acceptLoss = .none
      let models = try ModelArchive(contentsOf: alone)
      let store = try Store(reading: sample.url)
      let error = #expect(throws: WaystoneError.self) { try models.plan(for: store, options) }
      #expect(error?.code == .noPath)
      #expect(error?.findings.isEmpty == false)
    }
  }

  @Test func `what became of the wanted version meanwhile is left alone`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: sample.url)
      let plan = try models.plan(for: store, to: "Letters/v2")
      #expect(try plan.migrate(store).backup != nil)
      let again = try plan.migrate(store)
      #expect(again.hops == 0)
      #expect(again.backup == nil)
      // What was read before says no more what the store is.
      let error = #expect(throws: WaystoneError.self) {
        try models.plan(for: store, to: "Letters/v3")
      }
      #expect(error?.code == .inUse)
      #expect(models.identify(try Store(reading: sample.url)).versions.map(\.name) == ["v2"])
    }
  }

  @Test func `an output of a store that another run migrated meanwhile is not claimed`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: sample.url)
      let plan = try models.plan(for: store, to: "Letters/v2")
      try plan.migrate(store)
      var options = MigrationOptions()
      options.outputURL = URL(filePath: "\(sample.folder)/result.sqlite")
      let error = #expect(throws: WaystoneError.self) { try plan.migrate(store, options) }
      #expect(error?.code == .inUse)
      #expect(TemporaryFolder.bytes(of: "\(sample.folder)/result.sqlite") == nil)
    }
  }

  @Test func `the findings of a store that stays as it is are in the outcome`() throws {
    try SampleStore.with("Letters", "v2") { sample in
      try sample.change("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: sample.url)
      let outcome = try models.plan(for: store, to: "Letters/v2").migrate(store)
      #expect(outcome.backup == nil)
      #expect(Set(outcome.findings.map(\.code)) == [.entityNumbersWrong])
    }
  }

  @Test func `a run that another process ended leaves nothing to resume`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let store = try Store(reading: sample.url)
      var options = MigrationOptions()
      let cancellation = options.cancellation
      options.onEvent = {
        if case .recorded(let record) = $0, record.event == .copied { cancellation.request() }
      }
      let plan = try ModelArchive(contentsOf: SampleStore.models).plan(for: store, to: "Letters/v2")
      let error = #expect(throws: WaystoneError.self) { try plan.migrate(store, options) }
      #expect(error?.code == .interrupted)
      let (first, second) = (try Run(resuming: sample.url), try Run(resuming: sample.url))
      #expect(try first.resume() != nil)
      #expect(second.isUnfinished)
      #expect(try second.resume() == nil)
    }
  }

  @Test func `a request for versions alone has no plan for a store`() throws {
    let project = try Project(at: SampleStore.models)
    let planning = try PlanningRequest(from: "Letters/v1", to: "Letters/v2", in: project)
    let request = MigrationRequest(planning, in: project, options: MigrationOptions())
    let error = #expect(throws: WaystoneError.self) { try request.plan() }
    #expect(error?.code == .badArgument)
  }
}
