import MigrationPlanning
import ModelImport
import ObjectModel
import StoreAccess
import StoreMigration
import Synchronization
import Testing

/// Lookups by keys: of numbers that are equal and no others, and of one kind only.
@Suite struct `Keys that are looked up` {
  private static let mapping = """
    entities:
      - source: N
        join: {p: {entity: O, where: id, equals: 'KEY'}}
        attributes: {onm: $p.nm}
        relationships: {o: {lookup: {entity: O, where: id, equals: 'KEY'}}}
    """

  private func hop(_ key: String, _ id: String, _ wanted: String = "$source.k") throws -> HopRun {
    try HopRun(
      [
        "N { k: \(key)?; s: String? } O { id: \(id)?; nm: String? }",
        "N { k: \(key)?; s: String?; onm: String?; o -> O.ns } O { id: \(id)?; nm: String?; ns ->> N.o }",
      ],
      Self.mapping.replacing("KEY", with: wanted)
    )
  }

  @Test(arguments: [
    ("Decimal", "Decimal"), ("Int64", "Decimal"), ("Decimal", "Int64"), ("Int64", "Int64"),
  ])
  func `a great number finds the object that has it, and no other`(
    key: String,
    id: String
  ) throws {
    let statements = [
      "UPDATE ZN SET ZK = 9007199254740991 + Z_PK % 3",
      "UPDATE ZO SET ZID = 9007199254740994 - Z_PK, ZNM = 9007199254740994 - Z_PK WHERE Z_PK < 4",
      "UPDATE ZO SET ZID = NULL WHERE Z_PK > 3",
    ]
    var wrong: Int64?
    let check: (borrowing SQLiteConnection) throws -> Void = { connection in
      wrong = try connection.count(
        "SELECT COUNT(*) FROM ZN n LEFT JOIN ZO o ON o.Z_PK = n.ZO "
          + "WHERE o.ZID IS NOT n.ZK OR n.ZONM IS NOT CAST(n.ZK AS TEXT)"
      )
    }
    let (_, error) = try hop(key, id).run(statements, inspect: check)
    #expect(error == nil && wrong == 0, "\(String(describing: error))")
  }

  @Test func `a decimal that no column keeps finds nothing`() throws {
    let tiny = "CAST(\"0.1000000000000000000000001\", \"NSDecimalNumber\")"
    var linked: Int64?
    let check: (borrowing SQLiteConnection) throws -> Void = { connection in
      linked = try connection.count("SELECT COUNT(*) FROM ZN WHERE ZO IS NOT NULL")
    }
    let hop = try hop("Decimal", "Decimal", tiny)
    let (_, error) = try hop.run(["UPDATE ZO SET ZID = 0.1"], inspect: check)
    #expect(error == nil && linked == 0, "\(String(describing: error))")
  }

  /// The fault of a lookup, in any store.
  private func mistake(_ key: String, _ id: String, _ wanted: String) throws -> EvaluationError? {
    let versions = try hop(key, id).versions
    var check = ExpressionCheck(
      of: EntityMapping(mappingType: .copy, source: "N", destination: "N"),
      among: [],
      from: versions[0].model,
      to: versions[1].model
    )
    let links = versions[1].model.property("o", of: "N")?.property.relationship
    check.check(
      .destinationInstance(ofEntity: "O", where: "id", equals: try Expression(format: wanted)),
      for: try #require(links)
    )
    return check.mistake
  }

  @Test(arguments: [
    ("Int64", "String"), ("Date", "Double"), ("UUID", "String"), ("String", "Decimal"),
    ("Double", "Date"), ("String", "UUID"), ("Boolean", "String"), ("Binary", "String"),
  ])
  func `a key of another kind is refused`(key: String, id: String) throws {
    let mistake = try mistake(key, id, "$source.k")
    #expect(mistake?.code == .wrongKind && mistake?.message.hasPrefix("O.id is ") == true)
  }

  @Test(arguments: [
    ("Int16", "Decimal", "$source.k"), ("Boolean", "Int32", "$source.k"),
    ("Double", "Float", "$source.k"), ("String", "URI", "$source.k"),
    ("Int64", "String", "CAST($source.k, 'NSString')"),
    ("UUID", "String", "FUNCTION($source.k, 'UUIDString')"), ("Int64", "String", "nil"),
  ])
  func `a key of the same kind is not`(key: String, id: String, wanted: String) throws {
    #expect(try mistake(key, id, wanted) == nil)
  }

  @Test func `a run counts what only it can look up`() throws {
    let notes = Mutex<[String]>([])
    let hop = try hop("String", "String", "uppercase:($source.k)")
    let statements = [
      "UPDATE ZN SET ZK = CASE WHEN Z_PK < 4 THEN 'x' WHEN Z_PK < 9 THEN 'a' END",
      "UPDATE ZO SET ZID = 'A', ZNM = 'n'",
    ]
    let (_, error) = try hop.run(statements) { event in
      if case .noted(let text) = event { notes.withLock { $0.append(text) } }
    }
    #expect(error == nil)
    let missed = notes.withLock { $0 }.filter { $0.hasPrefix("WS422") }.sorted()
    #expect(
      missed == ["o", "onm"].map { "WS422: in N.\($0), 3 rows have a key that nothing has" }
    )
  }
}
