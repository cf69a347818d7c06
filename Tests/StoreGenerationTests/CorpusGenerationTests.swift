import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusGenerationTests {
  @Test func `stores of public apps' models obey them`() throws {
    let archive = try Corpus.models.get()
    var seen: Set<[String: VersionHash]> = []
    var (made, refused) = (0, 0)
    for version in archive.models.compactMap(\.current)
    where version.model.entities.count <= 16
      && seen.insert(version.model.entityVersionHashes).inserted
    {
      try TemporaryFolder.with { folder in
        let path = folder + "/a.sqlite"
        let rows = version.model.entities.count * 9
        do {
          try StoreGenerator(model: version.model, rows: rows, seed: 1).write(to: path)
        } catch let error as StoreAccessError where error.code == .unsupported {
          refused += 1
          return
        }
        made += 1
        let problems = try StoreAudit(path, model: version.model).problems
        #expect(problems == [], "\(version.path)")
      }
    }
    print("Generated stores of \(made) models of public apps; \(refused) are not supported.")
    #expect(made > 80)
  }
}
