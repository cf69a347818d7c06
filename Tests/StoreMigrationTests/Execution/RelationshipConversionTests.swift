import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Models of two entities that differ in how A's `r` and B's `i` lead to each other.
struct Conversion: Sendable, CustomTestStringConvertible {
  let from: (r: String, i: String)
  let to: (r: String, i: String)
  /// Whether links are expected to stay as they are.
  var keepsAll = true

  var testDescription: String { "\(from.r) / \(from.i) to \(to.r) / \(to.i)" }

  static func model(_ pair: (r: String, i: String)) -> String {
    "A { name: String?; r \(pair.r) } B { title: String?; \(pair.i.isEmpty ? "" : "i \(pair.i)") }"
  }

  static let oneToOne = (r: "-> B.i", i: "-> A.r")
  static let oneToMany = (r: "->> B.i", i: "-> A.r")
  static let oneToManyOrdered = (r: "->> B.i ordered", i: "-> A.r")
  static let manyToOne = (r: "-> B.i", i: "->> A.r")
  static let manyToMany = (r: "->> B.i", i: "->> A.r")
  static let manyToManyOrdered = (r: "->> B.i ordered", i: "->> A.r")
  static let manyToManyBothOrdered = (r: "->> B.i ordered", i: "->> A.r ordered")
  static let oneSided = (r: "->> B", i: "")
  static let oneSidedOrdered = (r: "->> B ordered", i: "")
  static let toOneAlone = (r: "-> B", i: "")

  static let lossless = [
    Conversion(from: oneToOne, to: oneToMany), Conversion(from: oneToOne, to: manyToOne),
    Conversion(from: oneToOne, to: manyToMany), Conversion(from: oneToMany, to: manyToMany),
    Conversion(from: oneToMany, to: manyToManyOrdered),
    Conversion(from: oneToMany, to: oneToManyOrdered),
    Conversion(from: oneToManyOrdered, to: oneToMany),
    Conversion(from: oneToManyOrdered, to: manyToManyOrdered),
    Conversion(from: oneToManyOrdered, to: manyToManyBothOrdered),
    Conversion(from: manyToOne, to: manyToMany),
    Conversion(from: manyToMany, to: manyToManyBothOrdered),
    Conversion(from: manyToManyBothOrdered, to: manyToMany),
    Conversion(from: manyToManyOrdered, to: manyToManyBothOrdered),
    Conversion(from: oneSided, to: oneToMany), Conversion(from: oneToMany, to: oneSided),
    Conversion(from: oneSidedOrdered, to: oneToManyOrdered),
    Conversion(from: oneSided, to: manyToMany), Conversion(from: toOneAlone, to: manyToOne),
    Conversion(from: manyToOne, to: toOneAlone), Conversion(from: toOneAlone, to: manyToMany),
  ]

  static let narrowing = [
    Conversion(from: oneToMany, to: oneToOne), Conversion(from: manyToMany, to: oneToMany),
    Conversion(from: manyToMany, to: oneToOne), Conversion(from: manyToManyOrdered, to: manyToOne),
    Conversion(from: manyToMany, to: manyToOne), Conversion(from: manyToOne, to: oneToOne),
    // An inverse that is new holds one link only.
    Conversion(from: toOneAlone, to: oneToOne), Conversion(from: toOneAlone, to: oneToMany),
  ]
}

@Suite struct RelationshipConversionTests {
  @Test(arguments: Conversion.lossless)
  func `every link and its order is carried`(_ conversion: Conversion) throws {
    try SketchedStep.run(
      Conversion.model(conversion.from),
      Conversion.model(conversion.to)
    ) { step in
      let before = try step.links("A", "r", after: false)
      let after = try step.links("A", "r", after: true)
      #expect(!before.isEmpty)
      #expect(Set(before.map { $0.prefix(2) }) == Set(after.map { $0.prefix(2) }))
      if conversion.from.r.contains("ordered"), conversion.to.r.contains("ordered") {
        #expect(before == after)
      }
      if conversion.to.r.contains("ordered") { try expectDistinctOrder(step) }
      guard !conversion.to.i.isEmpty else { return }
      let inverse = try step.links("B", "i", after: true)
      #expect(Set(inverse.map { [$0[1], $0[0]] }) == Set(after.map { Array($0.prefix(2)) }))
    }
  }

