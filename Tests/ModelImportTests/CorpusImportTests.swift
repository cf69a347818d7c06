import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusImportTests {
  @Test func `every model of the public apps is read without an unknown element`() throws {
    let files = Corpus.files { $0.hasSuffix(".xcdatamodel/contents") }
    var entities = 0
    var unusable: [FindingCode: Int] = [:]
    for file in files {
      let imported = try ModelImporter.importModel(at: file)
      for finding in imported.findings { unusable[finding.code, default: 0] += 1 }
      entities += imported.model.entities.count
    }
    print("Read \(files.count) models of public apps with \(entities) entities.")
    #expect(files.count == 620)
    // A UUID "empy", a date "NO", and integers and booleans with the text of another type.
    #expect(unusable == [.unusableValue: 57])
  }

  @Test func `the whole corpus is one archive`() throws {
    let archive = try Corpus.models.get()
    let legacy = archive.findings.filter { $0.code == .unreadableForm }
    #expect(legacy.count == 14)
    #expect(archive.versions.count == 604)
    let told: Set<FindingCode> = [.unreadableForm, .currentVersionUnknown, .unusableValue]
    #expect(Set(archive.findings.map(\.code)) == told)
  }
}
