import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite struct ModelLintTests {
  /// The findings on versions v1, v2, … as `WS204 v1 Note.owner`.
  private func lint(_ models: ManagedObjectModel...) -> [String] {
    let versions = models.enumerated().map { index, model in
      ModelVersion(modelName: "Model", name: "v\(index + 1)", model: model)
    }
    return ModelLint.findings(in: VersionedModel(name: "Model", versions: versions)).map {
      let place = [$0.place.entity, $0.place.property].compactMap { $0 }.joined(separator: ".")
      return "\($0.code.rawValue) \($0.place.version ?? "") \(place)"
    }
  }

  private func model(_ sketch: String) throws -> ManagedObjectModel {
    try ModelSketch.model(sketch)
  }

  /// A model whose one attribute is as the closure makes it.
  private func model(_ change: (inout AttributeDescription) -> Void) throws -> ManagedObjectModel {
    var entity = EntityDescription(name: "Note")
    var attribute = AttributeDescription(name: "body", attributeType: .transformable)
    change(&attribute)
    entity.attributes = [attribute]
    return try ManagedObjectModel(entities: [entity])
  }

  @Test func `a sound history has no findings`() throws {
    let findings = lint(
      try model("Note { title: String; owner -> Person.notes } Person { notes ->> Note.owner }"),
      try model(
        "Note { heading: String was title; owner -> Person.notes } Person { notes ->> Note.owner }"
      )
    )
    #expect(findings.isEmpty)
  }

  @Test func `what stays is told of once`() throws {
    let sketch = "Note { owner -> Person } Person { }"
    #expect(lint(try model(sketch), try model(sketch)) == ["WS204 v1 Note.owner"])
  }

  @Test func `two names with one past are ambiguous`() throws {
    #expect(
      lint(try model("Note { title: String; heading: String was title }"))
        == ["WS202 v1 Note"]
    )
    #expect(lint(try model("Note { } Letter was Note { }")).first == "WS202 v1 Letter")
  }

  @Test func `an identifier is known from the entity that a renamed one may have been`() throws {
    let old = "Note { title: String }"
    let renamed = "Letter { heading: String was title }"
    #expect(!lint(try model(old), try model(renamed)).contains { $0.hasPrefix("WS208") })
    // Beside the former entity, or without such a property in it, it names nothing.
    for (old, new) in [
      (old, "Note { title: String } \(renamed)"), ("Note { text: String }", renamed),
    ] {
      #expect(
        lint(try model(old), try model(new)).filter { $0.hasPrefix("WS208") }
          == ["WS208 v2 Letter.heading"]
      )
    }
  }

  @Test func `an identifier that names nothing is told of where it was set`() throws {
    let mistyped = "Note { heading: String was titel }"
    #expect(
      lint(try model("Note { title: String }"), try model(mistyped), try model(mistyped))
        .filter { $0.hasPrefix("WS208") } == ["WS208 v2 Note.heading"]
    )
    #expect(
      lint(try model("Note { a: String }"), try model("Letter was Noet { a: String }"))
        .contains("WS208 v2 Letter")
    )
    // Cleared, it would give what the name meant before to what it means now.
    let reused = ModelLint.findings(
      in: VersionedModel(
        name: "Model",
        versions: try [
          "Note { title: String }", "Note { heading: String was title; title: String was form }",
        ].enumerated().map {
          ModelVersion(modelName: "Model", name: "v\($0)", model: try model($1))
        }
      )
    ).filter { $0.code == .renamingIdentifierNamesNothing }
    #expect(reused.map(\.place.property) == ["title"])
    #expect(reused.first?.remedy.contains("clear") == false)
    // The first version's identifiers speak of versions that nobody archived.
    #expect(lint(try model(mistyped)).isEmpty)
  }

  @Test func `an identifier is known from the entities below that a property moves up from`() throws
  {
    let old = try model("Item { } Book : Item { remark: String? } Film : Item { }")
    let new = try model("Item { note: String? was remark } Book : Item { } Film : Item { }")
    #expect(!lint(old, new).contains { $0.hasPrefix("WS208") })
  }

  @Test func `a transformer that changes unseen wants a hash modifier`() throws {
    let old = try model { $0.valueTransformerName = "Old" }
    let new = try model { $0.valueTransformerName = "New" }
    #expect(lint(old, new) == ["WS201 v2 ", "WS331 v2 Note.body"])
    let marked = try model {
      $0.valueTransformerName = "New"
      $0.versionHashModifier = "new transformer"
    }
    #expect(lint(old, marked).isEmpty)
  }

  @Test func `a default that changes has one finding, whether the hash changes or not`() throws {
    let old = try model("Note { a: String = x }")
    #expect(
      lint(old, try model("Note { a: String = y }")) == ["WS201 v2 ", "WS332 v2 Note.a"]
    )
    #expect(lint(old, try model("Note { a: String = y; b: Int16 }")) == ["WS332 v2 Note.a"])
  }

  @Test func `a deletion rule and an index that change have one finding each`() throws {
    func version(_ rule: String, _ index: String) throws -> ManagedObjectModel {
      try model("Note { a: Date \(index); tags ->> Tag.note \(rule) } Tag { note -> Note.tags }")
    }
    #expect(
      lint(try version("", ""), try version("cascade", "indexed"))
        == ["WS201 v2 ", "WS333 v2 Note", "WS330 v2 Note.tags"]
    )
  }

  @Test func `a validation that changes unseen has one finding`() throws {
    func version(_ minimum: Int64) throws -> ManagedObjectModel {
      try model {
        $0.attributeType = .integer64
        $0.validation.minimum = .integer(minimum)
      }
    }
    #expect(lint(try version(0), try version(1)) == ["WS201 v2 ", "WS207 v2 Note.body"])
  }

  @Test func `a modifier beside another change is needless`() throws {
    let old = try model { $0.isOptional = false }
    let new = try model {
      $0.isOptional = true
      $0.versionHashModifier = "optional"
    }
    #expect(lint(old, new) == ["WS211 v2 Note.body"])
  }

  @Test func `no migration sees names that change places, unless a modifier changes the hash`()
    throws
  {
    func version(_ identifiers: [String: String], _ modifier: String? = nil) throws
      -> ManagedObjectModel
    {
      var note = EntityDescription(name: "Note")
      note.attributes = ["a", "b"].map { name in
        var attribute = AttributeDescription(name: name, attributeType: .string)
        attribute.renamingIdentifier = identifiers[name]
        attribute.versionHashModifier = modifier
        return attribute
      }
      return try ManagedObjectModel(entities: [note])
    }
    let (plain, swapped) = (try version([:]), ["a": "b", "b": "a"])
    #expect(
      lint(plain, try version(swapped)) == ["WS201 v2 ", "WS216 v2 Note.a", "WS216 v2 Note.b"]
    )
    // What has the modifier has another hash by it alone.
    #expect(lint(plain, try version(swapped, "swapped")) == [])
    // An identifier for stores of older versions says nothing of this step.
    #expect(!lint(plain, try version(["a": "b"])).contains("WS216 v2 Note.a"))
  }

  @Test(.enabled(if: Corpus.isPresent)) func `the models of public apps are linted`() throws {
    var counts: [String: Int] = [:]
    for model in try Corpus.models.get().models {
      for finding in ModelLint.findings(in: model) {
        counts[finding.code.rawValue, default: 0] += 1
      }
    }
    print(
      "Lint of public apps:",
      counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
    )
    #expect(counts["WS332", default: 0] > 0)
    #expect(counts.keys.allSatisfy { $0.hasPrefix("WS2") || $0.hasPrefix("WS33") })
  }
}
