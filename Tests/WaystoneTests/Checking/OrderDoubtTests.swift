import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Versions whose names stand behind the current one by the alphabet alone.
@Suite struct OrderDoubtTests {
  /// In the order in which they were made; the last is current, and by names the second.
  private static let versions = [
    ("Partner", "Book { title: String?; price: String? }"),
    ("Partner 2", "Book { title: String? }"),
    ("Folio v1.0", "Book { isbn: String?; title: String? }"),
    ("Folio v2.0", "Book { isbn: String?; title: String?; year: String? }"),
  ]

  private static let draft = "order: [Partner, Partner 2, Folio v1.0, Folio v2.0]"

  private func with(_ configuration: String = "", _ body: (SketchedProject) throws -> Void) throws {
    try SketchedProject.with(named: Self.versions, configured: configuration, body)
  }

  @Test func `check and coverage report the order alone, as an error, with a draft`() throws {
    try with { project in
      let check = try project.check()
      #expect(check.allFindings.filter { $0.severity > .note }.briefs == ["error WS105 Partner"])
      #expect(check.failures.first.map { $0.message + $0.remedy }?.contains(Self.draft) == true)
      try project.expectGaps(["error WS105 Partner"])
      #expect(
        try project.plan("Folio v1.0").findings.of(.doubtfulOrder).map(\.severity) == [.warning]
      )
    }
  }

  @Test func `the order that is drafted settles the doubt`() throws {
    try with(Self.draft) { project throws in
      try project.expectFailures([])
      #expect(try project.lock().isWritable)
      #expect(try project.plan("Partner").refusals.isEmpty)
    }
  }

  @Test(arguments: [LockChoice.shipped, .named(["Partner"]), .all])
  func `lock writes nothing and asks for the order`(choice: LockChoice) throws {
    try with { project in
      let update = try project.project.lock(choice)
      #expect(update.findings.map(\.code) == [.doubtfulOrder] && !update.isWritable)
      #expect(!TemporaryFolder.names(in: project.folder).contains("waystone.lock"))
    }
  }

  @Test func `plan advises an order, and no downgrade`() throws {
    try with { project throws in
      let error = #expect(throws: PlanningError.self) { try project.plan("Partner") }
      #expect(error?.recovery.contains(Self.draft) == true)
      #expect(error?.description.contains("--downgrade") == false)
    }
  }

  @Test func `lock asks which version is current where nothing names it`() throws {
    try SketchedProject.with(LockTests.library) { project in
      try project.remove("Library.xcdatamodeld/.xccurrentversion")
      #expect(
        try project.check().allFindings.of(.currentVersionUnknown).map(\.severity) == [.warning]
      )
      let update = try project.lock()
      #expect(update.findings.map(\.code) == [.currentVersionUnknown])
      #expect(update.findings.first?.remedy.contains("current: v3") == true)
      try project.configure("current: v3")
      #expect(try project.lock().isWritable)
    }
  }

  @Test func `without a current version, names that leave the order open are an error`() throws {
    try with { project in
      try project.remove("Library.xcdatamodeld/.xccurrentversion")
      let check = try project.check()
      #expect(check.failures.map(\.code) == [.currentVersionUnknown])
      #expect(!check.allFindings.has(.doubtfulOrder))
      #expect(try !project.project.lock(.all).isWritable)
      #expect(try !project.verdict())
      try project.configure("\(Self.draft)\ncurrent: Folio v2.0")
      try project.expectFailures([])
      #expect(try project.lock().isWritable)
    }
  }

  @Test func `a current version that most others stand after is a doubt`() throws {
    let names = (1...6).map { ("Model \($0)", "Book { title: String?; n\($0): String? }") }
    try SketchedProject.with(named: names.reversed()) { project in
      #expect(try project.check().failures.map(\.code) == [.doubtfulOrder])
      #expect(try !project.lock().isWritable)
      try project.configure("current: Model 6")
      #expect(try !project.check().allFindings.has(.doubtfulOrder))
      #expect(try project.lock().isWritable)
    }
  }
}
