import Foundation
import MigrationTestSupport
import StoreAccess
import SwiftDataImport
import Testing
import Waystone

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
        let plan = try sample.sketched.plan("Recipes/v1", to: name)
        #expect(plan.refusals.isEmpty && plan.stops.last == "SchemaV2", "\(name)")
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
      let remedies = try sample.project.coverage().models.flatMap(\.paths).flatMap(\.app.findings)
        .map(\.remedy)
      #expect(remedies.contains { $0.contains("`waystone freeze v") })
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
      try sample.sketched.store(version, rows: 60, as: "Recipes.sqlite")
      let outcome = try sample.sketched.migrate("Recipes.sqlite", to: "default.store")
      #expect(outcome.verification.passed)
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
      let result = try Store(reading: URL(filePath: "\(sample.folder)/default.store"))
      let models = try sample.project.models
      #expect(models.identify(result).versions.map(\.name).contains("SchemaV2"))
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
      let error = #expect(throws: WaystoneError.self) {
        try sample.sketched.plan("Recipes/v1", to: "SwiftData/SchemaV1")
      }
      #expect(error?.recovery.contains("order: [Recipes/v1, SwiftData/SchemaV1]") == true)
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
      var found = ""
      do { _ = try sample.project } catch let error as WaystoneError { found = error.message }
      #expect(
        found.isEmpty == error.isEmpty && (error.isEmpty || found.contains(error)),
        "\(found)"
      )
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
      let error = #expect(throws: WaystoneError.self) { try sample.project }
      #expect(error?.message.contains("both have a version SchemaV1") == true)
    }
  }
}
