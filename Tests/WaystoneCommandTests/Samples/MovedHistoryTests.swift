import Foundation
import MigrationTestSupport
import StoreAccess
import SwiftDataImport
import Testing
import Waystone
import WaystoneCommand

/// One history of Core Data's versions and SwiftData's schemas, as the sample Recipes has it.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct MovedHistoryTests {
  @Test func `the versions of both are one model, and keep their names`() throws {
    try MovedSample.with { sample in
      let models = try sample.project.models.models
      #expect(models.map(\.name) == ["Recipes+SwiftData"])
      #expect(
        models[0].versions.map(\.qualifiedName) == [
          "Recipes/v1", "Recipes/v2", "Recipes/v3", "SwiftData/SchemaV1", "SwiftData/SchemaV2",
        ]
      )
      #expect(models[0].current?.name == "SchemaV2")
      #expect(models[0].versions.filter(\.isCurrent).count == 1)
      for name in ["@current", "Recipes/@current", "SwiftData/@current", "SwiftData/SchemaV2"] {
        let run = sample.run("plan", "Recipes/v1", "--to", name)
        #expect(run.status == .success && run.output.contains("SchemaV2"), "\(name): \(run.errors)")
      }
    }
  }

  @Test func `each version becomes in the app what its hashes and names say`() throws {
    try MovedSample.with { sample in
      // v1 and v2 call the instructions by another name, which the classes do not have.
      #expect(
        try sample.outcomes == [
          "v1": "loses", "v2": "loses", "v3": "arrives", "SchemaV1": "arrives",
        ]
      )
      try sample.keepOriginalName()
      #expect(Set(try sample.outcomes.values) == ["arrives"])
      let opening = try sample.project.coverage().findings.first { $0.code.rawValue == "WS821" }
      #expect(
        opening?.message
          == "SchemaV1 has the hashes of v3: SwiftData takes its stores for its own. "
          + "It migrates in place, when it first opens them, the stores of v1, v2."
      )
    }
  }

  @Test func `a plan that lacks the versions of Core Data opens none but the equal one`() throws {
    try MovedSample.with { sample in
      try sample.keepOriginalName()
      try sample.addPlan()
      #expect(
        try sample.outcomes == [
          "v1": "fails", "v2": "fails", "v3": "arrives", "SchemaV1": "arrives",
        ]
      )
      let run = sample.run("coverage")
      #expect(
        run.words.contains("SwiftData knows the schemas of its plan alone. `waystone freeze v"),
        "\(run.output)"
      )
    }
  }

  @Test func `a schema of another hash is told with the difference`() throws {
    try MovedSample.with { sample in
      try sample.edit("Sources/SchemaV1.swift", "servings: Int16", "servings: Int")
      let coverage = try sample.project.coverage()
      let opening = coverage.findings.first { $0.code.rawValue == "WS821" }
      #expect(
        opening?.message.contains("SchemaV1 differs from v3 in what version hashes see: Recipe: ")
          == true,
        "\(opening?.message ?? "")"
      )
      #expect(
        opening?.message.contains("servings") == true,
        "\(opening?.message ?? "")"
      )
      #expect(opening?.remedy.contains("waystone export v3 --swift") == true)
    }
  }

  @Test(arguments: ["v1", "v2", "v3", "SchemaV1"])
  func `a store of each version arrives with its rows`(version: String) throws {
    try MovedSample.with { sample in
      let made = sample.run("generate", version, "--rows", "60", "-o", "Recipes.sqlite")
      try #require(made.status == .success, "\(made.errors)")
      let run = sample.run("migrate", "Recipes.sqlite", "--output", "default.store")
      try #require(run.status == .success, "\(run.errors)")
      let text = ["v1", "v2"].contains(version) ? "ZMETHOD" : "ZINSTRUCTIONS"
      let common = "ZTITLE, ZSERVINGS, ZCREATEDAT"
      let old = try sample.rows(
        "Recipes.sqlite",
        "SELECT Z_PK, \(common), \(text) FROM ZRECIPE ORDER BY Z_PK"
      )
      let new = try sample.rows(
        "default.store",
        "SELECT Z_PK, \(common), ZINSTRUCTIONS FROM ZRECIPE ORDER BY Z_PK"
      )
      #expect(!old.isEmpty && old == new)
      #expect(
        try sample.rows("default.store", "SELECT DISTINCT ZISFAVORITE FROM ZRECIPE") == [
          [.integer(0)]
        ]
      )
      if version != "v1" {
        let links = "SELECT Z_PK, ZNAME, ZAMOUNT, ZUNIT, ZRECIPE FROM ZINGREDIENT ORDER BY Z_PK"
        let ingredients = try sample.rows("Recipes.sqlite", links)
        #expect(try !ingredients.isEmpty && ingredients == sample.rows("default.store", links))
      }
      let inspected = sample.run("inspect", "default.store")
      #expect(inspected.output.contains("SchemaV2"), "\(inspected.output)")
      #expect(sample.run("verify", "default.store").status == .success)
    }
  }

  @Test func `a lock of before the move stays, and takes the schemas in`() throws {
    try MovedSample.with { sample in
      try sample.keepOriginalName()
      let joined = try String(contentsOfFile: "\(sample.folder)/waystone.yml", encoding: .utf8)
      try sample.write("models: [Recipes.xcdatamodeld, Sources]\n", to: "waystone.yml")
      var project = try sample.project
      let shipped = ["v1", "v2", "v3", "SchemaV1"]
      #expect(try project.lock(.named(shipped.map { VersionName($0) })).added == shipped)

      try sample.write(joined, to: "waystone.yml")
      project = try sample.project
      let report = try project.check()
      #expect(report.isClean, "\(report.failures)")
      #expect(report.versions?.lockedCount == 4)
      #expect(report.versions?.newVersions == ["SchemaV2"])
      #expect(try project.lock(.all).added == ["SchemaV2"])
      #expect(try sample.project.check().isClean)

      // What was shipped is no longer as it was.
      try sample.edit("Sources/SchemaV1.swift", "servings: Int16", "servings: Int")
      #expect(try sample.project.check().failures.contains { $0.code.rawValue == "WS811" })
      try sample.edit("Sources/SchemaV1.swift", "servings: Int ", "servings: Int16 ")
      try sample.edit(
        "waystone.yml",
        "Recipes/v1, Recipes/v2",
        "Recipes/v2, Recipes/v1"
      )
      #expect(try sample.project.check().failures.map(\.code.rawValue).contains("WS705"))
    }
  }

  @Test func `without an order the error says how to join`() throws {
    try MovedSample.with { sample in
      try sample.write("models: [Recipes.xcdatamodeld, Sources]\n", to: "waystone.yml")
      let run = sample.run("plan", "Recipes/v1", "--to", "SwiftData/SchemaV1")
      #expect(run.status != .success)
      #expect(run.errors.contains("order: [Recipes/v1, SwiftData/SchemaV1]"), "\(run.errors)")
      let hop = sample.run("init", "--hop", "Recipes/v3", "SwiftData/SchemaV2")
      #expect(hop.errors.contains("order: [Recipes/v3, SwiftData/SchemaV2]"), "\(hop.errors)")
    }
  }

  @Test(arguments: [
    (
      "order: [Recipes/v1, Recipes/v2, SwiftData/SchemaV1, SwiftData/SchemaV2]", "Recipes/v3 stands"
    ),
    ("order: [v1, v2, v3, SchemaV1, SchemaV2, Recipes/v1]", "stands twice"),
    ("order: [v1, v2, v3, SchemaV1, SchemaV2]", ""),
    ("order: {v2: v1, v3: v2, SchemaV1: v3, SchemaV2: SchemaV1}", ""),
    ("order: {Recipes: [v1, v2, v3], SwiftData: [SchemaV1, SchemaV2]}", ""),
  ])
  func `an order says where each version stands`(order: String, error: String) throws {
    try MovedSample.with { sample in
      try sample.write("models: [Recipes.xcdatamodeld, Sources]\n\(order)\n", to: "waystone.yml")
      let run = sample.run("versions", "--format", "json")
      #expect((run.status == .success) == error.isEmpty, "\(run.errors)")
      #expect(error.isEmpty || run.errors.contains(error), "\(run.errors)")
    }
  }

  @Test func `versions of one name are refused, since a history could not tell them apart`() throws
  {
    try MovedSample.with { sample in
      try FileManager.default.moveItem(
        atPath: "\(sample.folder)/Recipes.xcdatamodeld/v2.xcdatamodel",
        toPath: "\(sample.folder)/Recipes.xcdatamodeld/SchemaV1.xcdatamodel"
      )
      try sample.edit("waystone.yml", "Recipes/v2", "Recipes/SchemaV1")
      let run = sample.run("versions")
      #expect(run.errors.contains("both have a version SchemaV1"), "\(run.errors)")
    }
  }

  @Test func `the exported schema has the hashes of the version`() throws {
    try MovedSample.with { sample in
      let run = sample.run("export", "v3", "--swift", "-o", "SchemaV0.swift")
      #expect(run.status == .success, "\(run.errors)")
      try FileManager.default.createDirectory(
        atPath: sample.folder + "/Exported",
        withIntermediateDirectories: false
      )
      try FileManager.default.moveItem(
        atPath: sample.folder + "/SchemaV0.swift",
        toPath: sample.folder + "/Exported/SchemaV0.swift"
      )
      let project = try sample.project
      let read = try ModelArchive(contentsOf: URL(filePath: sample.folder + "/Exported"))
      let old = try #require(project.models.versions.first { $0.name == "v3" })
      #expect(read.versions.map(\.model.entityVersionHashes) == [old.model.entityVersionHashes])
    }
  }

  @Test func `all that no class can have is named at once`() {
    let run = CommandRun("export", "Letters/v4", "--swift", "--models", SampleArchive.root)
    #expect(run.status != .success)
    #expect(run.errors.contains("Correspondent is abstract"), "\(run.errors)")
  }
}
