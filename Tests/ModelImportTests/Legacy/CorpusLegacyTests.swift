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
      #expect(imported.findings == [], "\(file)")
    }
    print("Read \(files.count) elements files: \(counts.entities) entities,", terminator: " ")
    print("\(counts.properties) properties.")
    #expect(files.count == 14)
    #expect(counts.entities == 94)
    #expect(counts.properties == 899)
  }

  @Test func `a store of such a model has its hashes`() throws {
    let folder = "RestKit+RestKit/Examples/RKTwitterCoreData"
    let metadata = try PersistentStore(
      reading: Corpus.path("\(folder)/RKSeedDatabase.sqlite")
    ).metadata
    let model = try ModelImporter.importModel(
      at: Corpus.path("\(folder)/Resources/RKTwitterCoreData.xcdatamodel")
    ).model
    #expect(metadata.versionHashes == model.entityVersionHashes)
  }

  /// Snapshots that no committed model equals: they are older than what was committed.
  private static let stale = ["BookMapping_16_17", "v1_to_v2", "WordPress-11-12"]

  @Test func `snapshots in mapping models have the hashes of committed models`() throws {
    let archive = try Corpus.models.get()
    let known = Set(archive.versions.map(\.model.entityVersionHashes))
    var counts = (snapshots: 0, equal: 0, entities: 0)
    for path in Corpus.files(where: { $0.hasSuffix("/xcmapping.xml") }) {
      let text = String(decoding: TemporaryFolder.bytes(of: path) ?? [], as: UTF8.self)
      for part in text.split(separator: "modeldata\"").dropFirst() {
        let value = part.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
        guard let bytes = Base64.bytes(value), !bytes.isEmpty else { continue }
        let imported = try ModelImporter.importModel(elements: bytes, file: path)
        counts.snapshots += 1
        guard known.contains(imported.model.entityVersionHashes) else {
          #expect(Self.stale.contains { path.contains($0) }, "\(path)")
          continue
        }
        counts.equal += 1
        counts.entities += imported.model.entities.count
      }
    }
    print("\(counts.equal) of \(counts.snapshots) snapshots have the hashes of", terminator: " ")
    print("committed models: \(counts.entities) entities.")
    #expect(counts.equal == 65)
  }
}
