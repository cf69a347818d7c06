import MigrationTestSupport
import ModelImport
import ObjectModel
import SwiftDataImport
import Testing

@Suite struct `Generated schemas` {
  @Test(arguments: Trials.some(of: 300 as UInt64))
  func `give the models that they were made with`(seed: UInt64) throws {
    let generated = GeneratedSchema(seed: seed)
    let schema = try SchemaText.schema(generated.source)
    let expected = try generated.model()
    let model = try SchemaText.plain(#require(schema?.model, "\(generated.source)"))
    #expect(schema?.isKnown == true, "\(schema?.findings ?? []) \(generated.source)")
    for entity in expected.entities {
      #expect(model[entity.name] == entity, "\(generated.source)")
      #expect(
        model.entityVersionHashes[entity.name] == expected.entityVersionHashes[entity.name],
        "\(generated.source)"
      )
    }
    #expect(model == expected)
    let written = try SwiftSchemaWriter.write(model, named: "Frozen", from: "default.store")
    let frozen = try SchemaText.schema(written.contents)
    let again = try SchemaText.plain(#require(frozen?.model, "\(written.contents)"))
    #expect(frozen?.isKnown == true, "\(frozen?.findings ?? []) \(written.contents)")
    #expect(written.findings.isEmpty, "\(written.findings.map(\.message))")
    #expect(again == model, "\(written.contents)")
    #expect(again.entityVersionHashes == model.entityVersionHashes, "\(written.contents)")
  }
}
