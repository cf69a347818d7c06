import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

@Suite(.enabled(if: Corpus.isPresent, "the corpus is absent")) struct CorpusDigestTests {
  /// The files of the folder in which a store lies: when each changed, and its size.
  private func traces(beside store: String) throws -> [String: [Int64]] {
    let folder = URL(fileURLWithPath: store).deletingLastPathComponent().path
    var traces: [String: [Int64]] = [:]
    for name in TemporaryFolder.names(in: folder) {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      let changed = attributes[.modificationDate] as? Date
      traces[name] = [
        Int64((changed?.timeIntervalSince1970 ?? 0) * 1e6), attributes[.size] as? Int64 ?? -1,
      ]
    }
    return traces
  }

  @Test func `every store with a model of its own has a digest, and stays as it is`() throws {
    let names = [".sqlite", ".wiredatabase", ".moody", ".storedata", ".db", ".store"]
    let stores = Corpus.files { path in names.contains { path.hasSuffix($0) } }
    var counts = (digested: 0, photos: 0, rows: 0, entities: 0, missing: 0, without: 0)
    try TemporaryFolder.with { folder in
      for store in stores {
        guard let cache = try? PersistentStore(reading: store).modelCache, !cache.isEmpty else {
          counts.without += 1
          continue
        }
        let traces = try traces(beside: store)
        let bytes = TemporaryFolder.bytes(of: store)
        let run = CommandRun("digest", store, "--format", "json", in: folder)
        #expect(run.status == .success, "\(store): \(run.errors)")
        let json = try run.json()
        #expect(json["recovered"] as? Bool == true, "\(store)")
        #expect(try self.traces(beside: store) == traces, "\(store)")
        #expect(TemporaryFolder.bytes(of: store) == bytes, "\(store)")
        counts.digested += 1
        counts.rows += json["rows"] as? Int ?? 0
        counts.missing += json["missingFiles"] as? Int ?? 0
        counts.entities += (json["entities"] as? [Any])?.count ?? 0
        if store.contains("photoslibrary") { counts.photos += 1 }
      }
    }
    print(
      "\(counts.digested) stores were digested by their own models, \(counts.photos) of them of",
      "Photos: \(counts.rows) rows of \(counts.entities) entities;",
      "\(counts.missing) external files are missing; \(counts.without) files carry no model."
    )
    #expect(counts.digested > 40 && counts.photos > 0)
  }

  @Test func `Core Data's own counters do not enter, a name does`() throws {
    let store = Corpus.path(
      "duckduckgo+BrowserServicesKit/Tests/BookmarksTests/Resources/Bookmarks_V5.sqlite"
    )
    try TemporaryFolder.with { folder in
      let copy = try TemporaryFolder.copy(store, into: folder)
      func change(_ sql: String) throws {
        let connection = try AppDatabase(copy)
        try connection.execute(sql)
      }
      try change("UPDATE ZBOOKMARKENTITY SET Z_OPT = Z_OPT + 1; VACUUM")
      let same = CommandRun("compare", store, copy, in: folder)
      #expect(same.status == .success, "\(same.output)\(same.errors)")
      try change(
        "UPDATE ZBOOKMARKENTITY SET ZTITLE = 'x' || ZTITLE || 'x' "
          + "WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZBOOKMARKENTITY WHERE ZTITLE IS NOT NULL)"
      )
      let other = CommandRun("compare", store, copy, "--format", "json", in: folder)
      #expect(other.status == .answerIsNo)
      let differing = try other.json()["differing"] as? [String]
      #expect(differing == ["BookmarkEntity"])
    }
  }
}
