import StoreAccess
import StoreMigration
import Testing

/// The sources of each object, as they are written in groups.
@Suite struct AssociationTableTests {
  /// Whether mapping and entities change from one association to the next: `alternating` groups have nothing
  /// in common, and `late` ones differ in their last.
  enum Kind: CaseIterable {
    case alike, alternating, late
  }

  @Test(arguments: Kind.allCases)
  func `every association is found again, whatever its group has in common`(kind: Kind) throws {
    let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
    let table = AssociationTable(database: PreparedDatabase(connection), schema: "main")
    try table.create()
    func numbers(_ key: Int64) -> (mapping: Int, source: Int64, destination: Int64) {
      switch kind {
      case .alike: (3, 5, 7)
      case .alternating: (Int(key % 2), 5 + key % 3, 7 + key % 5)
      case .late: key % 32 == 0 ? (4, 6, 8) : (3, 5, 7)
      }
    }
    // Three whole groups, and some.
    for key in Int64(1)...100 {
      let (mapping, source, destination) = numbers(key)
      for _ in 0..<2 {
        try table.insert(
          mapping: mapping,
          source: .init(entity: source, key: key),
          destination: .init(entity: destination, key: 1_000 - key)
        )
      }
    }
    for key in Int64(1)...100 {
      let (mapping, source, destination) = numbers(key)
      let found = try table.destinations(
        mapping: mapping,
        source: .init(entity: source, key: key)
      )
      #expect(found == [.init(entity: destination, key: 1_000 - key)])
    }
  }
}
