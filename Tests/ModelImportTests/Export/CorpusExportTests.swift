import MigrationTestSupport
import ModelCoding
import ModelImport
import ObjectModel
import StoreAccess
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusExportTests {
  private func again(_ model: ManagedObjectModel) throws -> (
    ManagedObjectModel, [Finding], String
  ) {
    let output = try ModelXMLWriter.write(model)
    let bytes = Array(output.contents.utf8)
    let read = try ModelImporter.importModel(contents: bytes, file: "contents")
    #expect(read.findings.isEmpty)
    return (read.model, output.findings, output.contents)
  }

  @Test func `every model of the public apps survives export and import`() throws {
    let all = Corpus.files { $0.hasSuffix(".xcdatamodel/contents") }
    #expect(all.count == 620)
    let files = Trials.some(of: all)
    var equalLines = 0
    var lines = 0
    for file in files {
      let model = try ModelImporter.importModel(at: file).model
      let (copy, findings, text) = try again(model)
      #expect(copy == model, "\(file)")
      #expect(copy.entityVersionHashes == model.entityVersionHashes, "\(file)")
      #expect(findings.isEmpty, "\(file)")
      let original = String(decoding: TemporaryFolder.bytes(of: file) ?? [], as: UTF8.self)
      // Older Xcodes mark each property as syncable too, which no model needs.
      guard !original.contains(#" syncable="YES"/>"#) else { continue }
      let known = Set(original.split(separator: "\n"))
      let own = text.split(separator: "\n").dropFirst(2)
      lines += own.count
      equalLines += own.count { known.contains($0) }
    }
    print("\(files.count) XML models are equal after export and import;")
    print("\(equalLines) of \(lines) lines of newer ones are as Xcode wrote them.")
    #expect(equalLines * 100 > lines * 90)
  }

  @Test func `every compiled model survives export and import`() throws {
    let files = Corpus.files { $0.hasSuffix(".mom") }
    for file in files {
      let bytes = try #require(TemporaryFolder.bytes(of: file))
      try check(try ModelArchiveDecoder.decode(bytes).model, file)
    }
    print("\(files.count) compiled models are equal after export and import.")
    #expect(files.count > 10)
  }

  @Test func `every model of Xcode 3 survives export and import`() throws {
    let files = Corpus.files { $0.hasSuffix(".xcdatamodel/elements") }
    for file in files {
      let folder = String(file.dropLast("/elements".count))
      try check(try ModelImporter.importModel(at: folder).model, file)
    }
    print("\(files.count) models of Xcode 3 are equal after export and import.")
    #expect(files.count > 10)
  }

  @Test func `the model that a store carries is exported with the store's hashes`() throws {
    let others = [".omo", ".plist", "-wal", "-shm", "contents", ".swift", ".json", ".xml", ".mom"]
    var count = 0
    for file in Corpus.files(where: { path in others.allSatisfy { !path.hasSuffix($0) } }) {
      guard let store = try? PersistentStore(reading: file), let blob = store.modelCache else {
        continue
      }
      let copy = try check(try ModelCache.decode(blob).model, file)
      #expect(copy.entityVersionHashes == store.metadata.versionHashes, "\(file)")
      count += 1
    }
    print("\(count) stores' cached models are equal after export and import, hashes too.")
    #expect(count > 20)
  }

  /// The model without what the compiler says again of its fetch indexes.
  private func withoutEchoes(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
    let entities = model.entities.map { entity in
      var entity = entity
      let lists = entity.indexes.map { $0.elements.map(\.propertyName) }
      entity.compoundIndexes.removeAll { lists.contains($0) }
      for index in entity.attributes.indices where lists.contains([entity.attributes[index].name]) {
        entity.attributes[index].isIndexed = false
      }
      for index in entity.relationships.indices
      where lists.contains([entity.relationships[index].name]) {
        entity.relationships[index].isIndexed = false
      }
      return entity
    }
    return try ManagedObjectModel(
      entities: entities,
      configurations: model.configurations,
      fetchRequestTemplates: model.fetchRequestTemplates,
      composites: model.composites,
      versionIdentifiers: model.versionIdentifiers
    )
  }

  @discardableResult
  private func check(_ model: ManagedObjectModel, _ file: String) throws -> ManagedObjectModel {
    let (copy, findings, _) = try again(model)
    #expect(findings.isEmpty, "\(file)")
    #expect(copy == (try withoutEchoes(model)), "\(file)")
    return copy
  }
}
