import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// A store of two versions that no app should have, and the one answer about it.
struct AwkwardStore: Sendable, CustomTestStringConvertible {
  /// A change of the store's file that no SQL makes.
  enum Damage: Sendable {
    case sql(String)
    /// Other content instead.
    case bytes([UInt8])
    /// The first bytes alone.
    case cut(Int)
    /// Zeros in place of all pages but the first.
    case zeros
    /// A file beside it.
    case beside(String, [UInt8])
  }

  let testDescription: String
  var before = Self.base
  var after = Self.base + Self.new
  var hop: String?
  let damage: Damage
  /// The code of the refusal, or of the error that keeps the store from being read; nil where a run takes it.
  let code: String?
  /// The version that the store is of.
  var from = "v1"
  /// The version that is wanted.
  var to = "v2"
  /// Whether the models lack the store's version.
  var isForgotten = false

  static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#
  }

  static func entity(_ name: String, _ parts: String..., more: String = "") -> String {
    #"<entity name="\#(name)" syncable="YES" \#(more)>\#(parts.joined())</entity>"#
  }

  static func a(_ type: String, _ more: String = "") -> String {
    entity("A", attribute("x", type, more), attribute("t", "String"), toB) + b
  }

  /// An entity with two subentities.
  private static func family(parent: String, first: String) -> String {
    entity("P", attribute("n", "String"), parent)
      + entity("C", first, more: #"parentEntity="P""#) + entity("D", more: #"parentEntity="P""#)
  }

  static let toB =
    #"<relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" "#
    + #"destinationEntity="B" inverseName="as" inverseEntity="B"/>"#
  static let toA =
    #"<relationship name="as" optional="YES" toMany="YES" deletionRule="Nullify" "#
    + #"destinationEntity="A" inverseName="b" inverseEntity="A"/>"#
  static let b = entity("B", attribute("u", "String"), toA)
  static let base = a("Integer 32")
  static let new = entity("C", attribute("c", "String"))
  private static let unique =
    #"<uniquenessConstraints><uniquenessConstraint><constraint value="t"/>"#
    + "</uniquenessConstraint></uniquenessConstraints>"
  private static let uniqueBase = entity(
    "A",
    attribute("x", "Integer 32"),
    attribute("t", "String"),
    toB,
    unique
  )
  private static let needed =
    entity("A", #"<attribute name="x" attributeType="Integer 32"/>"#, attribute("t", "String"), toB)
    + b
  private static let xml =
    #"<?xml version="1.0"?><!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">"#
    + "<database><databaseInfo><version>134481920</version></databaseInfo></database>"

  static let all: [AwkwardStore] = rows + hops + tables + files

  /// An entity with a derived attribute, whose name and type no version hash sees.
  private static func derived(_ name: String, _ type: String) -> String {
    entity(
      "A",
      attribute("x", "Integer 32"),
      attribute(name, type, #"derived="YES" derivationExpression="x""#)
    )
  }

  private static let rows: [AwkwardStore] = [
    AwkwardStore(
      testDescription: "a derived attribute of another name, and equal hashes",
      before: derived("old", "Integer 32"),
      after: derived("new", "Integer 32"),
      damage: .sql("UPDATE ZA SET Z_OPT = 2"),
      code: "WS340"
    ),
    AwkwardStore(
      testDescription: "a derived attribute of another type, and equal hashes",
      before: derived("old", "Integer 32"),
      after: derived("old", "Double"),
      damage: .sql("UPDATE ZA SET Z_OPT = 2"),
      code: "WS340"
    ),
    AwkwardStore(testDescription: "a sound store", damage: .sql(""), code: nil),
    AwkwardStore(
      testDescription: "an empty store",
      damage: .sql("DELETE FROM ZA; DELETE FROM ZB"),
      code: nil
    ),
    AwkwardStore(
      testDescription: "text in a number that becomes wider",
      before: a("Integer 16"),
      after: a("Double"),
      damage: .sql("UPDATE ZA SET ZX = 'abc' WHERE Z_PK = 2"),
      code: "WS523"
    ),
    AwkwardStore(
      testDescription: "a number that is too large for a narrower type",
      after: a("Integer 16"),
      damage: .sql("UPDATE ZA SET ZX = 70000 WHERE Z_PK = 2"),
      code: "WS310"
    ),
    AwkwardStore(
      testDescription: "no value for what becomes required",
      after: needed,
      damage: .sql("UPDATE ZA SET ZX = NULL WHERE Z_PK = 3"),
      code: "WS313"
    ),
    AwkwardStore(
      testDescription: "duplicates under a new uniqueness constraint",
      after: uniqueBase + b,
      damage: .sql("UPDATE ZA SET ZT = 'a'"),
      code: "WS314"
    ),
    AwkwardStore(
      testDescription: "duplicates where a unique index is gone",
      before: uniqueBase + b,
      after: uniqueBase + b + new,
      damage: .sql("DROP INDEX Z_A_UNIQUE_t; UPDATE ZA SET ZT = 'a'"),
      code: "WS609"
    ),
    AwkwardStore(
      testDescription: "a to-many that becomes a to-one",
      after: entity("A", attribute("x", "Integer 32"), attribute("t", "String"), toB)
        + entity(
          "B",
          attribute("u", "String"),
          toA.replacing(#"toMany="YES""#, with: #"maxCount="1""#)
        ),
      damage: .sql("UPDATE ZA SET ZB = 1"),
      code: "WS317"
    ),
    AwkwardStore(
      testDescription: "a missing external file",
      before: a("Binary", #"allowsExternalBinaryDataStorage="YES""#),
      after: a("Binary"),
      damage: .sql("UPDATE ZA SET ZX = x'0742'"),
      code: "WS323"
    ),
    AwkwardStore(
      testDescription: "a link to a row that is not there",
      damage: .sql("UPDATE ZA SET ZB = 99 WHERE Z_PK = 1"),
      code: nil
    ),
    AwkwardStore(
      testDescription: "a value of another subentity that the new version shows",
      before: family(parent: "", first: attribute("r", "String")),
      after: family(parent: attribute("r", "String"), first: ""),
      damage: .sql(
        "UPDATE ZP SET ZR = 'r' WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'D')"
      ),
      code: "WS524"
    ),
    AwkwardStore(
      testDescription: "a value of another subentity that no version shows",
      before: family(parent: "", first: attribute("r", "String")),
      after: family(parent: "", first: attribute("r", "String")) + entity("E"),
      damage: .sql(
        "UPDATE ZP SET ZR = 'r' WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'D')"
      ),
      code: nil
    ),
    AwkwardStore(
      testDescription: "a number that is no integer in a column of integers that becomes decimal",
      before: a("Integer 16"),
      after: a("Decimal"),
      damage: .sql("UPDATE ZA SET ZX = 1e300 WHERE Z_PK = 1"),
      code: "WS523"
    ),
    AwkwardStore(
      testDescription: "infinity in a column of integers that becomes double",
      before: a("Integer 64"),
      after: a("Double"),
      damage: .sql("UPDATE ZA SET ZX = 9e999 WHERE Z_PK = 1"),
      code: "WS310"
    ),
    AwkwardStore(
      testDescription: "entity numbers of no entity",
      damage: .sql("UPDATE ZA SET Z_ENT = 99 WHERE Z_PK = 1"),
      code: "WS524"
    ),
    AwkwardStore(
      testDescription: "another entity's name in Z_PRIMARYKEY",
      damage: .sql("UPDATE Z_PRIMARYKEY SET Z_NAME = 'B' WHERE Z_NAME = 'A'"),
      code: "WS524"
    ),
    AwkwardStore(
      testDescription: "keys above Z_MAX",
      damage: .sql("UPDATE Z_PRIMARYKEY SET Z_MAX = 1"),
      code: nil
    ),
  ]

  private static let tables: [AwkwardStore] = [
    AwkwardStore(
      testDescription: "a missing table",
      damage: .sql("DROP TABLE ZB"),
      code: "damaged"
    ),
    AwkwardStore(
      testDescription: "a missing column",
      damage: .sql("ALTER TABLE ZA DROP COLUMN ZT"),
      code: "damaged"
    ),
    AwkwardStore(
      testDescription: "a column of somebody else's with values",
      damage: .sql("ALTER TABLE ZA ADD COLUMN MINE; UPDATE ZA SET MINE = 1"),
      code: "WS525"
    ),
    AwkwardStore(
      testDescription: "a column of somebody else's without values",
      damage: .sql("ALTER TABLE ZA ADD COLUMN MINE"),
      code: nil
    ),
    AwkwardStore(
      testDescription: "a generated column",
      damage: .sql("ALTER TABLE ZA ADD COLUMN G INTEGER GENERATED ALWAYS AS (ZX + 1) VIRTUAL"),
      code: "WS505"
    ),
    AwkwardStore(
      testDescription: "a table without its primary key",
      damage: .sql(
        "ALTER TABLE ZB RENAME TO OLD; CREATE TABLE ZB (Z_PK INTEGER, Z_ENT INTEGER, "
          + "Z_OPT INTEGER, ZU VARCHAR); INSERT INTO ZB SELECT Z_PK, Z_ENT, Z_OPT, ZU FROM OLD; "
          + "DROP TABLE OLD"
      ),
      code: "WS505"
    ),
    AwkwardStore(
      testDescription: "a table of Core Data's shape that no model explains",
      damage: .sql(
        "CREATE TABLE ZC (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZC VARCHAR)"
      ),
      code: "WS505"
    ),
    AwkwardStore(
      testDescription: "a view in place of a table",
      damage: .sql("ALTER TABLE ZB RENAME TO OLD; CREATE VIEW ZB AS SELECT * FROM OLD"),
      code: "damaged"
    ),
    AwkwardStore(
      testDescription: "a trigger on a table of an entity",
      damage: .sql("CREATE TRIGGER own AFTER INSERT ON ZA BEGIN DELETE FROM ZB; END"),
      code: nil
    ),
    AwkwardStore(
      testDescription: "a table of the app's own",
      damage: .sql("CREATE TABLE own (a); INSERT INTO own VALUES (1)"),
      code: nil
    ),
    AwkwardStore(
      testDescription: "no Z_METADATA",
      damage: .sql("DROP TABLE Z_METADATA"),
      code: "notAStore"
    ),
    AwkwardStore(
      testDescription: "metadata that is NULL",
      damage: .sql("UPDATE Z_METADATA SET Z_PLIST = NULL"),
      code: "nullMetadata"
    ),
    AwkwardStore(
      testDescription: "a version that no archive has",
      damage: .sql("DELETE FROM Z_MODELCACHE"),
      code: "unknownStoreVersion",
      isForgotten: true
    ),
    AwkwardStore(
      testDescription: "a store that is newer than what is wanted",
      damage: .sql(""),
      code: "downgrade",
      from: "v2",
      to: "v1"
    ),
  ]

  private static let files: [AwkwardStore] = [
    AwkwardStore(testDescription: "a file of zero bytes", damage: .bytes([]), code: "notAStore"),
    AwkwardStore(
      testDescription: "an encrypted file",
      damage: .bytes((0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) }),
      code: "notAStore"
    ),
    AwkwardStore(
      testDescription: "a store of the XML kind without an identifier",
      damage: .bytes(Array(xml.utf8)),
      code: "damaged"
    ),
    AwkwardStore(
      testDescription: "a store of the binary kind",
      damage: .bytes(Array("bplist00".utf8) + [UInt8](repeating: 8, count: 200)),
      code: "unsupported"
    ),
    AwkwardStore(testDescription: "a store that is cut off", damage: .cut(8192), code: "damaged"),
    AwkwardStore(testDescription: "pages of zeros", damage: .zeros, code: "damaged"),
    AwkwardStore(
      testDescription: "a log that is none",
      damage: .beside("-wal", Array("nothing of SQLite's".utf8)),
      code: nil
    ),
  ]

  /// Makes the store, `in/s.sqlite`, and the models, `Library.xcdatamodeld`, in a folder.
  func write(in folder: String) throws {
    let versions = [("v1", before), ("v2", after)]
    try SketchedModel.write(versions, into: folder)
    if let hop {
      let text = "from: v1\nto: v2\nentities:\n" + hop
      try SketchedModel.write(text, to: "\(folder)/v1-to-v2.hop.yml")
    }
    let store = "\(folder)/in/s.sqlite"
    try FileManager.default.createDirectory(
      atPath: "\(folder)/in",
      withIntermediateDirectories: false
    )
    let made = CommandRun(
      ["generate", from, "--rows", "8", "--seed", "3", "-o", store, "--models", folder],
      in: folder
    )
    try #require(made.status == .success, "\(made.errors)")
    if isForgotten {
      try SketchedModel.write([("v2", Self.a("Double"))], into: "\(folder)/Rest")
    }
    switch damage {
    case .sql(let script):
      try AppDatabase.run(store, script + "; PRAGMA wal_checkpoint(TRUNCATE)")
    case .bytes(let bytes): try TemporaryFolder.write(bytes, to: store)
    case .cut(let count):
      let bytes = try #require(TemporaryFolder.bytes(of: store))
      try TemporaryFolder.write(Array(bytes.prefix(count)), to: store)
    case .zeros:
      let bytes = try #require(TemporaryFolder.bytes(of: store))
      let rest = [UInt8](repeating: 0, count: bytes.count - 4096)
      try TemporaryFolder.write(Array(bytes.prefix(4096)) + rest, to: store)
    case .beside(let suffix, let bytes): try TemporaryFolder.write(bytes, to: store + suffix)
    }
  }

  /// The folder of models that the verbs are given.
  func models(in folder: String) -> String { isForgotten ? "\(folder)/Rest" : folder }
}
