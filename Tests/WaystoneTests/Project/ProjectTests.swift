import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// The work of the verbs `check`, `coverage`, `lock`, `heads`, `prune` and `generate`, without them.
@Suite struct ProjectTests {
  /// Lends the body a folder with one of the sample models and a `waystone.yml`.
  private func with(
    _ model: String = "Letters",
    _ configuration: String? = nil,
    _ body: (URL) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let url = URL(filePath: folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: SampleStore.models.path)
      where name.hasPrefix(model) {
        try FileManager.default.copyItem(
          at: SampleStore.models.appending(path: name),
          to: url.appending(path: name)
        )
      }
      if let configuration {
        try TemporaryFolder.write(Array(configuration.utf8), to: folder + "/waystone.yml")
      }
      try body(url)
    }
  }

  private func edit(_ url: URL, _ version: String, _ old: String, _ new: String) throws {
    let file = url.appending(path: "Letters.xcdatamodeld/\(version).xcdatamodel/contents")
    let text = try String(contentsOf: file, encoding: .utf8)
    try #require(text.contains(old))
    try Data(text.replacing(old, with: new).utf8).write(to: file)
  }

  @Test func `an edit after the lock is found, refused and taken in with a reason`() throws {
    try with { url in
      var project = try Project(at: url)
      #expect(try project.check().versions?.lockedCount == nil)
      #expect(try project.lockUpdate(.all).added == ["v1", "v2", "v3", "v4"])
      #expect(!FileManager.default.fileExists(atPath: project.lockURL.path))
      #expect(try project.lock(.all).added == ["v1", "v2", "v3", "v4"])
      let report = try project.check()
      #expect(report.isClean, "\(report.failures)")
      #expect(report.versions?.lockedCount == 4)
      #expect(report.versions?.newVersions == [])
      #expect(try project.lock(.all).added == [])

      try edit(url, "v2", #"name="postmark""#, #"name="postmark" versionHashModifier="x""#)
      project = try Project(at: url)
      let found = try project.check()
      #expect(found.failures.map(\.code.rawValue).contains("WS701"))
      #expect(found.failures.map(\.place.property).contains("postmark"))
      #expect(
        found.failures.first?.place.file == "Letters.xcdatamodeld/v2.xcdatamodel/contents"
      )
      let refused = try project.lock(.all)
      #expect(!refused.isWritable)
      #expect(refused.findings.map(\.place.version) == ["v2"])
      let error = #expect(throws: WaystoneError.self) { try project.lock(accepting: "v2") }
      #expect(error?.code == .badArgument)
      let update = try project.lock(accepting: "v2", because: "Nobody had it.")
      #expect(update.accepted == "v2")
      #expect(try project.check().isClean)
      let again = #expect(throws: WaystoneError.self) {
        try project.lock(accepting: "v2", because: "Once more.")
      }
      #expect(again?.code == .refused)
    }
  }

  @Test func `coverage says what the app would do, tries it, and looks at a change alone`() throws {
    // Renaming IDs are cleared at each of the last two steps.
    let accepted = """
      accept:
        - {code: WS206, place: Letter.heading, version: v3, reason: Tried.}
        - {code: WS206, place: Letter.title, version: v4, reason: Tried.}

      """
    let configuration = "models: .\nshipped: [v1, v2]\nruntime: progressive\n"
    try with("Letters", configuration) { url in
      let report = try Project(at: url).coverage()
      #expect(!report.isComplete)
    }
    try with("Letters", configuration + accepted) { url in
      let project = try Project(at: url)
      var options = CoverageOptions()
      options.trials = CoverageOptions.Trials(rows: 40, seed: 3)
      let report = try project.coverage(options)
      #expect(report.runtime == .progressive)
      #expect(report.totals.paths == 2)
      #expect(report.totals.reachable == 2)
      let paths = try #require(report.models.first).paths
      #expect(paths.allSatisfy { $0.trial?.isVerified == true })
      #expect(report.isComplete)
      #expect(
        try Project(at: url.appending(path: "Letters.xcdatamodeld")).lockURL.path
          == url.appending(path: "waystone.lock").path
      )

      let file = url.appending(path: "Letters.xcdatamodeld/v1.xcdatamodel/contents")
      options = CoverageOptions()
      options.changes = try ChangedFiles(since: "yesterday", files: [file])
      let changed = try project.coverage(options)
      #expect(changed.changedSince == "yesterday")
      #expect(changed.totals.paths == 1)
      options.changes = try ChangedFiles(since: "yesterday", files: [])
      #expect(try project.coverage(options).models.isEmpty)
      options.version = "v9"
      let error = #expect(throws: WaystoneError.self) { try project.coverage(options) }
      #expect(error?.code == .unknownVersion)
    }
  }

  @Test func `a store counts in coverage, and keeps what it needs from being pruned`() throws {
    try with("Letters", "models: .\nshipped: [v4]\n") { url in
      let project = try Project(at: url)
      let storeURL = url.appending(path: "old.sqlite")
      let made = try project.models.generateStore(at: storeURL, of: "v1", rows: 30, seed: 5)
      #expect(made.version == "v1")
      #expect(made.rowCounts.values.reduce(0, +) == 30)
      var options = CoverageOptions()
      options.storeURLs = [storeURL]
      let report = try project.coverage(options)
      #expect(report.models.flatMap(\.paths).map(\.store) == [storeURL.path])
      let free = try project.prune()
      #expect(free.isHarmless)
      #expect(free.models.first?.removable.isEmpty == false)
      let kept = try project.prune(without: ["v1"], stores: [storeURL])
      #expect(!kept.isHarmless)
      #expect(kept.models.first?.losses.map(\.version) == ["v1"])
    }
  }

  @Test func `what is no file is taken for none`() throws {
    try with("Letters", "models: .\nshipped: [v4]\n") { url in
      let foreign = try #require(URL(string: "https://example.org/waystone.lock"))
      var project = try Project(at: url)
      #expect(throws: WaystoneError.self) { try project.takeLock(at: foreign) }
      #expect(project.lockURL.path == url.appending(path: "waystone.lock").path)
      #expect(throws: WaystoneError.self) { try ChangedFiles(since: "x", files: [foreign]) }
      var options = CoverageOptions()
      options.storeURLs = [foreign]
      let error = #expect(throws: WaystoneError.self) { try project.coverage(options) }
      #expect(error?.code == .badArgument)
      let other = url.appending(path: "other.lock")
      try project.takeLock(at: other)
      _ = try project.lock(.all)
      #expect(FileManager.default.fileExists(atPath: other.path))
    }
  }

  @Test func `a version that is accepted says nothing of its namesake`() throws {
    try with("Letters", "models: .\n") { url in
      let copy = url.appending(path: "Other.xcdatamodeld")
      try FileManager.default.copyItem(at: url.appending(path: "Letters.xcdatamodeld"), to: copy)
      _ = try Project(at: url).lock(.all)
      try FileManager.default.removeItem(at: copy.appending(path: "v1.xcdatamodel"))
      try FileManager.default.removeItem(
        at: url.appending(path: "Letters.xcdatamodeld/v1.xcdatamodel")
      )
      let project = try Project(at: url)
      let update = try project.lockUpdate(accepting: "Letters/v1", because: "never shipped")
      #expect(update.findings.map(\.place.version) == ["Other/v1"])
    }
  }

  @Test func `a store is generated where no file is, of entities that can have rows`() throws {
    try with { url in
      let models = try Project(at: url).models
      let storeURL = url.appending(path: "made.sqlite")
      try models.generateStore(at: storeURL, rowsOf: ["Letter": 7])
      #expect(models.identify(try Store(reading: storeURL)).versions.last?.isCurrent == true)
      let taken = #expect(throws: WaystoneError.self) { try models.generateStore(at: storeURL) }
      #expect(taken?.code == .cannotCreate)
      let other = url.appending(path: "other.sqlite")
      let bad = #expect(throws: WaystoneError.self) {
        try models.generateStore(at: other, rowsOf: ["Nothing": 1])
      }
      #expect(bad?.code == .badArgument)
    }
  }

  @Test func `a policy that a mapping names is asked for until it is registered`() throws {
    try with("Notes") { url in
      var project = try Project(at: url)
      let wanted = try project.checkMappings().allFindings.filter { $0.code == .unresolvedPolicy }
      // The app has its own, so that a release is not held for it.
      #expect(wanted.map(\.severity) == [.note])
      project.registry.register(ImageAttachmentPolicy.self)
      let report = try project.checkMappings()
      #expect(report.isClean, "\(report.failures)")
      #expect(!report.allFindings.contains { $0.code == .unresolvedPolicy })
      #expect(report.versions == nil)
      #expect(report.mappings.count == 2)
    }
  }

  @Test func `several versions that follow the locked ones are heads`() throws {
    try with { url in
      try Project(at: url).lock(.all)
      let model = url.appending(path: "Letters.xcdatamodeld")
      for name in ["v5", "v5-hotfix"] {
        try FileManager.default.copyItem(
          at: model.appending(path: "v4.xcdatamodel"),
          to: model.appending(path: "\(name).xcdatamodel")
        )
        try edit(
          url,
          name,
          #"<entity name="Letter""#,
          #"<entity name="New\#(name.count)" syncable="YES"/><entity name="Letter""#
        )
      }
      let heads = try #require(try Project(at: url).heads().first)
      #expect(heads.heads.map(\.version.name) == ["v5", "v5-hotfix"])
      #expect(heads.overlaps.isEmpty)
      #expect(heads.currentClaims.isEmpty)
    }
  }

  @Test func `what cannot be read is an error with its file`() throws {
    try with("Letters", "models: .\nshipped: [v9]\n") { url in
      let project = try Project(at: url)
      let error = #expect(throws: WaystoneError.self) { try project.check() }
      #expect(error?.code == .badConfiguration)
      #expect(error?.message.contains("waystone.yml:2: ") == true)
      try Data("waystone.lock 1\n# Made by hand\n".utf8).write(to: project.lockURL)
      let old = #expect(throws: WaystoneError.self) { try project.heads() }
      #expect(old?.code == .badFile)
      #expect(old?.recovery == "Delete it, and run `waystone lock`.")
    }
    let missing = URL(filePath: "/nowhere/at/all")
    let error = #expect(throws: WaystoneError.self) { try Project(at: missing) }
    #expect(error?.code == .missingFile)
  }
}