  @Test(arguments: Conversion.narrowing)
  func `a to-one keeps the first link, and both sides agree`(_ conversion: Conversion) throws {
    let error = #expect(throws: MigrationError.self) {
      try SketchedStep.run(
        Conversion.model(conversion.from),
        Conversion.model(conversion.to),
        prepare: { connection in
          if conversion.from.i == Conversion.oneToMany.i {
            try connection.execute("UPDATE ZB SET ZI = 1 WHERE Z_PK <= 3")
          } else if !conversion.from.r.contains("->>") {
            try connection.execute("UPDATE ZA SET ZR = 1 WHERE Z_PK <= 3")
          }
        }
      ) { _ in }
    }
    #expect(error?.message.contains("WS317") == true)
    try SketchedStep.run(
      Conversion.model(conversion.from),
      Conversion.model(conversion.to),
      configure: { $0.settings.acceptsChangedValues = true }
    ) { step in
      let before = Set(try step.links("A", "r", after: false).map { Array($0.prefix(2)) })
      let after = Set(try step.links("A", "r", after: true).map { Array($0.prefix(2)) })
      #expect(!after.isEmpty && after.isSubset(of: before))
      let inverse = try step.links("B", "i", after: true)
      #expect(Set(inverse.map { [$0[1], $0[0]] }) == after)
      if !conversion.to.r.contains("->>") { #expect(Set(after.map { $0[0] }).count == after.count) }
      if !conversion.to.i.contains("->>") { #expect(Set(after.map { $0[1] }).count == after.count) }
    }
  }

  @Test(arguments: [Conversion.oneToOne, Conversion.oneToMany])
  func `a new inverse holds all links where no two lead to one object`(_ to: (r: String, i: String))
    throws
  {
    try SketchedStep.run(
      Conversion.model(Conversion.toOneAlone),
      Conversion.model(to),
      prepare: { try $0.execute("UPDATE ZA SET ZR = CASE WHEN Z_PK % 4 > 0 THEN Z_PK END") }
    ) { step in
      let before = try step.links("A", "r", after: false)
      #expect(before.count > 10)
      #expect(try step.links("A", "r", after: true) == before)
      #expect(Set(try step.links("B", "i", after: true).map { [$0[1], $0[0]] }) == before)
    }
  }

  @Test(arguments: [false, true])
  func `relationships that become each other's inverse must agree`(doAgree: Bool) throws {
    let agree = "UPDATE ZB SET ZA = (SELECT a.Z_PK FROM ZA a WHERE a.ZB = ZB.Z_PK)"
    let error = try #require(throws: (any Error).self) {
      try SketchedStep.run(
        "A { b -> B } B { a -> A }",
        "A { b -> B.a } B { a -> A.b }",
        prepare: { store in
          try store.execute("UPDATE ZA SET ZB = Z_PK")
          try store.execute(doAgree ? agree : "UPDATE ZB SET ZA = 1")
        }
      ) { step in
        #expect(try step.links("A", "b", after: true).count > 10)
        throw CancellationError()
      }
    }
    if doAgree {
      #expect(error is CancellationError, "\(error)")
    } else {
      #expect((error as? MigrationError)?.message.contains("WS329") == true, "\(error)")
    }
  }

  /// The number of the entity beside the key goes with the link that finds no place.
  @Test func `a to-one between an entity and its subentity keeps the first link`() throws {
    let models = ["->>", "->"].map { "E { a: String?; y \($0) F.x } F : E { x -> E.y }" }
    try SketchedStep.run(
      models[0],
      models[1],
      configure: { $0.settings.acceptsChangedValues = true },
      prepare: { try $0.execute("UPDATE ZE SET ZX = 1, Z1_X = 1 WHERE ZX IS NOT NULL") }
    ) { step in
      #expect(try step.links("F", "x", after: false).count > 1)
      let after = try step.links("F", "x", after: true)
      #expect(after.count == 1)
      #expect(Set(try step.links("E", "y", after: true).map { [$0[1], $0[0]] }) == after)
    }
  }

  @Test(arguments: [Conversion.manyToOne, Conversion.oneToMany])
  func `what only one side of a one-to-one holds is carried`(_ to: (r: String, i: String)) throws {
    try SketchedStep.run(
      Conversion.model(Conversion.oneToOne),
      Conversion.model(to),
      prepare: { connection in
        try connection.execute("UPDATE ZA SET ZR = NULL WHERE Z_PK % 3 = 0")
        try connection.execute("UPDATE ZB SET ZI = NULL WHERE Z_PK % 3 = 1")
      }
    ) { step in
      let own = try step.links("A", "r", after: false)
      let inverse = Set(try step.links("B", "i", after: false).map { [$0[1], $0[0]] })
      let after = try step.links("A", "r", after: true)
      #expect(own != inverse)
      #expect(after == own.union(inverse))
    }
  }

  /// Order keys are distinct within each owner, or the list would have no order.
  private func expectDistinctOrder(_ step: SketchedStep) throws {
    let store = try PersistentStore(reading: step.after)
    let schema = PhysicalSchema(model: step.destination)
    let (table, owner, order): (String, String, String?) =
      switch try #require(schema.storage(of: "r", in: "A")) {
      case .inverseKey(let table, let key, let order), .ownerKey(let table, let key, let order):
        (table, key, order)
      case .join(let join, let own, _, let order): (join.name, own, order)
      case .key(let table, let key, _, let order): (table, key, order)
      }
    let column = try #require(order)
    let clashes = try store.connection.integer(
      "SELECT COUNT(*) FROM (SELECT 1 FROM \(table) WHERE \(owner) IS NOT NULL "
        + "GROUP BY \(owner), \(column) HAVING COUNT(*) > 1 OR \(column) IS NULL)"
    )
    #expect(clashes == 0)
  }
}
