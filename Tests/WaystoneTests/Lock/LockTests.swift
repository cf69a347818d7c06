import Foundation
import MigrationTestSupport
import Synchronization
import Testing
import Waystone

/// The versions that a lock gets and keeps, and the findings of a check on them.
@Suite struct LockTests {
  static let library = [
    "Book { title: String? }", "Book { isbn: String?; title: String? }",
    "Book { heading: String? was title; isbn: String? }",
  ]

  /// Lends the body a library of three versions that are all locked.
  private func withLocked(_ body: (SketchedProject) throws -> Void) throws {
    try SketchedProject.with(Self.library, locked: 3, body)
  }

  private func contents(_ project: SketchedProject) throws -> [LockFile.Version] {
    let lock = try LockFile.read("\(project.folder)/waystone.lock", shownAs: "lock")
    return try #require(lock).versions
  }

  @Test func `what is shipped is locked, and what is not is new`() throws {
    try SketchedProject.with(Self.library, configured: "shipped: [v1, v2]") { project in
      #expect(try project.lock().added == ["v1", "v2"])
      let check = try project.check()
      #expect(check.isClean && check.versions?.newVersions == ["v3"])
    }
  }

  @Test func `a lock that is up to date is not written again`() throws {
    try withLocked { project in
      let first = try contents(project)
      #expect(try project.project.lock(.all).added == [])
      try project.draw([("v4", "Book { heading: String?; isbn: String?; note: String? }")])
      let unnamed = try project.lock()
      #expect(unnamed.added == [] && unnamed.unlocked == ["v4"])
      let dry = try project.project.lockUpdate(.named(["v4"]))
      #expect(try dry.added == ["v4"] && contents(project) == first)
      #expect(try project.lock(["v4"]).added == ["v4"])
      let added = try contents(project).filter { !first.map(\.name).contains($0.name) }
      #expect(added.map(\.qualifiedName) == ["Library/v4"] && added.map(\.after) == [["v3"]])
    }
  }

  @Test func `a shipped version that is not locked makes the lock stale`() throws {
    try SketchedProject.with(Self.library, locked: 2, configured: "shipped: [v1, v2, v3]") {
      project in
      try project.expectFailures(["error WS704 v3"])
      try project.lock()
      try project.expectFailures([])
    }
  }

  @Test func `an order that changed is no longer the locked one`() throws {
    try withLocked { project in
      try project.configure("order: [v2, v1, v3]")
      let moved = try project.check().failures.of(.lockedOrderChanged)
      #expect(Set(moved.map(\.place.version)).isSuperset(of: ["v1", "v2"]))
      #expect(try !project.project.lock(.all).isWritable)
    }
  }

  @Test func `a version before locked ones is no addition`() throws {
    let versions = [("v1", Self.library[0]), ("v2", Self.library[1]), ("v4", Self.library[2])]
    try SketchedProject.with(named: versions, locked: 3) { project in
      try project.draw([("v3", "Book { isbn: String?; title: String?; x: String? }")])
      let check = try project.check()
      #expect(check.failures.briefs == ["error WS707 v4"])
      #expect(check.allFindings.of(.lockedOrderChanged).map(\.place.version) == ["v3"])
      let refused = try project.project.lock(.all)
      #expect(refused.findings.map(\.code) == [.lockedOrderChanged] && !refused.isWritable)
      #expect(try project.lock(accepting: "v4", .named(["v3"])).added == ["v3"])
      try project.expectFailures(["error WS707 v4"])
    }
  }

  @Test func `a locked version that is gone holds check and coverage until it is given up`() throws
  {
    try withLocked { project in
      #expect(try project.verdict())
      try project.remove(version: "v2")
      #expect(try project.check().failures.has(.lockedVersionMissing))
      #expect(try project.coverage().gaps.has(.lockedVersionMissing))
      #expect(try !project.project.lock(.all).isWritable)
      try project.lock(accepting: "v2")
      #expect(try project.verdict())
      let given = try contents(project).filter(\.isRemoved)
      #expect(given.map(\.name) == ["v2"] && given.map(\.reasons) == [["Tried."]])
    }
  }

  @Test func `an edit in a step has one finding, with a lock and without`() throws {
    let edited = "Book { heading: String? was title; isbn: String? = - }"
    try SketchedProject.with(Self.library + [edited]) { project in
      for isLocked in [false, true] {
        if isLocked { try project.lock(["v1", "v2", "v3"]) }
        let own = try project.check().findings.filter { $0.place.version == "v4" }
        #expect(own.filter { $0.place.property == "isbn" }.map(\.code) == [.defaultChanged])
      }
    }
  }

