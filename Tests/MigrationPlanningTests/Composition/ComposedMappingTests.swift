import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct `Composition of mappings` {
  /// The ways over all sketches one by one, and from the first to the last at once.
  private func ways(
    _ sketches: [String]
  ) throws -> (chain: ComposedMapping, direct: ComposedMapping) {
    let models = try sketches.map(ModelSketch.model)
    var chain = ComposedMapping(identityOf: models[0])
    for (old, new) in zip(models, models.dropFirst()) {
      chain = chain.then(try inferred(from: old, to: new))
    }
    return (chain, try inferred(from: models[0], to: models[models.count - 1]))
  }

  private func inferred(
    from old: ManagedObjectModel,
    to new: ManagedObjectModel
  ) throws -> ComposedMapping {
    let mapping = try #require(MappingInference.infer(from: old, to: new).mapping)
    return ComposedMapping(mapping, from: old, to: new, named: "inferred")
  }

  /// The differences in words: `lost Note.title`.
  private func differences(_ sketches: String...) throws -> [String] {
    let (chain, direct) = try ways(sketches)
    return chain.differences(from: direct).map {
      "\($0.kind) \([$0.entityName, $0.propertyName].compactMap { $0 }.joined(separator: "."))"
    }
  }

  @Test func `a name that changes twice is one name`() throws {
    #expect(
      try differences(
        "Note { title: String? }",
        "Note { heading: String? was title }",
        "Note { headline: String? was title }"
      ) == []
    )
  }

  @Test func `what was removed and came back is resurrected by the shortcut`() throws {
    #expect(
      try differences(
        "Note { title: String?; body: String? }",
        "Note { body: String? }",
        "Note { body: String?; title: String? }"
      ) == ["resurrected Note.title"]
    )
  }

  @Test func `an entity that was removed and came back is resurrected by the shortcut`() throws {
    #expect(
      try differences(
        "Note { title: String? } Tag { name: String? }",
        "Note { title: String? }",
        "Note { title: String? } Tag { name: String? }"
      ) == ["objectsResurrected Tag"]
    )
  }

  @Test func `a number that was narrow on the way is another one`() throws {
    #expect(
      try differences(
        "Note { size: Int64? }",
        "Note { size: Int16? }",
        "Note { size: Int64? }"
      ) == ["differs Note.size"]
    )
    #expect(
      try differences(
        "Note { size: Int16? }",
        "Note { size: Int32? }",
        "Note { size: Int64? }"
      ) == []
    )
    #expect(
      try differences(
        "Note { size: Int16? }",
        "Note { size: Int64? }",
        "Note { size: Int16? }"
      ) == []
    )
  }

  @Test func `a default that filled gaps on the way is not filled by the shortcut`() throws {
    #expect(
      try differences(
        "Note { size: Int16? }",
        "Note { size: Int16 = 7 }",
        "Note { size: Int16? }"
      ) == ["differs Note.size"]
    )
    #expect(
      try differences(
        "Note { title: String? }",
        "Note { title: String?; size: Int16 = 7 }",
        "Note { title: String?; size: Int16 = 8 }"
      ) == ["differs Note.size"]
    )
  }

  @Test func `an order that was given up on the way does not come back`() throws {
    let ordered = "Note { tags ->> Tag.notes ordered } Tag { notes ->> Note.tags }"
    let plain = "Note { tags ->> Tag.notes } Tag { notes ->> Note.tags }"
    #expect(try differences(ordered, plain, ordered) == ["differs Note.tags"])
    #expect(try differences(ordered, plain, plain) == [])
    #expect(try differences(plain, ordered, ordered) == [])
  }

  @Test func `links that a new inverse brings are lost where it is all that is left of them`()
    throws
  {
    // What the step to v2 chooses of several, its inverse has, too.
    for one in ["tag -> Tag.note was tags", "tag -> Tag.note ordered was tags"] {
      let first = one.contains("ordered") ? "tags ->> Tag ordered" : "tags ->> Tag"
      #expect(
        try differences(
          "Note { \(first) } Tag { name: String? }",
          "Note { \(one) } Tag { name: String?; note -> Note.tag }",
          "Note { text: String? } Tag { name: String?; note -> Note }"
        ) == ["lost Tag.note"]
      )
    }
    // Links that lose their order have the same owners.
    #expect(
      try differences(
        "Note { tags ->> Tag ordered } Tag { name: String? }",
        "Note { tags ->> Tag.notes } Tag { name: String?; notes ->> Note.tags }",
        "Note { text: String? } Tag { name: String?; notes ->> Note }"
      ) == ["lost Tag.notes"]
    )
  }

  /// A mapping that copies each entity from a model to another, with other attributes of one of them.
  private func copying(
    _ old: ManagedObjectModel,
    to new: ManagedObjectModel,
    _ entity: String = "",
    _ change: (inout EntityMapping) throws -> Void = { _ in }
  ) throws -> ComposedMapping {
    var mapping = try #require(MappingInference.infer(from: old, to: old).mapping)
    for index in mapping.entityMappings.indices
    where mapping.entityMappings[index].sourceEntityName == entity {
      try change(&mapping.entityMappings[index])
    }
    return ComposedMapping(mapping, from: old, to: new, named: "written")
  }

  @Test func `links to objects where a version on the way cannot lead are gone`() throws {
    let wide = "Media { u: String? } Image : Media {} Video : Media {}"
    let models = try [
      "Note { cover -> Media; all ->> Media } \(wide)",
      "Note { cover -> Image; all ->> Image } \(wide)",
      "Note { cover -> Media; all ->> Media; q: Int16? } \(wide)",
    ].map(ModelSketch.model)
    let chain = try copying(models[0], to: models[1])
      .then(copying(models[1], to: models[2]))
    let direct = try inferred(from: models[0], to: models[2])
    let differences = chain.differences(from: direct)
    #expect(differences.map(\.propertyName) == ["all", "cover"])
    #expect(differences.allSatisfy { $0.kind == .differs }, "\(differences)")
    #expect(differences.first?.reference == "all but for objects of Media, Video")
    // Where the objects go later on, their links go by either way.
    let last = try ModelSketch.model("Note { cover -> Image; all ->> Image } Image { u: String? }")
    let gone = try copying(models[0], to: models[1])
      .then(copying(models[1], to: last))
    #expect(gone.differences(from: try copying(models[0], to: last)) == [])
  }

  @Test
  func `an entity that leaves a hierarchy takes links to it along, of entities that do not change`()
    throws
  {
    let models = try [
      "X { p -> P } P { n: String? } B : P { m: String? }",
      "X { p -> P } P { n: String? } B { n: String?; m: String? }",
      "X { p -> P; q: Int16? } P { n: String? } B : P { m: String? }",
    ].map(ModelSketch.model)
    let chain = try copying(models[0], to: models[1])
      .then(copying(models[1], to: models[2]))
    let direct = try inferred(from: models[0], to: models[2])
    #expect(chain.differences(from: direct).map(\.propertyName) == ["p"])
  }

  /// A mapping that counts the tags of a note by a format.
  private func counting(_ format: String) -> (inout EntityMapping) throws -> Void {
    { $0.attributeMappings = [.init(name: "n", valueExpression: try Expression(format: format))] }
  }

  @Test func `a selection has the names that its objects' properties had`() throws {
    let model = try ModelSketch.model(
      "Note { n: Int32?; tags ->> Tag.note } Tag { x: Int32?; y: Int32?; note -> Note.tags }"
    )
    let swapped = try copying(model, to: model, "Tag") {
      $0.attributeMappings = [
        .init(name: "x", valueExpression: .source("y")),
        .init(name: "y", valueExpression: .source("x")),
      ]
    }
    func selecting(_ name: String) throws -> ComposedMapping {
      try copying(
        model,
        to: model,
        "Note",
        counting("SUBQUERY($source.tags, $t, $t.\(name) > 0).@count")
      )
    }
    let chain = swapped.then(try selecting("x"))
    #expect(chain.origins["Note"] == (try selecting("y")).origins["Note"])
    #expect(chain.origins["Note"] != (try selecting("x")).origins["Note"])
  }

  @Test(arguments: [
    "$source.tags.@count", "SUBQUERY($source.tags, $t, $t.x > 0).@count", "$source.first.x",
    "FUNCTION($manager, \"sourceInstanceForEntityNamed:key:value:\", \"Tag\", \"x\", $source.n).x",
  ])
  func `what reads objects that an earlier hop leaves out is unknown`(format: String) throws {
    let model = try ModelSketch.model(
      """
      Note { n: Int32?; tags ->> Tag.note; first -> Tag }
      Tag { x: Int32?; note -> Note.tags }
      """
    )
    func filtered(_ filter: String) throws -> ComposedMapping {
      try copying(model, to: model, "Tag") { $0.sourcePredicate = try Predicate(format: filter) }
    }
    let reading = try copying(model, to: model, "Note", counting(format))
    let chain = try filtered("x > 0").then(reading)
    #expect(chain.origins["Note"]?[0].values["n"]?.isOpaque == true)
    #expect(chain.origins["Note"] == (try filtered("x > 0")).then(reading).origins["Note"])
    // Another filter is another value, although neither can be followed.
    #expect(chain.origins["Note"] != (try filtered("x > 1")).then(reading).origins["Note"])
    let kinds = chain.differences(from: reading).filter { $0.entityName == "Note" }.map(\.kind)
    #expect(kinds == [.unknown])
    // Nothing is unknown behind a version that changes nothing.
    let plain = ComposedMapping(identityOf: model).then(reading)
    #expect(plain == reading)
  }

  @Test func `what an expression counts has the names of the first version`() throws {
    let models = try [
      "Note { tags ->> Tag.notes; size: Int32? } Tag { notes ->> Note.tags }",
      "Note { labels ->> Tag.notes was tags; size: Int32? } Tag { notes ->> Note.labels }",
    ].map(ModelSketch.model)
    var mapping = try #require(MappingInference.infer(from: models[1], to: models[1]).mapping)
    let note = try #require(mapping.entityMappings.firstIndex { $0.sourceEntityName == "Note" })
    let size = try #require(
      mapping.entityMappings[note].attributeMappings.firstIndex { $0.name == "size" }
    )
    mapping.entityMappings[note].attributeMappings[size].valueExpression = .keyPath(
      .variable("source"),
      ["labels", "@count"]
    )
    let counted = ComposedMapping(mapping, from: models[1], to: models[1], named: "counted")
    let chain = try inferred(from: models[0], to: models[1]).then(counted)
    #expect(chain.origins["Note"]?.first?.values["size"] == .carried(["tags", "@count"]))
  }

  @Test func `each mapping that makes an entity keeps the links that it carries`() throws {
    let old = try ModelSketch.model("A { b -> B; c -> B } B { name: String? }")
    let both = try ModelSketch.model("A { b ->> B; c ->> B } B { name: String? }")
    let new = try ModelSketch.model("A { b ->> B } B { name: String? }")
    var mapping = try #require(MappingInference.infer(from: old, to: both).mapping)
    let index = try #require(mapping.entityMappings.firstIndex { $0.sourceEntityName == "A" })
    var second = mapping.entityMappings[index]
    let links = second.relationshipMappings
    mapping.entityMappings[index].relationshipMappings = links.filter { $0.name == "b" }
    second.name = "AToAByC"
    second.relationshipMappings = links.filter { $0.name == "c" }
    second.relationshipMappings[0].name = "b"
    mapping.entityMappings.append(second)
    let way = ComposedMapping(mapping, from: old, to: new, named: "both")
    #expect(
      way.origins["A"]?.map { $0.values["b"] } == [.cut(.carried(["b"])), .cut(.carried(["c"]))]
    )
  }

  @Test func `links that the other end gave up on the way do not come back`() throws {
    let many = "Note { folder -> Folder.notes } Folder { notes ->> Note.folder }"
    let one = "Note { folder -> Folder.notes } Folder { notes -> Note.folder }"
    let none = "Note { folder -> Folder } Folder { }"
    #expect(try differences(many, one, many) == ["differs Folder.notes", "differs Note.folder"])
    #expect(try differences(many, one, none) == ["differs Note.folder"])
    #expect(try differences(many, one, one) == [])
    #expect(try differences(one, many, one) == [])
    let (chain, _) = try ways([many, one, many])
    #expect(chain.origins["Note"]?.first?.values["folder"] == .cut(.carried(["folder"])))
  }

  @Test func `links that one side carries are carried on both`() throws {
    let (chain, direct) = try ways([
      "Note { tags ->> Tag.notes } Tag { notes ->> Note.tags }",
      "Note { labels ->> Tag.notes was tags } Tag { notes ->> Note.labels }",
    ])
    #expect(chain == direct)
    #expect(chain.origins["Note"]?.first?.values["labels"] == .carried(["tags"]))
    #expect(chain.origins["Tag"]?.first?.values["notes"] == .carried(["notes"]))
  }

  @Test func `a way back that an entity gains has no links before there was the entity`() throws {
    let late = "User { name: String? } Reaction { users ->> User }"
    let joined =
      "User { name: String?; reactions ->> Reaction.users } Reaction { users ->> User.reactions }"
    #expect(try differences("User { name: String? }", late, joined) == [])
    #expect(try differences("User { name: String? } Reaction { }", late, joined) == [])
    #expect(try differences(late, joined, joined) == [])
  }

  @Test func `a way back that an entity gains after a new name has the links of the old name`()
    throws
  {
    let old = "User { name: String? } Reaction { users ->> User }"
    let renamed = "User { name: String? } Emotion was Reaction { people ->> User was users }"
    let joined = """
      User { name: String?; emotions ->> Emotion.people }
      Emotion was Reaction { people ->> User.emotions was users }
      """
    let (chain, direct) = try ways([old, renamed, joined])
    #expect(chain == direct)
    let value = try #require(chain.origins["User"]?.first?.values["emotions"])
    #expect(value == .owners(entity: "Reaction", relationship: "users"))
  }

  @Test func `a way back that was lost and came back has the links that stores kept`() throws {
    let both =
      "User { name: String?; reactions ->> Reaction.users } Reaction { users ->> User.reactions }"
    let one = "User { name: String? } Reaction { users ->> User }"
    // Without an inverse, a store keeps one owner of each object.
    #expect(
      try differences(both, one, both) == ["differs Reaction.users", "unknown User.reactions"]
    )
  }

  @Test(arguments: Trials.some(of: 200 as UInt64))
  func `composing is associative and the identity changes nothing`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var model = RandomModel(&random)
    var models: [ManagedObjectModel] = []
    for _ in 0..<4 {
      if let next = model.model { models.append(next) }
      model.evolve(&random)
    }
    guard models.count == 4 else { return }
    let steps = zip(models, models.dropFirst()).compactMap { old, new in
      MappingInference.infer(from: old, to: new).mapping.map {
        ComposedMapping($0, from: old, to: new, named: "inferred")
      }
    }
    // Chance also makes steps that nobody can infer.
    guard steps.count == 3 else { return }
    let left = steps[0].then(steps[1]).then(steps[2])
    let right = steps[0].then(steps[1].then(steps[2]))
    #expect(left == right, "\(left.differences(from: right).prefix(3))")
    #expect(ComposedMapping(identityOf: models[0]).then(steps[0]) == steps[0])
    #expect(steps[2].then(ComposedMapping(identityOf: models[3])) == steps[2])
  }
}
