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
    let model = try #require(schema?.model, "\(generated.source)")
    #expect(schema?.isKnown == true, "\(schema?.findings ?? []) \(generated.source)")
    for entity in expected.entities {
      #expect(model[entity.name]?.withoutCodings == entity, "\(generated.source)")
      #expect(
        model.entityVersionHashes[entity.name] == expected.entityVersionHashes[entity.name],
        "\(generated.source)"
      )
    }
    #expect(model.entities.map(\.withoutCodings) == expected.entities)
    #expect(model.composites.map(\.withoutCodings) == expected.composites)
    let written = try SwiftSchemaWriter.write(model, named: "Frozen", from: "default.store")
    let frozen = try SchemaText.schema(written.contents)
    let again = try #require(frozen?.model, "\(written.contents)")
    #expect(frozen?.isKnown == true, "\(frozen?.findings ?? []) \(written.contents)")
    #expect(written.findings.isEmpty, "\(written.findings.map(\.message))")
    let entities = again.entities.map(\.withoutCodings)
    #expect(entities == model.entities.map(\.withoutCodings), "\(written.contents)")
    #expect(again.entityVersionHashes == model.entityVersionHashes, "\(written.contents)")
  }
}

/// A model that is not made from sources has no codings, and a frozen copy has other names of types in them.
extension EntityDescription {
  fileprivate var withoutCodings: EntityDescription {
    var entity = self
    for index in attributes.indices { entity.attributes[index].codings = [] }
    return entity
  }
}

extension CompositeDescription {
  fileprivate var withoutCodings: CompositeDescription {
    var composite = self
    for index in attributes.indices { composite.attributes[index].codings = [] }
    return composite
  }
}
