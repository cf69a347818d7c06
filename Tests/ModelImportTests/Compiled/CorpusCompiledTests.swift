import MigrationTestSupport
import ModelImport
import ObjectModel
import PropertyLists
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusCompiledTests {
  private static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return String(name.prefix { $0 != "." })
  }

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

  @Test func `the compiled models are those of their sources`() throws {
    let archive = try ArchiveLoader.load(try #require(Corpus.root))
    for finding in archive.findings
    where [.compiledFormDiffers, .versionInfoDiffers].contains(finding.code) {
      print(finding.place.file ?? "", finding.message)
    }
    print(archive.models.filter { $0.path.hasSuffix(".momd") }.map(\.path))
    var counts: [String: Int] = [:]
    for finding in archive.findings { counts[finding.code.rawValue, default: 0] += 1 }
    print(counts, archive.versions.count)
  }
}
