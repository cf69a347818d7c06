import ObjectModel
import StoreAccess
import Testing

/// The tables of to-many pairs, and the names that the model leaves open.
@Suite struct JoinNamesTests {
  typealias Parts = ModelParts

  /// A pair of inverse relationships inside one entity.
  private func friends(_ extra: String..., name: String = "Person") throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      Parts.entity("Album"),
      Parts.entity(
        name,
        extra.map { Parts.attribute($0) },
        [
          Parts.toMany("followers", name, inverse: "following"),
          Parts.toMany("following", name, inverse: "followers", isOrdered: true),
        ]
      ),
    ])
  }

  /// Two relationships to one entity whose inverses share a name.
  private func clash(sameMaster: Bool) throws -> ManagedObjectModel {
    func users(_ inverse: String) -> RelationshipDescription {
      Parts.toMany("users", "User", inverse: inverse)
    }
    // The master is the entity that comes first: User before the two, or after them.
    let (first, second) = sameMaster ? ("Zone", "Zoo") : ("Reaction", "System")
    return try ManagedObjectModel(entities: [
      Parts.entity(first, [], [users("firsts")]), Parts.entity(second, [], [users("seconds")]),
      Parts.entity(
        "User",
        [],
        [
          Parts.toMany("firsts", first, inverse: "users"),
          Parts.toMany("seconds", second, inverse: "users"),
        ]
      ),
    ])
  }

  @Test func `The entity met first names the table, ancestors before their children`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity("GenericAlbum", [], [Parts.toMany("lists", "List", inverse: "albums")]),
      Parts.entity("Album", below: "GenericAlbum"),
      Parts.entity("Band", [], [Parts.toMany("tapes", "List", inverse: "bands")]),
      Parts.entity(
        "List",
        [],
        [
          Parts.toMany("albums", "GenericAlbum", inverse: "lists", isOrdered: true),
          Parts.toMany("bands", "Band", inverse: "tapes"),
        ]
      ),
    ])
    let schema = PhysicalSchema(model: model)
    #expect(
      schema.joinTables.map(\.createSQL)
        == [
          "CREATE TABLE Z_1TAPES ( Z_1BANDS INTEGER, Z_4TAPES INTEGER, "
            + "PRIMARY KEY (Z_1BANDS, Z_4TAPES) )",
          "CREATE TABLE Z_2LISTS ( Z_2ALBUMS INTEGER, Z_4LISTS INTEGER, Z_FOK_2ALBUMS INTEGER, "
            + "PRIMARY KEY (Z_2ALBUMS, Z_4LISTS) )",
        ]
    )
    #expect(schema.unsettledNames.isEmpty)
    guard case .join(_, let own, let other, let order) = schema.storage(of: "albums", in: "List")
    else {
      Issue.record("List.albums is kept in a join table")
      return
    }
    #expect(own == "Z_4LISTS" && other == "Z_2ALBUMS" && order == "Z_FOK_2ALBUMS")
  }

  @Test func `Where only the case of names decides the order, the name is open`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity("Zoo", [], [Parts.toMany("apples", "apple", inverse: "zoos")]),
      Parts.entity("apple", [], [Parts.toMany("zoos", "Zoo", inverse: "apples")]),
    ])
    #expect(PhysicalSchema(model: model).unsettledNames.map(\.settler) == [.guess])
    let names = JoinNames(settledBy: ["Z_1ZOOS": []], model: model)
    let schema = PhysicalSchema(model: model, names: names)
    #expect(schema.joinTables.map(\.name) == ["Z_1ZOOS"])
    #expect(schema.unsettledNames.map(\.settler) == [.realStore])
  }

  @Test func `Both sides may be ordered`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity("A", [], [Parts.toMany("bs", "B", inverse: "as", isOrdered: true)]),
      Parts.entity("B", [], [Parts.toMany("as", "A", inverse: "bs", isOrdered: true)]),
    ])
    #expect(
      PhysicalSchema(model: model).joinTables[0].columns.map(\.name)
        == ["Z_1AS", "Z_2BS", "Z_FOK_1AS", "Z_FOK_2BS"]
    )
  }

  @Test func `A relationship that is its own inverse has a reflexive column`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity("Person", [], [Parts.toMany("twins", "Person", inverse: "twins")])
    ])
    let table = PhysicalSchema(model: model).joinTables[0]
    #expect(table.isReflexive)
    #expect(
      table.createSQL == "CREATE TABLE Z_1TWINS ( Z_1TWINS INTEGER, REFLEXIVE INTEGER, "
        + "PRIMARY KEY (Z_1TWINS, REFLEXIVE) )"
    )
    #expect(
      table.index.sql
        == "CREATE INDEX Z_1TWINS_REFLEXIVE_INDEX ON Z_1TWINS (REFLEXIVE, Z_1TWINS)"
    )
  }

  @Test(arguments: ["FOLLOWING", "FOLLOWERS"])
  func `A store settles which side names the table`(name: String) throws {
    let model = try friends()
    let guess = PhysicalSchema(model: model)
    #expect(guess.unsettledNames.map(\.settler) == [.guess])
    #expect(guess.unsettledNames.map(\.kind) == [.masterRelationship])
    let names = JoinNames(
      settledBy: ["Z_2" + name: ["Z_2FOLLOWERS", "Z_2FOLLOWING", "Z_FOK_2FOLLOWING"]],
      model: model,
      as: .sample
    )
    let schema = PhysicalSchema(model: model, names: names)
    #expect(schema.unsettledNames.map(\.settler) == [.sample])
    #expect(schema.joinTables.map(\.name) == ["Z_2" + name])
    // Whichever it is, a column is named after what leads to its keys.
    guard
      case .join(_, let own, let other, let order) = schema.storage(of: "following", in: "Person")
    else {
      Issue.record("Person.following is kept in a join table")
      return
    }
    #expect(own == "Z_2FOLLOWERS" && other == "Z_2FOLLOWING" && order == "Z_FOK_2FOLLOWING")
  }

  @Test func `A store without the table, or with both, settles nothing`() throws {
    let model = try friends()
    #expect(JoinNames(settledBy: [:], model: model).isEmpty)
    #expect(JoinNames(settledBy: ["Z_2FOLLOWERS": [], "Z_2FOLLOWING": []], model: model).isEmpty)
    #expect(JoinNames(settledBy: ["Z_1FOLLOWERS": []], model: model).isEmpty)
  }

  @Test func `Choices are carried while the entity keeps its properties`() throws {
    let source = try friends("name")
    let names = JoinNames(settledBy: ["Z_2FOLLOWERS": []], model: source)
    let same = names.carried(from: source, to: try friends("name"))
    let schema = PhysicalSchema(model: try friends("name"), names: same)
    #expect(schema.unsettledNames.map(\.settler) == [.unchangedPropertySet])
    #expect(schema.joinTables.map(\.name) == ["Z_2FOLLOWERS"])
    #expect(names.carried(from: source, to: try friends("name", "age")).isEmpty)
    #expect(names.carried(from: source, to: try friends("nick")).isEmpty)
    #expect(names.carried(from: source, to: try friends("name", name: "Human")).isEmpty)
    var renamed = try friends("name", name: "Human").entities
    renamed[1].renamingIdentifier = "Person"
    let human = try ManagedObjectModel(entities: renamed)
    // The destination and inverse have other names too, but the entity's own property set stayed.
    let carried = names.carried(from: source, to: human)
    #expect(PhysicalSchema(model: human, names: carried).joinTables.map(\.name) == ["Z_2FOLLOWERS"])
  }

  @Test(arguments: ["Z_2FOLLOWING", "Z_2FOLLOWERS"])
  func `A sample outranks what is carried, also where the two contradict each other`(
    table: String
  ) throws {
    let model = try friends()
    let sample = JoinNames(settledBy: ["Z_2FOLLOWING": []], model: model, as: .sample)
    let real = JoinNames(settledBy: [table: []], model: model)
    let carried = real.carried(from: model, to: model)
    let schema = PhysicalSchema(model: model, names: sample.filled(from: carried))
    #expect(schema.unsettledNames.map(\.settler) == [.sample])
    #expect(schema.joinTables.map(\.name) == ["Z_2FOLLOWING"])
  }

  @Test func `Columns of different masters get numbers in order`() throws {
    let schema = PhysicalSchema(model: try clash(sameMaster: false))
    #expect(schema.unsettledNames.isEmpty)
    #expect(
      schema.joinTables.map { [$0.name] + $0.columns.map(\.name) } == [
        ["Z_1USERS", "Z_1FIRSTS", "Z_3USERS"], ["Z_2USERS", "Z_2SECONDS", "Z_3USERS1"],
      ]
    )
    #expect(
      schema.joinTables[1].index.sql
        == "CREATE INDEX Z_2USERS_Z_3USERS1_INDEX ON Z_2USERS (Z_3USERS1, Z_2SECONDS)"
    )
  }

  @Test(arguments: [["", "1"], ["1", ""]])
  func `A store settles which column of one master gets a number`(suffixes: [String]) throws {
    let model = try clash(sameMaster: true)
    let guess = PhysicalSchema(model: model)
    #expect(guess.unsettledNames.map(\.kind) == [.columnSuffix, .columnSuffix])
    #expect(guess.unsettledNames.allSatisfy { $0.settler == .guess })
    let names = JoinNames(
      settledBy: [
        "Z_1FIRSTS": ["Z_1USERS" + suffixes[0], "Z_2FIRSTS"],
        "Z_1SECONDS": ["Z_1USERS" + suffixes[1], "Z_3SECONDS"],
      ],
      model: model
    )
    let schema = PhysicalSchema(model: model, names: names)
    #expect(schema.unsettledNames.map(\.columnName) == suffixes.map { "Z_1USERS" + $0 })
    #expect(schema.unsettledNames.allSatisfy { $0.settler == .realStore })
    let carried = PhysicalSchema(model: model, names: names.carried(from: model, to: model))
    #expect(carried.joinTables == schema.joinTables)
    #expect(carried.unsettledNames.allSatisfy { $0.settler == .unchangedPropertySet })
  }
}
