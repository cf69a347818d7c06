import MigrationTestSupport
import ModelCoding
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Stores that obey their models, and Apple's own.
@Suite struct GeneratedValidationTests {
  static let versions = (try? ArchiveLoader.load(SampleArchive.root).versions) ?? []

  func report(_ model: ManagedObjectModel, seed: UInt64) throws -> ValidationReport {
    try TemporaryFolder.with { folder in
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 400, seed: seed).write(to: path)
      let connection = try SQLiteConnection(path: path, access: .quiescent)
      return try StoreValidator(schema: PhysicalSchema(model: model)).report(on: connection)
    }
  }

  @Test(arguments: versions)
  func `a generated store obeys its model`(_ version: ModelVersion) throws {
    let report = try report(version.model, seed: 7)
    #expect(report.violations.map(\.description) == [])
    #expect(report.objectCount == 400)
    #expect(report.ruleCount >= (version.modelName == "Letters" ? 1 : 0))
  }

  @Test(arguments: 1...12)
  func `a store of a random model obeys it`(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var sketch = RandomModel(&random)
    for _ in 0..<3 { sketch.evolve(&random) }
    guard let model = sketch.model,
      PhysicalSchema(model: model).unsupported.isEmpty
    else { return }
    #expect(try report(model, seed: UInt64(seed)).violations.map(\.description) == [])
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: Corpus.stores)
  func `a store of a public app can be checked`(_ sample: Corpus.Store) throws {
    let connection = try SQLiteConnection(path: sample.path, access: .quiescent)
    let names = JoinNames(
      settledBy: try StoreSchema(of: connection).columnNames,
      model: sample.model
    )
    let schema = PhysicalSchema(model: sample.model, names: names)
    let report = try StoreValidator(schema: schema).report(on: connection)
    // A composite, or another type whose place no store has shown, is all that may be left out.
    #expect(report.unchecked.allSatisfy { $0.reason.contains("it is not known where") })
    // Each count is of objects, so none is greater than their number.
    #expect(report.violations.allSatisfy { (1...report.objectCount).contains($0.count) })
    #expect(report.violations.allSatisfy { !$0.primaryKeys.isEmpty })
    let codes = Dictionary(grouping: report.violations, by: \.code).map { code, violations in
      "\(code.rawValue) \(violations.reduce(0) { $0 + $1.count })"
    }
    print(
      "\(report.passed ? "valid" : "NOT VALID") \(report.objectCount) objects, "
        + "\(report.ruleCount) rules; \(codes.sorted().joined(separator: ", ")): "
        + sample.description
    )
  }
}
