import MigrationTestSupport
import Testing
import Waystone

/// Paths that the data of a store chooses, and the losses of a plan that its rows count.
@Suite struct ChosenPathTests {
  private static let unique = [
    "Book { isbn: String? }", "Book { isbn: String?; unique isbn }",
    "Book { isbn: String?; title: String? }",
  ]

  @Test(arguments: [("Z_PK", ["v2", "v3"]), ("'same'", ["v3"])])
  func `a version is stopped at where its condition holds`(isbn: String, stops: [String]) throws {
    try SketchedProject.with(Self.unique) { project in
      let store = try project.store("v1", rows: 20, "UPDATE ZBOOK SET ZISBN = \(isbn)")
      let plan = try project.plan(store) { $0.planning.preferredVersions = ["Library/v2"] }
      #expect(plan.stops == stops && plan.refusals.isEmpty)
    }
  }

  @Test func `a shortcut that is named is taken where the rows stop a run over its versions`()
    throws
  {
    try SketchedProject.with(
      "Note { n: Int32? }",
      "Note { n: Int16? }",
      "Note { n: Int32?; t: String? }"
    ) {
      project in
      let store = try project.store("v1", "UPDATE ZNOTE SET ZN = 100000 + Z_PK")
      #expect(try project.plan(store).refusals == ["WS310"])
      let named = try project.plan(store) {
        $0.planning.acceptedShortcuts = [.init(source: "Library/v1", destination: "Library/v3")]
      }
      #expect(named.stops == ["v3"] && named.refusals.isEmpty)
      #expect(named.findings.has(.resurrected))
      #expect(!named.findings.has(.attributeDropped))
    }
  }

  @Test(arguments: [
    // One of those that inherited it carries it on.
    (
      "Item { a: String? } Note : Item { b: String? } Task : Item { c: String? }",
      "Item {} Note : Item { a: String?; b: String? } Task : Item { c: String? }",
      ["Item.a", "Task.a"]
    ),
    // The entity that declares it is gone.
    (
      "Above { x: String? } Item : Above { a: String? } Part : Item { b: String? }",
      "Item { a: String? } Part : Item { b: String? }", ["Item.x", "Part.x"]
    ),
  ])
  func `a drop that is found of two entities counts the rows of each`(
    before: String,
    after: String,
    places: [String]
  ) throws {
    try SketchedProject.with(before, after) { project in
      let dropped = try project.plan(project.store("v1", rows: 21)).findings.of(.attributeDropped)
      #expect(dropped.compactMap(\.place.subject).sorted() == places)
      #expect(dropped.allSatisfy { $0.evidence?.total == 7 })
    }
  }

  // MARK: Links

  @Test(arguments: [false, true])
  func `links that lose one of their sides are errors of check`(hasFile: Bool) throws {
    try SketchedProject.with(
      "Note { t: String?; tags ->> Tag.items } Tag { items ->> Note.tags }",
      "Note { t: String?; x: String? } Tag { items ->> Note }"
    ) { project in
      if hasFile { try project.hop("[{source: Tag}, {source: Note}]") }
      let failures = try project.check().failures
      #expect(
        failures.contains { $0.code == .relationshipDropped && $0.place.subject == "Note.tags" }
      )
      #expect(failures.has(.becomesToOne))
      let dropped = try project.plan("v1").findings.of(.relationshipDropped)
      #expect(dropped.map(\.severity) == [.warning])
    }
  }

  @Test func `a side that goes where the other keeps all links is no loss of a hop file`() throws {
    try SketchedProject.with(
      "Note { t: String?; tags -> Tag.items } Tag { items ->> Note.tags }",
      "Note { t: String?; x: String? } Tag { items ->> Note }"
    ) { project in
      try project.hop("[{source: Tag}, {source: Note}]")
      let plan = try project.plan("v1")
      #expect(plan.refusals.isEmpty && !plan.findings.has(.relationshipDropped))
    }
  }

  // MARK: Versions between

  @Test(arguments: [
    (
      "Note { title: String?; a: String?; b: String? }",
      "{source: Note, attributes: {a: $source.amount}}",
      ["Note.amount"], ["Note.a", "Note.b"]
    ),
    (
      "Note { title: String? } Flag { name: String? }",
      "{source: Note, attributes: {title: $source.amount}}", [], ["Flag"]
    ),
  ])
  func `what only a version between has is no loss of older stores`(
    between: String,
    hop: String,
    fromFirst: [String],
    fromSecond: [String]
  ) throws {
    try SketchedProject.with(
      "Note { title: String?; amount: String? }",
      between,
      "Note { title: String? }"
    ) {
      project in
      try project.hop("[\(hop)]")
      func dropped(_ start: String) throws -> Set<String> {
        let findings = try project.plan(start, to: "v3").findings
        return Set(
          (findings.of(.attributeDropped) + findings.of(.entityDropped)).compactMap(\.place.subject)
        )
      }
      #expect(try dropped("v1").isSuperset(of: fromFirst))
      #expect(try dropped("v1").isDisjoint(with: ["Note.b", "Flag"]))
      #expect(try dropped("v2").isSuperset(of: fromSecond))
    }
  }
}
