import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

/// Stores of public apps, dumped whole in each form; counts are those of plain SQL.
@Suite(.enabled(if: Corpus.isPresent)) struct CorpusDumpTests {
  static let stores: [String] = Corpus.files { path in
    ["sqlite", "storedata", "wiredatabase", ".db", ".graphdb", "moody", ".store"].contains {
      path.hasSuffix($0)
    }
  }.filter { (try? Store(reading: URL(filePath: $0)))?.carriedModel != nil }

  @Test(arguments: Trials.some(of: stores))
  func `a public app's store is dumped with all its rows`(_ path: String) throws {
    let store = try Store(reading: URL(filePath: path))
    let database = try SQLiteConnection(path: path, access: .quiescent)
    let names = try database.rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY")
    let tables = Set(
      try database.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap {
        $0[0].text
      }
    )
    var wanted: [String: Int] = [:]
    let model = try #require(store.carriedModel)
    for row in names {
      guard let name = row[1].text, let number = row[0].integer, model[name]?.isAbstract == false
      else { continue }
      let table = "Z" + model.rootEntityName(of: name).uppercased()
      guard tables.contains(table) else { continue }
      wanted[name] = Int(
        try database.integer(
          "SELECT COUNT(*) FROM \(SQL.identifier(table)) WHERE Z_ENT = \(number)"
        ) ?? -1
      )
    }
    try TemporaryFolder.with { folder in
      let models = ModelArchive(models: [])
      let json = URL(filePath: "\(folder)/o.ndjson")
      let summary = try store.dump(to: json, as: .ndjson, in: models)
      // A store may have other names beside its numbers than its model.
      #expect(wanted.allSatisfy { summary.objects[$0.key] == $0.value })
      #expect(
        try DumpTests.lines(String(decoding: Data(contentsOf: json), as: UTF8.self)).count
          == summary.count
      )
      try DumpedLinesTests.expectSameLines(ofStoreAt: path, in: models)
      let plain = URL(filePath: "\(folder)/o.sqlite")
      #expect(try store.dump(to: plain, as: .sqlite, in: models) == summary)
      let written = try AppDatabase(plain.path)
      #expect(try written.rows("PRAGMA foreign_key_check").isEmpty)
      let roots = Set(summary.objects.keys.map { model.rootEntityName(of: $0) })
      var rows = 0
      for root in roots {
        rows += Int(try written.integer("SELECT COUNT(*) FROM \(SQL.identifier(root))") ?? 0)
      }
      #expect(rows == summary.count)
      let csv = URL(filePath: "\(folder)/csv")
      #expect(try store.dump(to: csv, as: .csv, in: models) == summary)
      var lines = 0
      for (entity, count) in wanted.sorted(by: { $0.key < $1.key }).prefix(20) {
        let counted = try store.query("count \"\(entity)\"", in: models)
        #expect(counted.count >= count)
        lines += 1
      }
      #expect(lines == min(20, wanted.count))
      print(
        "\(summary.count) objects of \(wanted.count) entities, \(summary.faults.count) faults: "
          + path.dropFirst(Corpus.path("").count)
          + summary.faults.prefix(3).map { "\n    \($0.summary)" }.joined()
      )
    }
  }
}
