import MigrationTestSupport
import ModelCoding
import ObjectModel
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct `Compiled models of public apps` {
  @Test func `every model decodes, and its hashes are those that Core Data wrote`() throws {
    var entities = 0
    var hashes = 0
    var findings: [String: Int] = [:]
    for compiled in CompiledModel.all {
      let decoded = try compiled.decoded.get()
      entities += decoded.model.entities.count
      for finding in decoded.findings { findings[finding.message, default: 0] += 1 }
      let names = decoded.model.entities.map(\.name)
      #expect(Set(compiled.hashes.keys) == Set(names), "\(compiled)")
      hashes += compiled.hashes.count
      for (name, hash) in compiled.hashes {
        #expect(decoded.model.entityVersionHashes[name] == hash, "\(compiled) \(name)")
      }
    }
    let caches = CompiledModel.all.filter(\.isCache).count
    print(
      "\(caches) model caches and \(CompiledModel.all.count - caches) .mom files decode:",
      "\(entities) entities, \(hashes) hashes equal"
    )
    for (message, count) in findings.sorted(by: { $0.key < $1.key }) { print(" ", count, message) }
    #expect(CompiledModel.all.count > 60)
  }

  @Test func `what is encoded decodes to the same model`() throws {
    for compiled in CompiledModel.all {
      let model = try compiled.decoded.get().model
      let again = try ModelCache.decode(ModelCache.encode(model))
      for entity in model.entities where again.model[entity.name] != entity {
        Issue.record("\(compiled) \(entity.name)")
      }
      #expect(again.model == model, "\(compiled)")
      #expect(again.findings.isEmpty, "\(compiled)")
    }
  }

  @Test func `properties stand in the order of Apple's archives`() throws {
    var equal = 0
    // Xcode's compiler lists own properties only, in another order.
    for compiled in CompiledModel.all where compiled.isCache {
      let order = try ModelArchiveDecoder.archivedPropertyNames(in: compiled.archive)
      let own = try ModelArchiveDecoder.archivedPropertyNames(
        in: ModelArchiveEncoder.encode(compiled.decoded.get().model)
      )
      for (name, names) in order {
        equal += own[name] == names ? 1 : 0
        #expect(own[name] == names, "\(compiled) \(name)")
      }
    }
    print("\(equal) entities of model caches list their properties in the same order")
    #expect(equal > 500)
  }
}
