import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct EntityOutlineTests {
  private func changes(_ old: String, _ new: String) throws -> [String] {
    let changes = EntityOutline.changes(
      from: try ModelSketch.model(old).entityOutlines,
      to: try ModelSketch.model(new).entityOutlines
    )
    return changes.map { change in
      let place = [change.entityName, change.name].compactMap { $0 }.joined(separator: ".")
      let aspect = change.aspect.map {
        " \($0.rawValue) \(change.old ?? "-") > \(change.new ?? "-")"
      }
      return
        "\(change.action.rawValue) \(place)\(aspect ?? "")\(change.changesHash ? "" : " unseen")"
    }
  }

  @Test(arguments: [
    (
      "A { t: String = x }", "A { t: String = y }",
      ["changed A.t defaultValue \"x\" > \"y\" unseen"]
    ),
    ("A { t: String }", "A { t: String? }", ["changed A.t optional no > yes"]),
    ("A { t: String }", "A { t: Date }", ["changed A.t type string > date"]),
    ("A { t: String }", "A { t: String; u: Date }", ["added A.u"]),
    ("A { t: String; u: Date }", "A { t: String }", ["removed A.u"]),
    ("A { t: String }", "A { t: String; u: Date transient }", ["added A.u unseen"]),
    ("A { t: String }", "A { t: String was s }", ["changed A.t renamingIdentifier - > s unseen"]),
    ("A { t: String }", "A { t: String }  B { t: String }", ["added B"]),
    ("A { t: String }  B { t: String }", "A { t: String }", ["removed B"]),
    ("A { t: String }", "A { t: String; unique t }", ["changed A uniquenessConstraints - > (t)"]),
    (
      "A { b ->> B.a }  B { a -> A.b }", "A { b ->> B.a ordered }  B { a -> A.b }",
      ["changed A.b ordered no > yes"]
    ),
    ("A { b: String }", "A { b -> A.b }", ["changed A.b kind attribute > relationship"]),
    (
      "P { t: String }  C : P { u: Date }", "P { t: String? }  C : P { u: Date }",
      ["changed P.t optional no > yes"]
    ),
    (
      "P { t: String }  C : P { u: Date }", "P { t: String }  C { u: Date }",
      ["changed C superentity P > -"]
    ),
  ])
  func `an edit is named by entity, property and aspect`(
    old: String,
    new: String,
    expected: [String]
  ) throws {
    #expect(try changes(old, new) == expected)
    #expect(try changes(old, old).isEmpty)
  }

  @Test func `what only code reads is told apart`() throws {
    var entity = EntityDescription(name: "A")
    entity.attributes = [AttributeDescription(name: "t", attributeType: .string)]
    let old = try ManagedObjectModel(entities: [entity])
    entity.managedObjectClassName = "Other"
    let new = try ManagedObjectModel(entities: [entity])
    let (before, after) = (old.entityOutlines, new.entityOutlines)
    #expect(EntityOutline.changes(from: before, to: after).isEmpty)
    #expect(EntityOutline.annotatedNames(from: before, to: after) == ["A"])
    #expect(EntityOutline.annotatedNames(from: before, to: before).isEmpty)
  }

  @Test func `a composite's members and a configuration's are seen`() throws {
    var attribute = AttributeDescription(name: "place", attributeType: .composite)
    attribute.compositeName = "Place"
    var entity = EntityDescription(name: "A")
    entity.attributes = [attribute]
    func outlines(_ member: String, _ configurations: [String: [String]]) throws -> [EntityOutline]
    {
      let part = AttributeDescription(name: member, attributeType: .string)
      return try ManagedObjectModel(
        entities: [entity],
        configurations: configurations,
        composites: [CompositeDescription(name: "Place", attributes: [part])]
      ).entityOutlines
    }
    let old = try outlines("street", [:])
    let members = EntityOutline.changes(from: old, to: try outlines("road", [:]))
    #expect(members.map(\.name) == ["place.road", "place.street"])
    #expect(members.map(\.action) == [.added, .removed])
    #expect(members.allSatisfy { $0.changesHash })
    let moved = EntityOutline.changes(from: old, to: try outlines("street", ["Cloud": ["A"]]))
    #expect(moved.map(\.aspect) == [.configurations])
    #expect(moved.first?.new == "Cloud")
  }

  @Test func `a long value stands by its beginning and a digest`() throws {
    func outline(_ text: String) throws -> EntityOutline {
      var attribute = AttributeDescription(name: "t", attributeType: .string)
      attribute.defaultValue = .string(text)
      var entity = EntityDescription(name: "A")
      entity.attributes = [attribute]
      return try #require(try ManagedObjectModel(entities: [entity]).entityOutlines.first)
    }
    let start = String(repeating: "x", count: 500)
    let first = try outline(start + "a")
    let second = try outline(start + "b")
    #expect(first.properties[0].values[.defaultValue]?.utf8.count ?? 999 < 120)
    #expect(EntityOutline.changes(from: [first], to: [second]).map(\.aspect) == [.defaultValue])
  }

  @Test(arguments: 0..<60)
  func `an edit of a random model is found in the entities that it touches`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var changing = RandomModel(&random)
    for _ in 0..<6 {
      guard let old = changing.model else { continue }
      changing.evolve(&random)
      guard let new = changing.model else { continue }
      let changes = EntityOutline.changes(from: old.entityOutlines, to: new.entityOutlines)
      let named = Set(changes.compactMap(\.entityName))
      for name in Set(old.entities.map(\.name)).union(new.entities.map(\.name)) {
        let isEdited =
          old[name] != new[name]
          || Set(old.ownAttributes(of: name)) != Set(new.ownAttributes(of: name))
        #expect(named.contains(name) == isEdited, "seed \(seed), \(name)")
      }
      let isRehashed = old.entityVersionHashes != new.entityVersionHashes
      #expect(changes.contains(where: \.changesHash) == isRehashed, "seed \(seed)")
    }
  }
}
