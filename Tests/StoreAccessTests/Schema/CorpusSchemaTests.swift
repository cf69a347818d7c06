import MigrationTestSupport
import ModelCoding
import ObjectModel
import StoreAccess
import Testing

/// The prediction held against stores that Core Data made.
@Suite(.enabled(if: Corpus.isPresent)) struct CorpusSchemaTests {
  @Test func `The model inside each store predicts the store`() throws {
    var counts: [SchemaComparison.Level: Int] = [:]
    for path in Corpus.files(where: { !$0.hasSuffix("contents") && !$0.hasSuffix(".swift") }) {
      guard Self.isDatabase(path) else { continue }
      let connection = try SQLiteConnection(path: path, access: .quiescent)
      let real = try StoreSchema(of: connection)
      guard real.tables.contains(where: { $0.name == "Z_MODELCACHE" }),
        let blob = try connection.rows("SELECT Z_CONTENT FROM Z_MODELCACHE").first?.first?.blob
      else {
        print("no model cache:", path)
        continue
      }
      let model: ManagedObjectModel
      do {
        model = try ModelCache.decode(blob).model
      } catch {
        print("UNREADABLE", path, error)
        continue
      }
      let names = JoinNames(settledBy: real.columnNames, model: model)
      let predicted = PhysicalSchema(model: model, names: names)
      let comparison = SchemaComparison(predicted: predicted, real: real)
      counts[comparison.level, default: 0] += 1
      if comparison.level < .tolerable || !predicted.unsupported.isEmpty || !predicted.unsupportedIndexes.isEmpty { print(path, comparison, predicted.unsupported, predicted.unsupportedIndexes) }
    }
    print(counts)
  }

  private static func isDatabase(_ path: String) -> Bool {
    guard let connection = try? SQLiteConnection(path: path, access: .quiescent) else {
      return false
    }
    return (try? connection.integer("SELECT COUNT(*) FROM sqlite_master")) != nil
  }
}
