import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Notes v1 to v4 through v2 and v3, by the mapping models that lie with the models.
@Suite struct NotesSampleTests {
  /// An archive around the head of a PNG that says how large it is.
  private func image(width: UInt8, height: UInt8) throws -> String {
    let head: [UInt8] =
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]
      + Array("IHDR".utf8) + [0, 0, 0, width, 0, 0, 0, height, 8, 6, 0, 0, 0]
    let archive = try NSKeyedArchiver.archivedData(
      withRootObject: Data(head) as NSData,
      requiringSecureCoding: true
    )
    return "x'" + archive.map { String(format: "%02x", $0) }.joined() + "'"
  }

  /// Every third row of a table has no image, and the others one of two.
  private func images(_ table: String) throws -> String {
    """
    UPDATE \(table) SET ZIMAGE = CASE Z_PK % 3 WHEN 0 THEN NULL
    WHEN 1 THEN \(try image(width: 16, height: 9)) ELSE \(try image(width: 4, height: 3)) END;
    UPDATE ZNOTE SET ZBODY = 'The body of note ' || Z_PK || '. ' || \
    'It is long enough that a caption of eighty characters cannot hold it all.'
    """
  }

  @Test func `notes of version 1 arrive without attachments`() throws {
    try SampleWalk.with { walk in
      try walk.generate("Notes/v1", as: "N.sqlite")
      #expect(try walk.kinds("N.sqlite", to: "Notes/v4") == ["inferred", "authored", "authored"])
      let before = try walk.rows("N.sqlite", "SELECT Z_PK, ZTITLE, ZBODY FROM ZNOTE ORDER BY 1")
      try walk.runCustom("migrate", "N.sqlite", "--to", "Notes/v4")
      try walk.check("N.sqlite")
      let after = try walk.rows("N.sqlite", "SELECT Z_PK, ZTITLE, ZBODY FROM ZNOTE ORDER BY 1")
      #expect(after == before && before.count == 60)
      #expect(try walk.count("N.sqlite", "SELECT COUNT(*) FROM ZATTACHMENT") == 0)
    }
  }

  @Test func `each image of version 2 becomes an attachment of its note`() throws {
    try SampleWalk.with { walk in
      try walk.generate("Notes/v2", as: "N.sqlite", images("ZNOTE"))
      let wanted = try walk.rows(
        "N.sqlite",
        "SELECT Z_PK, ZIMAGE, ZDATECREATED FROM ZNOTE WHERE ZIMAGE IS NOT NULL ORDER BY 1"
      )
      #expect(wanted.count == 40)
      #expect(try walk.kinds("N.sqlite", to: "Notes/v4") == ["authored", "authored"])
      try walk.run("migrate", "N.sqlite", "--to", "Notes/v3", "-o", "N3.sqlite")
      try walk.check("N3.sqlite")
      let columns = "SELECT ZNOTE, ZIMAGE, ZDATECREATED FROM ZATTACHMENT ORDER BY 1"
      #expect(try walk.rows("N3.sqlite", columns) == wanted)
      try walk.runCustom("migrate", "N.sqlite", "--to", "Notes/v4")
      try walk.check("N.sqlite")
      #expect(try walk.rows("N.sqlite", columns) == wanted)
      try checkPolicy(walk, "N.sqlite", count: 40)
    }
  }

  @Test func `each attachment of version 3 gets a size and a caption`() throws {
    try SampleWalk.with { walk in
      try walk.generate("Notes/v3", rows: 120, as: "N.sqlite", images("ZATTACHMENT"))
      let columns = "SELECT Z_PK, ZNOTE, ZIMAGE FROM ZATTACHMENT ORDER BY 1"
      let wanted = try walk.rows("N.sqlite", columns)
      #expect(try walk.kinds("N.sqlite", to: "Notes/v4") == ["authored"])
      try walk.runCustom("migrate", "N.sqlite", "--to", "Notes/v4")
      try walk.check("N.sqlite")
      #expect(try walk.rows("N.sqlite", columns) == wanted)
      try checkPolicy(walk, "N.sqlite", count: 60)
    }
  }

  /// Checks the values that the policy fills in against SQL's own idea of them.
  private func checkPolicy(_ walk: SampleWalk, _ store: String, count: Int64) throws {
    let number = "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'ImageAttachment'"
    let all = "SELECT COUNT(*) FROM ZATTACHMENT a WHERE a.Z_ENT = (\(number))"
    #expect(try walk.count(store, all) == count)
    let sizes = try walk.rows(
      store,
      "SELECT ZWIDTH, ZHEIGHT, COUNT(*) FROM ZATTACHMENT GROUP BY 1, 2 ORDER BY 1"
    )
    #expect(sizes.map { Array($0.prefix(2)) }.contains([.real(16), .real(9)]))
    #expect(sizes.map { Array($0.prefix(2)) }.contains([.real(4), .real(3)]))
    #expect(sizes.count == (count == 60 ? 3 : 2), "\(sizes)")
    let caption = "(SELECT substr(n.ZBODY, 1, 80) FROM ZNOTE n WHERE n.Z_PK = a.ZNOTE)"
    #expect(try walk.count(store, all + " AND a.ZCAPTION IS \(caption)") == count)
    #expect(try walk.count(store, all + " AND LENGTH(a.ZCAPTION) = 80") > 0)
  }

  @Test func `a mapping model leaves nothing to clean up`() throws {
    try SampleWalk.with { walk in
      try walk.generate("Notes/v1", as: "N.sqlite")
      let run = try walk.run("migrate", "N.sqlite", "--to", "Notes/v3", "--defer-cleanup")
      #expect(run.output.contains("no column or table is left for later"))
      try walk.check("N.sqlite")
      #expect(try !walk.run("inspect", "N.sqlite").output.contains("pending"))
    }
  }

  @Test func `without the policy the run is refused before it begins`() throws {
    try SampleWalk.with { walk in
      try walk.generate("Notes/v3", as: "N.sqlite")
      let run = CommandRun("migrate", "N.sqlite", "--to", "Notes/v4", in: walk.folder)
      #expect(run.status != .success)
      #expect(run.errors.contains("ImageAttachmentPolicy"))
      #expect(try walk.run("inspect", "N.sqlite").output.contains("v3"))
    }
  }
}
