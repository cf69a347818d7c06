import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

struct MappingBindingTests {
  private let pairs: [(String?, String?)] = [("Note", "Note"), ("Tag", "Tag")]

  @Test func `a mapping is bound by the hashes of both sides`() throws {
    let history = try History()
    let mapping = history.mapping(2, 3, pairs)
    let binding = MappingBinding([mapping], to: [history.versioned])
    #expect(binding.findings.isEmpty)
    #expect(binding.bound.map { [$0.source.name, $0.destination.name] } == [["v2", "v3"]])
    #expect(binding.edges.map(\.source) == [history[2].entityVersionHashes])
    #expect(binding.edges.first?.fileNames == "Step.xcmappingmodel")
  }

  @Test func `a mapping that mentions the same entities is bound where no whole version fits`()
    throws
  {
    let history = try History()
    var mapping = history.mapping(2, 3, [("Note", "Note")])
    mapping.source.hashes["Other"] = mapping.source.hashes["Tag"]
    let binding = MappingBinding([mapping], to: [history.versioned])
    #expect(binding.bound.map { [$0.source.name, $0.destination.name] } == [["v2", "v3"]])
  }

  @Test func `a stale mapping names the entity that moved and the nearest version`() throws {
    let history = try History()
    let before = try History("Note { heading: String? } Tag { name: String? }")
    let mapping = AuthoredMapping(
      name: "Old",
      path: "/Old.xcmappingmodel",
      form: .mappingModel,
      mapping: before.mapping(1, 3, pairs).mapping,
      source: .init(hashes: before[1].entityVersionHashes, isWhole: true),
      destination: .init(hashes: history[3].entityVersionHashes, isWhole: true)
    )
    let binding = MappingBinding([mapping], to: [history.versioned])
    #expect(binding.edges.isEmpty)
    let finding = try #require(binding.findings.first)
    #expect(finding.code == .staleMapping)
    #expect(finding.severity == .warning)
    #expect(finding.place.entity == "Note")
    #expect(
      finding.message
        == "The mapping Old is for no two versions that are known: its source is nearest to v3, in "
        + "which Note differs."
    )
  }

  @Test func `a mapping of another model's entities says that no version has them`() throws {
    let history = try History()
    let other = try History("A { a: String }", "A { b: String }", "A { c: String }")
    let binding = MappingBinding([other.mapping(1, 2, [("A", "A")])], to: [history.versioned])
    let message = try #require(binding.findings.first).message
    #expect(message.contains("no version has any entity of its source"))
  }

  @Test func `mentions that fit several pairs of versions are ambiguous`() throws {
    let history = try History()
    var mapping = history.mapping(1, 3, [("Tag", "Tag")])
    mapping.source.isWhole = false
    mapping.destination.isWhole = false
    let binding = MappingBinding([mapping], to: [history.versioned])
    #expect(binding.edges.isEmpty)
    #expect(binding.findings.map(\.code) == [.ambiguousMapping])
    #expect(binding.findings.first?.severity == .error)
    #expect(
      binding.undecided.map(\.sources)
        == [[history[1].entityVersionHashes, history[2].entityVersionHashes]]
    )
  }

  @Test func `of pairs that differ in other entities, the closest are taken`() throws {
    let history = try History(
      "Note { title: String? } Tag { name: String? }",
      "Note { heading: String? } Tag { name: String? }",
      "Note { heading: String? } Tag { name: String? } Other { x: String? }"
    )
    var mapping = history.mapping(1, 2, [("Note", "Note")])
    mapping.source.isWhole = false
    mapping.destination.isWhole = false
    let binding = MappingBinding([mapping], to: [history.versioned])
    #expect(binding.findings.isEmpty)
    #expect(binding.bound.map { [$0.source.name, $0.destination.name] } == [["v1", "v2"]])
  }

  @Test func `a mapping from a version to itself is not used`() throws {
    let history = try History()
    let binding = MappingBinding([history.mapping(2, 2, pairs)], to: [history.versioned])
    #expect(binding.edges.isEmpty)
    #expect(binding.findings.map(\.severity) == [.note])
  }

  @Test func `passes with filters run one after the other in the order of their names`() throws {
    let history = try History()
    func pass(_ name: String, _ pattern: String) -> AuthoredMapping {
      history.mapping(2, 3, named: name, [(nil, "Tag"), ("Note", "Note")]) { mapping in
        guard mapping.sourceEntityName != nil else { return }
        mapping.sourcePredicate = .comparison(
          .init(.keyPath(.evaluatedObject, ["title"]), .matches, .constant(.string(pattern)))
        )
        mapping.relationshipMappings = [
          PropertyMapping(
            name: "self",
            valueExpression: .destinationInstances(forMapping: "NoteToNote", of: .source("self"))
          )
        ]
      }
    }
    let passes = [pass("P-2", "[m-z].*"), pass("P-1", "[a-l].*")]
    let binding = MappingBinding(passes, to: [history.versioned])
    #expect(binding.findings.isEmpty)
    let edge = try #require(binding.edges.first)
    #expect(binding.edges.count == 1)
    #expect(edge.origins.map(\.name) == ["P-1", "P-2"])
    #expect(edge.mapping.entityMappings.map(\.name) == ["Tag", "NoteToNote", "NoteToNote (P-2)"])
    let second = try #require(edge.mapping.entityMappings.last)
    #expect(
      second.relationshipMappings.first?.valueExpression
        == .destinationInstances(forMapping: "NoteToNote (P-2)", of: .source("self"))
    )
  }

  @Test func `two mappings that make the same objects are an error, and no way leads there`() throws
  {
    let history = try History()
    var second = history.mapping(2, 3, named: "B", pairs)
    second.mapping.entityMappings[0].userInfo = ["author": "B"]
    let binding = MappingBinding(
      [history.mapping(2, 3, named: "A", pairs), second],
      to: [history.versioned]
    )
    #expect(binding.findings.map(\.code) == [.ambiguousMapping])
    let graph = VersionGraph(history.versioned, authored: binding.edges)
    #expect(graph.consecutiveEdges[1].isRefused)
    #expect(
      graph.consecutiveEdges[1].refusals.first?.message
        == "A.xcmappingmodel and B.xcmappingmodel both say what becomes of Note, Tag between v2 and v3."
    )
    #expect(graph.checkInvariants() == nil)
  }

  @Test func `mapping models that do the same are one, whatever their names and order`() throws {
    let history = try History()
    let first = history.mapping(2, 3, named: "v1-v3", pairs)
    var second = history.mapping(2, 3, named: "v2-v3", pairs)
    second.mapping.entityMappings.reverse()
    let binding = MappingBinding([first, second], to: [history.versioned])
    #expect(binding.findings.isEmpty, "\(binding.findings)")
    #expect(binding.edges.map { $0.origins.map(\.name) } == [["v1-v3"]])
    // A policy may remember what it met before.
    let entities = second.mapping.entityMappings
    for place in entities.indices {
      var (one, other) = (first, second)
      one.mapping.entityMappings[entities.count - 1 - place].entityMigrationPolicyClassName = "P"
      other.mapping.entityMappings[place].entityMigrationPolicyClassName = "P"
      let binding = MappingBinding([one, other], to: [history.versioned])
      #expect(binding.findings.map(\.code) == [.ambiguousMapping])
    }
  }

  /// Two models of the same versions, each in a target's folder.
  private func targets() throws -> (History, [VersionedModel]) {
    let history = try History()
    let models = ["App", "Watch"].map { target in
      var model = history.versioned
      model.name = "Notes (\(target))"
      model.path = "\(target)/Notes.xcdatamodeld"
      for index in model.versions.indices { model.versions[index].modelName = model.name }
      return model
    }
    return (history, models)
  }

  @Test func `copies of one mapping in the folders of two targets are one`() throws {
    let (history, models) = try targets()
    let copies = ["App", "Watch"].map { target in
      var mapping = history.mapping(2, 3, pairs)
      mapping.path = "\(target)/Step.xcmappingmodel"
      return mapping
    }
    let binding = MappingBinding(copies, to: models)
    #expect(binding.findings.isEmpty)
    #expect(binding.bound.map(\.source.modelName) == models.map(\.name))
    #expect(binding.edges.count == 1)
    for model in models {
      let step = VersionGraph(model, authored: binding.edges).consecutiveEdges[1]
      #expect(step.kind == .authored && !step.isRefused)
    }
  }

  @Test func `each model has the mapping beside it where those of two targets differ`() throws {
    let (history, models) = try targets()
    var first = history.mapping(2, 3, pairs)
    first.path = "App/Step.xcmappingmodel"
    var second = history.mapping(2, 3, [("Note", "Note"), (nil, "Tag")])
    second.path = "Watch/Step.xcmappingmodel"
    let binding = MappingBinding([first, second], to: models)
    #expect(binding.findings.isEmpty, "\(binding.findings)")
    let origins = models.map { model in
      VersionGraph(model, authored: binding.edges).consecutiveEdges[1].origins.map(\.path)
    }
    #expect(origins == [["App/Step.xcmappingmodel"], ["Watch/Step.xcmappingmodel"]])
  }

  /// A mapping of one entity, in a file.
  private func step(_ history: History, _ entity: String, _ path: String) -> AuthoredMapping {
    var mapping = history.mapping(2, 3, named: entity, [(entity, entity)])
    mapping.path = path
    return mapping
  }

  @Test(arguments: [
    // A mapping of the models' common folder is of the model that has none beside it, too.
    (["Shared/Tag"], [["App/Note", "Shared/Tag"], ["Shared/Tag"]]),
    // A copy beside another model stays that model's.
    (["App/Tag", "Watch/Tag"], [["App/Note", "App/Tag"], ["Watch/Tag"]]),
  ])
  func `each model has the mappings beside it and those beside none`(
    tags: [String],
    expected: [[String]]
  ) throws {
    let (history, models) = try targets()
    let steps =
      [step(history, "Note", "App/Note")] + tags.map { step(history, "Tag", $0) }
    let binding = MappingBinding(steps, to: models)
    #expect(binding.findings.isEmpty, "\(binding.findings)")
    let origins = models.map { model in
      VersionGraph(model, authored: binding.edges).consecutiveEdges[1].origins.map(\.path)
    }
    #expect(origins == expected)
  }

  @Test func `mappings of one name that clash are called by their paths`() throws {
    let history = try History()
    var first = history.mapping(2, 3, pairs)
    first.path = "A/Step.xcmappingmodel"
    var second = history.mapping(2, 3, [("Note", "Note"), (nil, "Tag")])
    second.path = "B/Step.xcmappingmodel"
    let binding = MappingBinding([first, second], to: [history.versioned])
    #expect(
      binding.findings.first?.message
        == "A/Step.xcmappingmodel and B/Step.xcmappingmodel both say what becomes of Note between v2 and v3."
    )
  }
}
