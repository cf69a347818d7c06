import MigrationTestSupport
import ModelCoding
import ModelImport
import ObjectModel
import Testing

/// Models as Xcode keeps them, compiled by our encoder.
@Suite(.enabled(if: Corpus.isPresent)) struct `Source models of public apps` {
  @Test func `every fifth is archived, and its hashes and properties come back`() throws {
    var count = 0
    var refused: [String: Int] = [:]
    // All 620 take most of a minute; consecutive versions differ little.
    let paths = Corpus.files { $0.hasSuffix(".xcdatamodel/contents") }
    for index in stride(from: 0, to: paths.count, by: 5) {
      let path = paths[index]
      guard let model = try? ModelImporter.importModel(at: String(path.dropLast(9))).model else {
        continue
      }
      do throws(ModelCodingError) {
        let again = try ModelCache.decode(ModelCache.encode(model)).model
        count += 1
        #expect(again.entityVersionHashes == model.entityVersionHashes, "\(path)")
        #expect(again.fetchRequestTemplates.count == model.fetchRequestTemplates.count, "\(path)")
        for entity in model.entities { compare(again[entity.name], entity, path) }
      } catch {
        refused[error.message, default: 0] += 1
      }
    }
    print("\(count) source models are archived and come back")
    for (message, count) in refused { print("  refused:", count, message) }
    #expect(count > 100)
  }

  /// Compares what an archive keeps.
  private func compare(_ decoded: EntityDescription?, _ source: EntityDescription, _ path: String) {
    guard let decoded else {
      Issue.record("\(path) \(source.name) is missing")
      return
    }
    var kept = source
    kept.codeGenerationType = nil
    kept.isSyncable = source.isSyncable == false ? false : nil
    kept.indexes.removeAll { $0.elements.contains { $0.collation == .rTree } }
    for index in kept.indexes.indices {
      // Format strings come back in plain form.
      kept.indexes[index].partialIndexPredicate = decoded.indexes[index].partialIndexPredicate
    }
    for index in kept.attributes.indices {
      if kept.attributes[index].renamingIdentifier == kept.attributes[index].name {
        kept.attributes[index].renamingIdentifier = nil
      }
      kept.attributes[index].usesScalarValueType = nil
      kept.attributes[index].allowsCloudEncryption = false
      kept.attributes[index].isStoredInExternalRecord = false
    }
    for index in kept.relationships.indices {
      let relationship = kept.relationships[index]
      if relationship.renamingIdentifier == relationship.name {
        kept.relationships[index].renamingIdentifier = nil
      }
      kept.relationships[index].inverseEntityName =
        relationship.inverseName.map { _ in relationship.destinationEntityName }
      kept.relationships[index].isStoredInExternalRecord = false
    }
    for index in kept.fetchedProperties.indices {
      kept.fetchedProperties[index].fetchRequest = decoded.fetchedProperties[index].fetchRequest
    }
    for (left, right) in zip(decoded.attributes, kept.attributes) where left != right {
      Issue.record("\(path) \(source.name).\(left.name)")
    }
    for (left, right) in zip(decoded.relationships, kept.relationships) where left != right {
      Issue.record("\(path) \(source.name).\(left.name)")
    }
    var rest = decoded
    rest.attributes = kept.attributes
    rest.relationships = kept.relationships
    if rest.renamingIdentifier == nil, kept.renamingIdentifier == kept.name {
      kept.renamingIdentifier = nil
    }
    if rest != kept { Issue.record("\(path) \(source.name)") }
  }
}
