import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusMappingTests {
  private static let files = Corpus.files {
    $0.hasSuffix(".xcmappingmodel/xcmapping.xml") || $0.hasSuffix(".cdm")
  }

  private static func expressions(_ mapping: AuthoredMapping) -> [Expression] {
    mapping.mapping.entityMappings.flatMap { entity in
      (entity.attributeMappings + entity.relationshipMappings).compactMap(\.valueExpression)
    }
  }

  @Test func `every mapping model is read and its expressions print back`() throws {
    var counts = (entities: 0, expressions: 0, explicit: 0, predicates: 0, policies: 0)
    for file in Self.files {
      let mapping = try MappingImporter.importMapping(at: file)
      counts.entities += mapping.mapping.entityMappings.count
      if mapping.form == .mappingModel { counts.explicit += mapping.explicitExpressionCount }
      counts.policies += mapping.mapping.entityMappings.count {
        $0.entityMigrationPolicyClassName != nil
      }
      for expression in Self.expressions(mapping) {
        counts.expressions += 1
        #expect(try Expression(format: "\(expression)") == expression, "\(expression)")
      }
      for predicate in mapping.mapping.entityMappings.compactMap(\.sourcePredicate) {
        counts.predicates += 1
        #expect(try Predicate(format: "\(predicate)") == predicate, "\(predicate)")
      }
    }
    print("Read \(Self.files.count) mapping models: \(counts.entities) entity mappings,")
    print(
      "\(counts.expressions) expressions, \(counts.explicit) of them explicit,",
      terminator: " "
    )
    print("\(counts.predicates) predicates, \(counts.policies) policies.")
    #expect(Self.files.count == 35)
    #expect(counts.explicit == 40)
    #expect(counts.predicates == 7)
  }

  @Test func `what cannot be used of a mapping's copy of a model asks for nothing`() throws {
    let folder = "AndrewBennet+ReadingListV1/ReadingList/Models/Migrations"
    let mapping = try MappingImporter.importMapping(
      at: Corpus.path("\(folder)/BookMapping_6_7.xcmappingmodel")
    )
    let copies = mapping.findings.filter { $0.code == .unusableValue && $0.place.line == nil }
    #expect(copies.map(\.severity) == [.note, .note])
    for (finding, end) in zip(copies, ["source", "destination"]) {
      #expect(finding.message.hasPrefix("In the mapping's copy of its \(end) model: the "))
      #expect(finding.remedy.hasPrefix("Nothing needs to be done"))
    }
  }

  @Test func `the compiled form of a mapping model is the same mapping`() throws {
    let folder = "alemar11+CoreDataPlus/Tests/Resources/SampleModel"
    let source = try MappingImporter.importMapping(
      at: Corpus.path("\(folder)/MappingModels/V2toV3.xcmappingmodel")
    )
    let compiled = try MappingImporter.importMapping(
      at: Corpus.path("\(folder)/Fixtures/V2toV3.cdm")
    )
    #expect(compiled.mapping.entityMappings.count == 5)
    for (left, right) in zip(source.mapping.entityMappings, compiled.mapping.entityMappings) {
      #expect(left == right, "\(left.name)")
    }
    #expect(source.mapping == compiled.mapping)
    for (name, hash) in compiled.source.hashes { #expect(source.source.hashes[name] == hash) }
  }

  @Test func `mapping models are bound to committed versions, and the stale ones are named`() throws
  {
    var bound = 0
    var stale: [String] = []
    var ambiguous: [String] = []
    let apps = Dictionary(grouping: Self.files) { file in
      String(file.dropFirst(Corpus.path("").count).prefix { $0 != "/" })
    }
    for app in apps.keys.sorted() {
      let models = try ArchiveLoader.load(Corpus.path(app)).models
      let mappings = try (apps[app] ?? []).map { try MappingImporter.importMapping(at: $0) }
      let binding = MappingBinding(mappings, to: models)
      bound += binding.bound.count
      for finding in binding.findings where finding.code == .staleMapping {
        stale.append(
          "\(finding.place.file.map(Self.name) ?? ""): \(finding.place.entity ?? "none")"
        )

      }
      for finding in binding.findings where finding.code == .ambiguousMapping {
        ambiguous.append("\(finding.place.file.map(Self.name) ?? ""): \(finding.message)")
      }
    }
    print("Bound \(bound) mapping models; stale:", stale.joined(separator: ", "))
    #expect(stale == ["v1_to_v2: Chat", "Model: none"])
    #expect(bound == 33)
    // A tutorial has two mapping models of one step, and a policy of one may read what the other
    // makes: only the app knows their order.
    #expect(
      ambiguous.count == 1 && ambiguous[0].contains("Nothing says which of the two runs first")
    )
  }

  @Test func `escapes of the XML store are read back`() throws {
    let mapping = try MappingImporter.importMapping(
      at: Corpus.path("Mioke+CoreDataMigrationHelper/CoreDataTest/v1_to_v2.xcmappingmodel")
    )
    let predicates = mapping.mapping.entityMappings.map { $0.sourcePredicate?.description }
    #expect(predicates == ["messageID < 10000", nil])
  }

  private static func name(_ path: String) -> String {
    let parts = path.split(separator: "/")
    let last = parts.last == "xcmapping.xml" ? parts.dropLast().last : parts.last
    return last.map { String($0.prefix { $0 != "." }) } ?? path
  }
}