  @Test func `what only code reads is a note`() throws {
    try withLocked { project in
      let path = "Library.xcdatamodeld/v1.xcdatamodel/contents"
      let text = try String(contentsOfFile: "\(project.folder)/\(path)", encoding: .utf8)
      let named = text.replacing(
        #"entity name="Book""#,
        with: #"entity name="Book" codeGenerationType="class""#
      )
      let other = named.replacing(/representedClassName="[^"]*"/, with: "").replacing(
        #"entity name="Book""#,
        with: #"entity name="Book" representedClassName="Tome""#
      )
      try project.write(other, to: path)
      let check = try project.check()
      #expect(check.isClean)
      #expect(check.allFindings.of(.shippedVersionAnnotated).map(\.severity) == [.note])
    }
  }

  @Test func `one model's lock leaves the others' lines alone`() throws {
    try withLocked { project in
      try project.draw([("w1", "Book { a: String? }")], of: "Other")
      try project.project.lock(.all)
      let models = URL(filePath: "\(project.folder)/Library.xcdatamodeld")
      try project.remove("waystone.yml")
      #expect(try Project(at: models).check().isClean)
      try project.draw([("v4", "Book { heading: String? }")])
      try Project(at: models).lock(.named(["v4"]))
      let names = try contents(project).map(\.qualifiedName)
      #expect(Set(names).isSuperset(of: ["Other/w1", "Library/v4"]))
    }
  }

  @Test func `a lock that lies with the models is found below a waystone.yml`() throws {
    try SketchedProject.with(Self.library) { project in
      try project.write("models: App\n", to: "waystone.yml")
      try FileManager.default.createDirectory(
        atPath: "\(project.folder)/App",
        withIntermediateDirectories: false
      )
      try FileManager.default.moveItem(
        atPath: "\(project.folder)/Library.xcdatamodeld",
        toPath: "\(project.folder)/App/Library.xcdatamodeld"
      )
      var own = try Project(at: URL(filePath: project.folder))
      try own.takeLock(at: URL(filePath: "\(project.folder)/App/waystone.lock"))
      try own.lock(.all)
      #expect(try project.check().versions?.lockPath == "App/waystone.lock")
      // One beside the configuration comes first.
      try FileManager.default.copyItem(
        atPath: "\(project.folder)/App/waystone.lock",
        toPath: "\(project.folder)/waystone.lock"
      )
      #expect(try project.check().versions?.lockPath == "waystone.lock")
    }
  }

  // MARK: Edits

  private static let edits = [
    "v1": "Book { title: String? was name }",
    "v2": "Book { isbn: String?; title: String? was name }",
  ]

  @Test func `of two edited versions each is accepted by itself`() throws {
    try withLocked { project in
      for (name, sketch) in Self.edits { try project.redraw(name, sketch) }
      try project.expectFailures(["error WS702 v1 Book.title", "error WS702 v2 Book.title"])
      let first = try project.lock(accepting: "v1")
      #expect(first.accepted == "v1" && first.findings.briefs == ["error WS702 v2 Book.title"])
      #expect(try project.lock(accepting: "v2").isWritable)
      try project.expectFailures([])
    }
  }

  @Test func `beside an edited version no new one is locked with one that is accepted`() throws {
    try SketchedProject.with(Self.library, locked: 2) { project in
      for (name, sketch) in Self.edits { try project.redraw(name, sketch) }
      try project.lock(accepting: "v1", .named(["v3"]))
      #expect(try contents(project).map(\.name) == ["v1", "v2"])
      #expect(try contents(project).map(\.reasons) == [["Tried."], []])
    }
  }

  // MARK: Choices

  @Test func `a first lock leaves the current version out, which users may not have`() throws {
    try SketchedProject.with(Self.library) { project in
      let update = try project.lock()
      #expect(update.added == ["v1", "v2"] && update.unlocked == ["v3"])
    }
  }

  @Test func `a check that fails for a loss stays red after a lock without names`() throws {
    try SketchedProject.with(Self.library + ["Book { heading: String? }"]) { project in
      let loss = ["error WS302 v4 Book.isbn"]
      for _ in 0..<2 {
        #expect(try project.check().failures.of(.attributeDropped).briefs == loss)
        try project.lock()
      }
      try project.lock(["v4"])
      #expect(try !project.check().allFindings.has(.attributeDropped))
    }
  }

  @Test func `a project's only version is locked without a name, and the next one is not`() throws {
    try SketchedProject.with(Self.library[0]) { project in
      #expect(try project.lock().added == ["v1"])
      try project.draw([("v2", Self.library[1])])
      #expect(try project.lock().added == [])
    }
  }

  @Test func `a model's only version stays out of a first lock where another one has more`() throws
  {
    try SketchedProject.with(Self.library) { project in
      try project.draw([("t1", Self.library[0])], of: "Other")
      #expect(try project.lock().added == ["v1", "v2"])
    }
  }

  @Test func `models of tests stay out of a lock unless they are named, and their losses count`()
    throws
  {
    try SketchedProject.with(Self.library) { project in
      let trial = ["; isbn: String?", "", "; year: String?"].enumerated().map {
        ("t\($0 + 1)", "Book { title: String?\($1) }")
      }
      try project.draw(trial, of: "AppTests/Trial")
      for _ in ["before", "after"] {
        #expect(try project.check().failures.briefs.contains("error WS302 t2 Book.isbn"))
        #expect(try project.lock().locked == ["v1", "v2"])
      }
      #expect(try project.lock(["t1"]).added == ["t1"])
    }
  }

  @Test(arguments: [["v99"], ["v1", "v99"]])
  func `a version that is not there is not locked`(names: [String]) throws {
    try SketchedProject.with(Self.library) { project throws in
      let error = #expect(throws: WaystoneError.self) { try project.lock(names) }
      #expect(error?.code == .unknownVersion)
      #expect(!TemporaryFolder.names(in: project.folder).contains("waystone.lock"))
    }
  }

  @Test(arguments: [false, true])
  func `versions that are locked at the same time are all in the lock`(isThere: Bool) throws {
    try SketchedProject.with("A { a: String? }") { project in
      let names = (1...12).map { "M\($0)" }
      for name in names { try project.draw([("v1", "Book { a\(name): String? }")], of: name) }
      if isThere { try project.lock(["M1/v1"]) }
      let errors = Mutex<[any Error]>([])
      DispatchQueue.concurrentPerform(iterations: names.count) { index in
        do { try project.lock(["\(names[index])/v1"]) } catch {
          errors.withLock { $0.append(error) }
        }
      }
      #expect(errors.withLock { $0.isEmpty })
      #expect(try contents(project).count == names.count)
    }
  }
}
