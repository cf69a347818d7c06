import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct ResolvedMappingTests {
  private func way(
    _ old: String,
    _ new: String,
    _ values: [String: Expression],
    filter: Predicate? = nil
  ) throws -> ComposedMapping {
    ComposedMapping(
      MappingModel(entityMappings: [mapping(values, filter: filter)]),
      from: try ModelSketch.model(old),
      to: try ModelSketch.model(new),
      named: "written"
    )
  }

  private func mapping(_ values: [String: Expression], filter: Predicate? = nil) -> EntityMapping {
    var entity = EntityMapping(mappingType: .custom, source: "N", destination: "N")
    entity.attributeMappings = values.sorted { $0.key < $1.key }.map {
      PropertyMapping(name: $0, valueExpression: $1)
    }
    entity.sourcePredicate = filter
    return entity
  }

  private func origins(_ old: String, _ new: String, _ values: [String: Expression]) throws
    -> [String: ValueOrigin]
  {
    let resolved = ResolvedMapping(
      MappingModel(entityMappings: [mapping(values)]),
      from: try ModelSketch.model(old),
      to: try ModelSketch.model(new)
    )
    return try #require(resolved.entities.first ?? nil).attributes
  }

  @Test(arguments: [
    ("kids.@count", true), ("kids.@sum.size", false), ("canonical:(title)", false),
  ])
  func `a derived attribute keeps values of its own derivation alone`(
    derivation: String,
    isKept: Bool
  ) throws {
    func model(_ derivation: String) throws -> ManagedObjectModel {
      var size = AttributeDescription(name: "size", attributeType: .integer64)
      size.derivationExpression = .init(parsing: derivation)
      var entity = EntityDescription(name: "N")
      entity.attributes = [size]
      return try ManagedObjectModel(entities: [entity])
    }
    let (old, new) = (try model("kids.@count"), try model(derivation))
    let mapping = MappingModel(entityMappings: [mapping(["size": .source("size")])])
    let resolved = ResolvedMapping(mapping, from: old, to: new)
    let entity = try #require(resolved.entities.first ?? nil)
    #expect(entity.attributes["size"] == (isKept ? .carried(["size"]) : .nothing))
  }

  @Test func `each attribute has one origin`() throws {
    let origins = try origins(
      "N { a: Int32?; t: String?; gone: String? transient }",
      "N { a: Int16 = 3; b: Int32?; c: String = x; d: String?; e: Date?; f: String? }",
      [
        "a": .source("a"), "b": .keyPath(.evaluatedObject, ["a"]), "d": .constant(.string("d")),
        "e": .call("now", []), "f": .source("gone"),
      ]
    )
    #expect(
      origins == [
        "a": .filled(
          .converted(.carried(["a"]), from: .integer32, to: .integer16),
          .integer(3)
        ),
        // The evaluated object is the source object.
        "b": .carried(["a"]),
        "c": .constant(.string("x")), "d": .constant(.string("d")),
        "e": .computed(.call("now", []), []), "f": .nothing,
      ]
    )
    #expect(
      origins["a"]?.description == "a as integer16, or 3 where it is empty"
    )
  }

  @Test(arguments: [false, true])
  func `a filter chooses among values that go over as they are`(isFiltered: Bool) throws {
    let filter = Predicate.comparison(.init(.source("a"), .greaterThan, .constant(.integer(2))))
    let fate: HopReconciliation.Fate = isFiltered ? .chosen : .carried
    let model = "N { a: Int32? }"
    var objects = StoreCounts.Entity(objects: 3)
    objects.values = ["a": 2]
    var counts = StoreCounts()
    counts.entities = ["N": objects]
    let account = HopReconciliation(
      of: try way(model, model, ["a": .source("a")], filter: isFiltered ? filter : nil),
      from: "v1",
      to: "v2",
      before: counts,
      after: counts,
      hasCode: false,
      losses: nil
    )
    #expect(account.departures.map(\.fate) == [fate, fate])
  }

  @Test func `what an expression reads of an earlier hop is its input`() throws {
    let sum = Expression.call("add:to:", [.source("a"), .source("k")])
    let product = Expression.call("multiply:by:", [.source("a"), .source("sum")])
    let first = try way(
      "N { a: Int32?; k: Int32? }",
      "N { a: Int16?; k: Int32? }",
      ["a": .source("a"), "k": .source("k")]
    )
    let second = try way(
      "N { a: Int16?; k: Int32? }",
      "N { a: Int16?; sum: Int32? }",
      ["a": .source("a"), "sum": sum]
    )
    let third = try way(
      "N { a: Int16?; sum: Int32? }",
      "N { product: Int32? }",
      ["product": product]
    )
    let left = first.then(second).then(third)
    let right = first.then(second.then(third))
    #expect(left == right)
    let value = try #require(left.origins["N"]?.first?.values["product"])
    let narrowed = ValueOrigin.converted(.carried(["a"]), from: .integer32, to: .integer16)
    #expect(
      value
        == .computed(
          .call(
            "multiply:by:",
            [.variable("1"), .call("add:to:", [.variable("1"), .source("k")])]
          ),
          [narrowed]
        )
    )
    #expect(value.properties == ["a", "k"])
  }

  @Test func `a filter over what an earlier hop fills is asked of no row`() throws {
    let first = try way("N { a: Int16? }", "N { a: Int16 = 3 }", ["a": .source("a")])
    let second = try way(
      "N { a: Int16 = 3 }",
      "N { a: Int16 = 3 }",
      ["a": .source("a")],
      filter: .comparison(.init(.source("a"), .greaterThan, .constant(.integer(2))))
    )
    let both = first.then(second)
    let condition = try #require(both.origins["N"]?.first?.conditions.first)
    #expect(condition.inputs == [.filled(.carried(["a"]), .integer(3))])
    let question = Precondition(
      .requiredWithoutDefault,
      entity: "N",
      property: "a",
      .present,
      [.init("N", [.carried(["a"])])]
    )
    guard case .question(let pulled) = question.pulledBack(through: both) else {
      Issue.record("the question is lost")
      return
    }
    #expect(pulled.subjects.map(\.predicates) == [[]])
    #expect(pulled.subjects.map(\.isShared) == [true])
  }
}
