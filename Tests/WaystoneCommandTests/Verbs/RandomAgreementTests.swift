import Foundation
import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import Testing
import WaystoneCommand

/// Models whose rules change at random, and stores whose rows somebody may have damaged: what `plan` says
/// of a store is what `migrate` does with it.
@Suite struct RandomAgreementTests {
  /// The number of stores that one test makes.
  private static let batch = Trials.areAll ? 200 : 4

  @Test(arguments: 0..<10)
  func `no run fails on a store that plan finds well, or ends well on another`(number: Int) throws {
    var migrated = 0
    for seed in number * Self.batch..<(number + 1) * Self.batch {
      if try Self.isMigrated(seed) { migrated += 1 }
    }
    #expect(migrated * 2 >= Self.batch, "\(migrated) of \(Self.batch) were migrated")
  }

  /// Makes models and a store, and holds a run against the plan.
  private static func isMigrated(_ seed: Int) throws -> Bool {
    var random = SeededGenerator(seed: UInt64(seed) &* 6151 + 3)
    let models = try history(&random)
    return try TemporaryFolder.with { folder in
      let files = try models.enumerated().map { number, model in
        ("v\(number + 1)", try ModelXMLWriter.write(model).contents)
      }
      try SketchedModel.write(files: files, into: folder)
      let options = ["--models", folder]
      let made = CommandRun(
        ["generate", "v1", "--rows", "30", "--seed", "\(seed)", "-o", "s.sqlite"] + options,
        in: folder
      )
      // Some rules leave no room for so many rows.
      guard made.status == .success else { return false }
      if seed % 2 == 0 { try damage("\(folder)/s.sqlite", &random) }
      let accepting = [
        "--to", "v\(models.count)", "--accept-loss", "any", "--accept-unproven-names",
        "--accept-changed-values", "--accept-unknown",
      ]
      let plan = CommandRun(["plan", "s.sqlite"] + accepting + options, in: folder)
      var more = seed % 3 == 0 ? ["--certificate", "c.json"] : []
      if seed % 5 == 1 { more.append("--no-fuse") }
      if seed % 7 == 2 { more.append("--defer-cleanup") }
      let run = CommandRun(
        ["migrate", "s.sqlite", "-o", "r.sqlite"] + accepting + more + options,
        in: folder
      )
      #expect(
        (plan.status == .success) == (run.status == .success),
        "seed \(seed): \(plan.status) \(plan.output)\(plan.errors) \(run.status) \(run.errors)"
      )
      #expect(!run.errors.contains("eport this"), "seed \(seed): \(run.errors)")
      guard run.status == .success else { return false }
      let certificate = seed % 3 == 0 ? ["--certificate", "c.json"] : []
      let check = CommandRun(["verify", "r.sqlite"] + certificate + options, in: folder)
      #expect(check.status == .success, "seed \(seed): \(more) \(check.output)\(check.errors)")
      return true
    }
  }

  @Test(arguments: Trials.some(of: 10))
  func `a hop file of what two versions have in common does what inference does`(number: Int) throws
  {
    var equal = 0
    for seed in number * Self.batch..<(number + 1) * Self.batch where try Self.isSame(seed) {
      equal += 1
    }
    #expect(equal * 5 >= Self.batch, "\(equal) of \(Self.batch) were compared")
  }

  /// Migrates a store by inference, and by a hop file that begins as `init` writes it.
  private static func isSame(_ seed: Int) throws -> Bool {
    var random = SeededGenerator(seed: UInt64(seed) &* 6151 + 3)
    let models = try history(&random).prefix(2)
    return try TemporaryFolder.with { folder in
      let files = try models.enumerated().map { number, model in
        ("v\(number + 1)", try ModelXMLWriter.write(model).contents)
      }
      try SketchedModel.write(files: files, into: folder)
      let options = ["--models", folder]
      func run(_ words: String...) -> CommandRun { CommandRun(words + options, in: folder) }
      guard run("generate", "v1", "--rows", "30", "-o", "s.sqlite").status == .success else {
        return false
      }
      let accepting = ["--to", "v2", "--accept-loss", "any", "--accept-unproven-names"]
      func migrate(_ result: String) -> CommandRun {
        CommandRun(["migrate", "s.sqlite", "-o", result] + accepting + options, in: folder)
      }
      guard migrate("a.sqlite").status == .success else { return false }
      let made = run("init", "--hop", "v1", "v2")
      guard made.status == .success else { return false }
      // What it leaves to do is meant as it stands.
      let hop = folder + "/v1-to-v2.hop.yml"
      let text = try String(contentsOfFile: hop, encoding: .utf8)
      try SketchedModel.write(text.replacing("# TODO", with: "#"), to: hop)
      let plan = CommandRun(["plan", "s.sqlite"] + accepting + options, in: folder)
      let other = migrate("b.sqlite")
      #expect(
        (plan.status == .success) == (other.status == .success),
        "seed \(seed): \(plan.output)\(plan.errors) \(other.errors)"
      )
      guard other.status == .success else { return false }
      let compared = CommandRun(["compare", "a.sqlite", "b.sqlite"] + options, in: folder)
      #expect(compared.status == .success, "seed \(seed): \(compared.output)")
      return true
    }
  }

  /// Two or three versions.
  private static func history(_ random: inout SeededGenerator) throws -> [ManagedObjectModel] {
    var changing = RandomModel(&random)
    var models: [ManagedObjectModel] = []
    let count = Int.random(in: 2...3, using: &random)
    while models.count < count {
      var next = changing
      next.changeRules(&random)
      if Bool.random(using: &random) { next.evolve(&random) }
      guard let model = next.model, PhysicalSchema(model: model).unsupported.isEmpty,
        !models.contains(where: { $0.entityVersionHashes == model.entityVersionHashes }),
        models.last.map({ MappingInference.infer(from: $0, to: model).mapping != nil }) ?? true
      else {
        if models.isEmpty { changing = RandomModel(&random) }
        continue
      }
      changing = next
      models.append(model)
    }
    return models
  }

  /// Writes what no app does into some columns, as far as the store lets it.
  private static func damage(_ path: String, _ random: inout SeededGenerator) throws {
    let tables = try StoreSchema(of: SQLiteConnection(path: path, access: .readOnly)).columnNames
      .filter { !["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains($0.key) }
    let database = try AppDatabase(path)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      guard let table = tables.keys.sorted().randomElement(using: &random),
        let column = tables[table]?.filter({ $0 != "Z_PK" }).randomElement(using: &random)
      else { continue }
      let rows = "WHERE rowid % \(Int.random(in: 1...9, using: &random)) = 0"
      let statement =
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: "UPDATE \(table) SET \(column) = NULL \(rows)"
        case 2:
          "UPDATE \(table) SET \(column) = \(Int.random(in: -50_000...50_000, using: &random)) \(rows)"
        case 3: "UPDATE \(table) SET \(column) = '\(String(repeating: "é", count: 41))' \(rows)"
        default: "DELETE FROM \(table) \(rows)"
        }
      // What is unique there may say no.
      try? database.execute(statement)
    }
  }
}
