import MigrationTestSupport
import ObjectModel
import Testing

/// Expressions over composites, in terms of their elements.
@Suite struct CompositeExpansionTests {
  private static let old = """
    composite Place { city: String?; floor: Int16? }
    composite Flat { city: String? }
    Shop { home: Composite? of Place; name: String?; owner -> Person.shops; Flat: Composite? of Flat }
    Outlet : Shop { yard: Composite? of Place }
    Person { address: Composite? of Place; shops ->> Shop.owner }
    """

  private func expansion() throws -> CompositeExpansion {
    let model = try ModelSketch.model(Self.old)
    return CompositeExpansion(from: model, to: model)
  }

  /// The paths that an expression reads, each key in brackets.
  private func paths(_ expression: Expression) -> [String] {
    var paths: [String] = []
    expression.forEachPart { part in
      if case .keyPath(_, let path) = part { paths.append(path.map { "[\($0)]" }.joined()) }
    }
    return paths
  }

  @Test(arguments: [
    ("$source.home.city", ["[home.city]"]),
    ("$source.home", ["[home]"]),
    ("$source.home.city.length", ["[home.city][length]"]),
    ("$source.home.street", ["[home][street]"]),
    ("$source.name.city", ["[name][city]"]),
    ("$source.owner.address.floor", ["[owner][address.floor]"]),
    ("$source.owner.shops.home.city", ["[owner][shops][home.city]"]),
    ("$source.owner.shops.@max.home.floor", ["[owner][shops][@max][home.floor]"]),
    ("$source.yard.city", ["[yard.city]"]),
    ("$destination.home.floor", ["[home.floor]"]),
    ("$manager.home.floor", ["[home][floor]"]),
    ("TERNARY(home.city == \"a\", $source.Flat.city, nil)", ["[home.city]", "[Flat.city]"]),
    (
      "SUBQUERY($source.owner.shops, $x, $x.home.floor > 2).home.city",
      ["[home.city]", "[owner][shops]", "[home.floor]"]
    ),
  ])
  func `a key path has its elements in one key`(text: String, expected: [String]) throws {
    let expansion = try expansion()
    let parsed = try Expression(format: text)
    let once = expansion.expression(parsed, of: "Shop", making: "Shop")
    #expect(paths(once) == expected)
    #expect(expansion.expression(once, of: "Shop", making: "Shop") == once)
    // Its text is the one that a person writes.
    #expect(try Expression(format: once.description) == parsed)
  }

  @Test(arguments: [
    ("home == nil", "home.city == nil AND home.floor == nil"),
    ("home != nil", "home.city != nil OR home.floor != nil"),
    (
      "NOT (owner.address == nil)", "NOT (owner.address.city == nil AND owner.address.floor == nil)"
    ),
    ("ANY owner.shops.home.floor > 3", "ANY owner.shops.home.floor > 3"),
  ])
  func `a composite is nothing where all its elements are`(text: String, expected: String) throws {
    let predicate = try expansion().predicate(Predicate(format: text), of: "Shop")
    #expect(predicate.description == expected)
  }

  @Test(arguments: [
    ("$source.yard", ["city = $source.yard.city", "floor = $source.yard.floor"]),
    ("$source.Flat", ["city = $source.Flat.city", "floor = -"]),
    ("nil", ["city = nil", "floor = nil"]),
    (
      "TERNARY(name == nil, nil, $source.Flat)",
      [
        "city = TERNARY(name == nil, nil, $source.Flat.city)",
        "floor = TERNARY(name == nil, nil, nil)",
      ]
    ),
    (
      "FUNCTION($entityPolicy, \"place:\", $source)",
      [
        "city = FUNCTION($entityPolicy, \"place:\", $source).city",
        "floor = FUNCTION($entityPolicy, \"place:\", $source).floor",
      ]
    ),
  ])
  func `a composite is given as its elements`(text: String, expected: [String]) throws {
    var mapping = EntityMapping(mappingType: .custom, source: "Outlet", destination: "Shop")
    mapping.attributeMappings = [
      PropertyMapping(name: "home", valueExpression: try Expression(format: text)),
      PropertyMapping(name: "name", valueExpression: .source("name")),
    ]
    let expansion = try expansion()
    let once = expansion.expanded(MappingModel(entityMappings: [mapping]))
    let values = once.entityMappings[0].attributeMappings.map {
      "\($0.name) = \($0.valueExpression?.description ?? "-")"
    }
    #expect(values == expected.map { "home.\($0)" } + ["name = $source.name"])
    #expect(expansion.expanded(once) == once)
  }

  @Test func `what is said of an element itself stands`() throws {
    var mapping = EntityMapping(mappingType: .custom, source: "Shop", destination: "Shop")
    mapping.attributeMappings = [
      PropertyMapping(name: "home", valueExpression: .source("home")),
      PropertyMapping(name: "home.city", valueExpression: .constant(.string("Oslo"))),
    ]
    let once = try expansion().expanded(MappingModel(entityMappings: [mapping]))
    let values = once.entityMappings[0].attributeMappings
    #expect(values.map(\.name) == ["home.city", "home.floor"])
    #expect(values[0].valueExpression == .constant(.string("Oslo")))
  }
}
