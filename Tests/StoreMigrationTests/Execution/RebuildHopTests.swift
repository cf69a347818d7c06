import Files
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import Testing

@testable import StoreMigration

/// A checkpoint that is built as a fresh file: whose trees go over as they are.
@Suite struct RebuildHopTests {
  private static let first = "Item { name: String; tags ->> Tag.items } Tag { items ->> Item.tags }"
  private static let second =
    "Item { name: String; tags ->> Tag.items } Tag { items ->> Item.tags; color: Int32 = 1 }"

  private static let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b'), (3, 1, 1, 'c');
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1);
    INSERT INTO Z_1TAGS (Z_1ITEMS, Z_2TAGS) VALUES (1, 1), (2, 1), (3, 2)
    """

  private static let joinIndex = "Z_1TAGS_Z_2TAGS_INDEX"

  private static func hop(_ folder: String, proven: Set<String>) throws -> RebuildHop {
    let models = try [first, second].map { try ModelSketch.model($0) }
    let compiled = try CompiledHop(
      source: PhysicalSchema(model: models[0]),
      destination: PhysicalSchema(model: models[1]),
      mapping: #require(MappingInference.infer(from: models[0], to: models[1]).mapping),
      number: 1,
      mark: 1,
      modelCache: nil,
      externalData: folder,
      altering: nil
    )
    guard case .tables(let program) = compiled.program else { throw WrongProgram() }
    return RebuildHop(compiled: compiled, program: program, provenIndexes: proven)
  }

  private struct WrongProgram: Error {}

  private static func indexes(_ path: String) throws -> Set<String> {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    return Set(
      try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'index'")
        .compactMap { $0[0].text }
    )
  }

  /// A damaged index that is declared proven goes over with its damage, which shows that a tree did.
  @Test(arguments: [true, false])
  func `the tree of an index goes over where it is proven, and only there`(isSaidToBe: Bool) throws
  {
    try TemporaryFolder.with { folder in
      let (old, path, result) = (folder + "/o.sqlite", folder + "/a.sqlite", folder + "/b.sqlite")
      let model = try ModelSketch.model(Self.first)
      _ = try SketchedStore(model, rows: Self.rows, at: old)
      try FileSystem.copy(old, toNewFile: path)
      try SketchedStore.damage(path, "UPDATE Z_1TAGS SET Z_2TAGS = 2 WHERE Z_1ITEMS = 1")
      var pages = try PageSurgery(path)
      pages.take([try PageSurgery.root(of: Self.joinIndex, in: path)], from: try PageSurgery(old))
      try pages.save()
      var proven = try Self.indexes(path)
      if !isSaidToBe { proven.remove(Self.joinIndex) }
      try Self.hop(folder, proven: proven)
        .run(from: path, to: result, cancellation: Cancellation()) { _ in }
      let connection = try SQLiteConnection(path: result, access: .quiescent)
      #expect(try connection.faults().isEmpty)
      #expect(try connection.faults(isFull: true).isEmpty != isSaidToBe)
      #expect(try connection.count("SELECT COUNT(*) FROM Z_1TAGS NOT INDEXED") == 3)
    }
  }

  @Test func `an index that the source has not is made of the rows`() throws {
    try TemporaryFolder.with { folder in
      let (path, result) = (folder + "/a.sqlite", folder + "/b.sqlite")
      let model = try ModelSketch.model(Self.first)
      _ = try SketchedStore(model, rows: Self.rows, at: path)
      try SketchedStore.damage(path, "DROP INDEX \(Self.joinIndex)")
      try Self.hop(folder, proven: Self.indexes(path))
        .run(from: path, to: result, cancellation: Cancellation()) { _ in }
      #expect(try Self.indexes(result).contains(Self.joinIndex))
      let connection = try SQLiteConnection(path: result, access: .quiescent)
      #expect(try connection.faults(isFull: true).isEmpty)
    }
  }
}
