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
    // 604 contents files, 14 elements files, and two compiled models without source.
    #expect(archive.versions.count == 620)
    let told: Set<FindingCode> = [.currentVersionUnknown, .unusableValue, .compiledFormDiffers]
    #expect(Set(archive.findings.map(\.code)) == told)
  }
}
