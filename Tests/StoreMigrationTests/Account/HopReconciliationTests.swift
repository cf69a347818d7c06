import Foundation
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// The objects that a hop carried, made and dropped, counted off both stores; and each count made to fail.
@Suite struct HopReconciliationTests {
  private static let first = """
    Note { title: String?; words: Int16?; old: String?; folder -> Folder.notes; tags ->> Tag.notes }
    Photo : Note { width: Double? } Folder { name: String; notes ->> Note.folder }
    Tag { label: String; notes ->> Note.tags } Scrap { text: String }
    """

  private static let second = """
    Note { heading: String? was title; words: Int32 = 4; folder -> Folder.notes; tags ->> Tag.notes }
    Photo : Note { width: Double? } Folder { name: String; notes ->> Note.folder; rank: Int16 = 1 }
    Tag { label: String; notes ->> Note.tags }
    """

  private static func plan(_ sketches: [String], walking: Bool = false) throws -> MigrationPlan {
    let versions = try sketches.enumerated().map { index, sketch in
      ModelVersion(modelName: "M", name: "v\(index + 1)", model: try ModelSketch.model(sketch))
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    var options = PlanningOptions()
    options.followsHistory = walking
    return try MigrationPlanner(graph: graph).plan(
      from: try #require(graph.nodes.first),
      to: try #require(graph.nodes.last),
      options: options
    )
  }

  /// A store before and after, and what is done to the result.
  private func run(
    _ sabotage: String? = nil,
    body: (HopReconciliation, StoreCounts, String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let plan = try Self.plan([Self.first, Self.second])
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      try StoreGenerator(model: plan.source.model, rows: 90, seed: 3).write(to: before)
      var options = MigrationOptions()
      options.output = after
      _ = try StoreMigrator(plan: plan, options: options).migrate(before)
      if let sabotage {
        let connection = try AppDatabase(after)
        try connection.execute(sabotage)
      }
      try body(
        AccountedRun(plan, before: before, after: after).account,
        AccountedRun.counts(before, plan.source.model),
        before
      )
    }
  }

  private func departure(_ account: HopReconciliation, _ entity: String, _ property: String?) throws
    -> HopReconciliation.Departure
  {
    try #require(account.departures.first { $0.entity == entity && $0.property == property })
  }

  @Test func `what a plan makes has the values that it fills in`() throws {
    let plan = try Self.plan([Self.first, Self.second])
    try run { _, counts, _ in
      let planned = try #require(HopForecast.accounts(of: plan, counts).first)
      var made: [String: Int64] = [:]
      for line in planned.made {
        #expect(line.least == line.greatest)
        made["\(line.entity).\(line.property ?? "")"] = line.least
      }
      var expected = ["Folder.rank": counts.entities["Folder"]?.objects ?? 0]
      for entity in ["Note", "Photo"] {
        let held = try #require(counts.entities[entity])
        let missing = held.objects - (held.values["words"] ?? 0)
        if missing > 0 { expected["\(entity).words"] = missing }
      }
      #expect(expected.count > 1)
      #expect(made == expected)
    }
  }

  @Test func `each object, value and link of the source is in one line`() throws {
    try run { account, counts, before in
      #expect(account.isBalanced, "\(account.broken) \(account.unnamed)")
      let places = account.departures.map { "\($0.entity).\($0.property ?? "")" }
      #expect(Set(places).count == places.count)
      #expect(try departure(account, "Note", "title").to == ["Note.heading"])
      #expect(try departure(account, "Note", "title").fate == .carried)
      #expect(try departure(account, "Note", "old").fate == .dropped)
      #expect(try departure(account, "Scrap", nil).fate == .dropped)
      #expect(try departure(account, "Photo", "width").fate == .carried)
      let made = try #require(
        account.arrivals.first { $0.entity == "Folder" && $0.property == "rank" }
      )
      #expect(made.from.isEmpty && made.count == counts.entities["Folder"]?.objects)
      // Plain SQL says the same.
      let connection = try SQLiteConnection(path: before, access: .readOnly)
      for (entity, property, sql) in [
        ("Note", nil, "SELECT COUNT(*) FROM ZNOTE WHERE Z_ENT = 2"),
        ("Photo", "title", "SELECT COUNT(ZTITLE) FROM ZNOTE WHERE Z_ENT = 3"),
        ("Note", "folder", "SELECT COUNT(ZFOLDER) FROM ZNOTE WHERE Z_ENT = 2"),
        ("Tag", "notes", "SELECT COUNT(*) FROM Z_2TAGS"),
      ] as [(String, String?, String)] {
        let line = try departure(account, entity, property)
        #expect(line.count > 0)
        #expect(try connection.count(sql) == line.count, "\(sql)")
      }
    }
  }

