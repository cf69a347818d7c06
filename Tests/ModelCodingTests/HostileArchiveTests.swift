import ModelCoding
import PropertyLists
import Testing

@Suite struct `Hostile archives of models` {
  /// The archive of a model with one entity, which has these fields.
  private func archive(
    _ fields: (inout KeyedArchiveWriter) -> [String: PropertyList]
  ) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = writer.reserve()
    let name = writer.string("E")
    var values = fields(&writer)
    values["NSEntityName"] = name.value
    let entity = writer.object(hierarchy: ["NSEntityDescription", "NSObject"], values)
    let entities = writer.dictionary([(key: name, value: entity)])
    writer.fill(
      root,
      hierarchy: ["NSManagedObjectModel", "NSObject"],
      ["NSEntities": entities.value]
    )
    return writer.archive(root: root)
  }

  private func error(_ body: () throws(ModelCodingError) -> DecodedModel) -> ModelCodingError? {
    do throws(ModelCodingError) {
      _ = try body()
      return nil
    } catch { return error }
  }

  @Test(arguments: ["NSCompoundIndexes", "NSUniqueTuples"])
  func `lists that share lists are refused`(key: String) {
    let bytes = archive { writer in
      let list = writer.array(Array(repeating: writer.string("a"), count: 1_000))
      return [key: writer.array(Array(repeating: list, count: 1_000)).value]
    }
    let failure = error { () throws(ModelCodingError) in try ModelArchiveDecoder.decode(bytes) }
    #expect(failure?.code == .damagedArchive)
    #expect(failure?.message.contains("expand without end") == true)
  }

  @Test func `rules beyond number that are not known are refused`() {
    let bytes = archive { writer in
      let rule = writer.object(hierarchy: ["NSTruePredicate", "NSObject"], [:])
      let rules = writer.array(Array(repeating: rule, count: 11_000))
      let attribute = writer.object(
        hierarchy: ["NSAttributeDescription", "NSPropertyDescription", "NSObject"],
        ["NSAttributeType": .integer(100), "NSValidationPredicates": rules.value]
      )
      let name = writer.string("a")
      return ["NSProperties": writer.dictionary([(key: name, value: attribute)]).value]
    }
    let failure = error { () throws(ModelCodingError) in try ModelArchiveDecoder.decode(bytes) }
    #expect(failure?.code == .tooLarge)
  }

  @Test func `a small cache that expands to objects beyond number is refused`() throws {
    let count = ModelCache.maximumSize - 64
    var bytes = Array("bplist00".utf8) + [0x09]
    bytes += Array(repeating: 8, count: count) + [0, 0, 0, 0, 0, 0, 1, 4]
    for number in [count, 0, 9] {
      bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }
    let cache = try RawDeflate.deflate(bytes)
    #expect(cache.count < 20_000)
    #expect(error { () throws(ModelCodingError) in try ModelCache.decode(cache) } != nil)
  }
}
