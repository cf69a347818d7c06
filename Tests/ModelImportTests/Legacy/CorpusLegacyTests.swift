import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusLegacyTests {
  @Test func `every elements file is read`() throws {
    let files = Corpus.files { $0.hasSuffix(".xcdatamodel/elements") }
    var counts = (entities: 0, properties: 0)
    for file in files {
      let imported = try ModelImporter.importModel(at: file)
      counts.entities += imported.model.entities.count
      for entity in imported.model.entities {
        counts.properties += entity.attributes.count + entity.relationships.count
      }
      for finding in imported.findings { print(file, finding.place, finding.message) }
    }
    print("Read \(files.count) elements files: \(counts.entities) entities,", terminator: " ")
    print("\(counts.properties) properties.")
    #expect(files.count == 14)
    #expect(counts.entities == 94)
    #expect(counts.properties == 899)
  }

  @Test func `a store of an elements model has its hashes`() throws {
    let store = try #require(Corpus.files { $0.hasSuffix("RKSeedDatabase.sqlite") }.first)
    let metadata = try PersistentStore(reading: store).metadata
    let model = try ModelImporter.importModel(
      at: Corpus.path("RestKit+RestKit/Examples/RKTwitterCoreData/Resources/RKTwitterCoreData.xcdatamodel")
    ).model
    print(store, metadata.versionHashes, model.entityVersionHashes)
    #expect(metadata.versionHashes == model.entityVersionHashes)
  }

  @Test func `snapshots in mapping models equal the committed models`() throws {
    let models = try ArchiveLoader.load(try #require(Corpus.root)).versions.map(\.model)
    let known = Dictionary(grouping: models, by: \.entityVersionHashes)
    var (total, equal, entities) = (0, 0, 0)
    for path in Corpus.files(where: { $0.hasSuffix("/xcmapping.xml") }) {
      let text = String(decoding: TemporaryFolder.bytes(of: path) ?? [], as: UTF8.self)
      for part in text.split(separator: "modeldata\"").dropFirst() {
        let value = part.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
        guard let bytes = Base64.bytes(value), !bytes.isEmpty else { continue }
        total += 1
        let imported = try ModelImporter.importModel(elements: bytes, file: path)
        if known[imported.model.entityVersionHashes] != nil { equal += 1; entities += imported.model.entities.count } else { print("no committed", path, imported.model.entities.map(\.name)) }
        for finding in imported.findings { print(finding.place, finding.message) }
      }
    }
    print("\(total) snapshots, \(equal) with the hashes of a committed model, \(entities) entities")
  }
}
