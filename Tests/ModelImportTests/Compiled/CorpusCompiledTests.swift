import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import PropertyLists
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusCompiledTests {
  @Test func `every compiled model has the hashes and checksums of its VersionInfo`() throws {
    var counts = (versions: 0, entities: 0, checksums: 0)
    for path in Corpus.files(where: { $0.hasSuffix("/VersionInfo.plist") }) {
      let folder = String(path.dropLast("/VersionInfo.plist".count))
      let archive = try ArchiveLoader.load(folder)
      #expect(archive.findings.filter { $0.severity != .note } == [], "\(folder)")
      let list = try PropertyList(binary: try #require(TemporaryFolder.bytes(of: path))).dictionary
      let recorded = try #require(list?["NSManagedObjectModel_VersionHashes"]?.dictionary)
      #expect(Set(recorded.keys) == Set(archive.versions.map(\.name)))
      for version in archive.versions {
        counts.versions += 1
        let hashes = (recorded[version.name]?.dictionary ?? [:]).compactMapValues(\.data)
        #expect(hashes == version.model.entityVersionHashes.mapValues(\.bytes), "\(version.path)")
        counts.entities += hashes.count
        let checksums = list?["NSManagedObjectModel_VersionChecksums"]?.dictionary
        guard let checksum = checksums?[version.name]?.string else { continue }
        #expect(version.model.versionChecksum == checksum)
        counts.checksums += 1
      }
      let current = list?["NSManagedObjectModel_CurrentVersionName"]?.string
      #expect(archive.versions.first(where: \.isCurrent)?.name == current)
    }
    print("\(counts.versions) compiled versions: \(counts.entities) hashes and", terminator: " ")
    print("\(counts.checksums) checksums equal those of VersionInfo.plist.")
    #expect(counts.versions == 13)
  }

  @Test func `the optimized copies have the hashes of their originals`() throws {
    let files = Corpus.files { $0.hasSuffix(".omo") }
    var entities = 0
    for file in files {
      let imported = try ModelImporter.importModel(at: file)
      let original = try ModelImporter.importModel(at: String(file.dropLast(3)) + "mom")
      #expect(imported.model == original.model)
      #expect(imported.findings.map(\.code) == [.unreadableForm])
      entities += imported.model.entities.count
    }
    print("\(files.count) optimized models hold the hashes of their \(entities) entities.")
    #expect(files.count == 5)
  }

  @Test func `the compiled models are those of their committed sources`() throws {
    let archive = try Corpus.models.get()
    // Both were compiled before their sources were edited last: one from a source without the
    // class, the other from one in which an index had another name.
    let told: [FindingCode] = [.compiledFormDiffers, .versionInfoDiffers]
    let findings = archive.findings.filter { told.contains($0.code) }
    #expect(
      findings.map { [$0.place.version, $0.place.entity, $0.place.property] } == [
        ["SampleModel", "Car", "color"], ["SampleModel2", "Car", nil],
      ]
    )
    #expect(findings.allSatisfy { $0.severity == .note })
    // Four of the six `.momd` have a source with the hashes of one of their versions.
    let alone = archive.models.filter { $0.path.hasSuffix(".momd") }.map(\.path)
    #expect(
      alone.map { $0.dropFirst((Corpus.root ?? "").count) } == [
        "/Haimanu+MobilApp/DVIA_v2.momd", "/Haimanu+MobilApp/Model.momd",
      ]
    )
  }
}
