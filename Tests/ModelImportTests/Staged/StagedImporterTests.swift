import ModelImport
import ObjectModel
import Testing

struct StagedImporterTests {
  private func read(_ text: String) throws(ModelImportError) -> ImportedStages {
    try StagedImporter.importStages(text: text, file: "App.staged.yml")
  }

  @Test func `stages are read in their order`() throws {
    let imported = try read(
      """
      stages:
        - lightweight: v1
          label: Add flight data
        - custom: {from: v2, to: v3}
          will: {handlers: [copyFlightData], sql: "UPDATE ZAIRCRAFT SET ZX = 1"}
          did: {sql: [A, B]}
        - lightweight: [v4, v5]
      """
    )
    #expect(imported.name == "App")
    #expect(
      imported.stages.map(\.kind) == [
        .lightweight(versions: ["v1"]), .custom(current: "v2", next: "v3"),
        .lightweight(versions: ["v4", "v5"]),
      ]
    )
    #expect(imported.stages.map(\.place.line) == [2, 4, 7])
    #expect(imported.stages[0].label == "Add flight data")
    #expect(
      imported.stages[1].willMigrate == [
        .sql("UPDATE ZAIRCRAFT SET ZX = 1"), .handler("copyFlightData"),
      ]
    )
    #expect(imported.stages[1].didMigrate == [.sql("A"), .sql("B")])
  }

  @Test(arguments: [
    ("stage: []", "1: There is no key `stage` in the file. The keys are stages."),
    ("stages: v1", "1: The file has no list of stages."),
    ("stages:\n- v1", "2: `a stage` must be keys and values."),
    ("stages:\n- label: x", "2: A stage is either lightweight or custom."),
    ("stages:\n- {lightweight: a, custom: {from: a, to: b}}", "2: A stage is either"),
    ("stages:\n- custom: {from: v1}", "2: A custom stage needs both ends."),
    ("stages:\n- lightweight: v1\n  did: {sql: x}", "3: A lightweight stage has nothing before"),
    ("stages:\n- lightweight: [[a]]", "2: `lightweight` must be a version or a list"),
  ])
  func `a mistake is told with its line`(text: String, message: String) {
    let error = #expect(throws: ModelImportError.self) { try read(text) }
    #expect(error?.description.hasPrefix("App.staged.yml:\(message)") == true, "\(error as Any)")
  }
}