  @Test(
    arguments: [
      ("Note", nil, "DELETE FROM ZNOTE WHERE Z_ENT = 2 AND Z_PK % 5 = 0"),
      (
        "Photo", nil,
        "UPDATE ZNOTE SET Z_ENT = 3 WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZNOTE WHERE Z_ENT = 2)"
      ),
      ("Note", "heading", "UPDATE ZNOTE SET ZHEADING = NULL WHERE Z_PK % 3 = 0"),
      ("Note", "words", "UPDATE ZNOTE SET ZWORDS = NULL WHERE Z_PK % 3 = 0"),
      ("Photo", "width", "UPDATE ZNOTE SET ZWIDTH = NULL"),
      ("Folder", "notes", "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK % 3 = 0"),
      ("Note", "folder", "UPDATE ZNOTE SET ZFOLDER = 1 WHERE ZFOLDER IS NULL"),
      ("Tag", "notes", "DELETE FROM Z_2TAGS WHERE rowid % 7 = 0"),
      ("Note", "folder", "DELETE FROM ZFOLDER WHERE Z_PK = 2"),
    ] as [(String, String?, String)]
  )
  func `what is missing or too much is found, and named`(
    entity: String,
    property: String?,
    sabotage: String
  ) throws {
    try run(sabotage) { account, _, _ in
      #expect(
        account.broken.contains { $0.entity == entity && $0.property == property },
        "\(account.broken)"
      )
    }
  }

  @Test func `links that a relationship gains from its owners are counted owner by owner`() throws {
    try TemporaryFolder.with { folder in
      let notes = "Note { title: String?; folder -> Folder%@ } Photo : Note { width: Double? } "
      let plan = try Self.plan([
        notes.replacingOccurrences(of: "%@", with: "") + "Folder { name: String? }",
        notes.replacingOccurrences(of: "%@", with: ".notes")
          + "Folder { name: String?; notes ->> Note.folder }",
      ])
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      try StoreGenerator(model: plan.source.model, rows: 90, seed: 3).write(to: before)
      do {
        // Of one kind of owner none has a link.
        let connection = try AppDatabase(before)
        try connection.execute("UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_ENT = 3")
      }
      var options = MigrationOptions()
      options.output = after
      _ = try StoreMigrator(plan: plan, options: options).migrate(before)
      let account = try AccountedRun(plan, before: before, after: after).account
      #expect(account.isBalanced, "\(account.broken) \(account.unnamed)")
      let links = try departure(account, "Note", "folder").count
      let line = try #require(
        account.arrivals.first { $0.entity == "Folder" && $0.property == "notes" }
      )
      #expect(links > 0 && line.count == links)
      #expect(line.least == links && line.greatest == links)
    }
  }

  @Test func `links that an end gives up between two versions are missing in the account of both`()
    throws
  {
    try TemporaryFolder.with { folder in
      let many = "Note { folder -> Folder.notes } Folder { notes ->> Note.folder }"
      let one = "Note { folder -> Folder.notes } Folder { notes -> Note.folder }"
      let later = "Note { rank: Int16?; folder -> Folder.notes } Folder { notes ->> Note.folder }"
      let plan = try Self.plan([many, one, later], walking: true)
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      try StoreGenerator(model: plan.source.model, rows: 90, seed: 3).write(to: before)
      do {
        let connection = try AppDatabase(before)
        try connection.execute(
          "UPDATE ZNOTE SET ZFOLDER = (SELECT MIN(Z_PK) FROM ZFOLDER) WHERE Z_PK % 3 = 0"
        )
      }
      var options = MigrationOptions()
      options.output = after
      options.settings.acceptsChangedValues = true
      options.settings.certificate = folder + "/certificate.json"
      let outcome = try StoreMigrator(plan: plan, options: options).migrate(before)
      let total = try #require(outcome.certificate).total
      let old = try departure(total, "Note", "folder")
      let new = try #require(
        total.arrivals.first { $0.entity == "Note" && $0.property == "folder" }
      )
      #expect(old.fate == .chosen && new.count > 0 && new.count < old.count, "\(old) \(new)")
      #expect(new.least == 0 && new.greatest == old.count)
    }
  }

  @Test func `what goes without a finding that names it is found`() throws {
    try TemporaryFolder.with { folder in
      let plan = try Self.plan([Self.first, Self.second])
      let before = folder + "/before.sqlite"
      try StoreGenerator(model: plan.source.model, rows: 90, seed: 3).write(to: before)
      let counts = try AccountedRun.counts(before, plan.source.model)
      let mapping = try #require(plan.hops.first).composedMapping
      func unnamed(_ findings: [Finding]) -> Set<String> {
        let account = HopReconciliation(
          of: mapping,
          from: "v1",
          to: "v2",
          before: counts,
          after: counts,
          hasCode: false,
          losses: DeclaredLosses(mapping, findings)
        )
        return Set(account.unnamed.map { "\($0.entity).\($0.property ?? "")" })
      }
      #expect(unnamed(plan.allFindings).isEmpty)
      let without = plan.allFindings.filter { $0.code != .attributeDropped }
      #expect(unnamed(without) == ["Note.old", "Photo.old"])
      let silent = plan.allFindings.filter { $0.code != .entityDropped }
      #expect(unnamed(silent) == ["Scrap.", "Scrap.text"])
    }
  }
}
