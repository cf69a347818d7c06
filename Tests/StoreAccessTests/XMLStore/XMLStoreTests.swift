import MigrationTestSupport
import ObjectModel
import StoreAccess
import Testing

/// Reading what a store of the XML kind has.
@Suite struct XMLStoreTests {
  private func thing(_ id: String, _ inside: String) -> String {
    "<object type=\"THING\" id=\"\(id)\">\(inside)</object>"
  }

  private func attribute(_ name: String, _ type: String, _ text: String) -> String {
    "<attribute name=\"\(name)\" type=\"\(type)\">\(text)</attribute>"
  }

  private static func counts(_ notes: [XMLStoreNote]) -> [XMLStoreNote.Kind: Int] {
    Dictionary(uniqueKeysWithValues: notes.map { ($0.kind, $0.count) })
  }

  private func value(
    _ name: String,
    _ type: String,
    _ text: String
  ) throws -> SQLiteValue? {
    try XMLStoreSketch(thing("z102", attribute(name.lowercased(), type, text))).with { store in
      let column = SQL.identifier("Z" + name.uppercased())
      return try store.connection.rows("SELECT \(column) FROM ZTHING WHERE Z_PK = 102").first?.first
    }
  }

  @Test func `values are read as the framework writes them`() throws {
    #expect(try value("int16", "int16", "-32768") == .integer(-32768))
    #expect(try value("int32", "int32", "16777216") == .integer(16_777_216))
    #expect(try value("int64", "int64", "-9223372036854775808") == .integer(.min))
    #expect(try value("isOpen", "bool", "1") == .integer(1))
    #expect(try value("size", "float", "3") == .real(3))
    #expect(try value("ratio", "double", "0.1") == .real(0.1))
    #expect(try value("ratio", "double", "inf") == .real(.infinity))
    #expect(try value("ratio", "double", "-inf") == .real(-.infinity))
    #expect(try value("price", "decimal", "12.50") == .real(12.5))
    let date = "259456952.88088399171829223633"
    #expect(try value("changedAt", "date", date) == .real(259_456_952.880884))
    #expect(
      try value("changedAt", "date", "445103622.00000000000000000000") == .integer(445_103_622)
    )
    #expect(try value("picture", "binary", "AAEC\nAwQ=\n") == .blob([0, 1, 2, 3, 4]))
    #expect(try value("attachment", "binary", "AAEC") == .blob([1, 0, 1, 2]))
    #expect(
      try value("identifier", "UUID", "00112233-4455-6677-8899-AABBCCDDEEFF")
        == .blob((0..<16).map { $0 * 0x11 })
    )
    #expect(
      try value("homePage", "URI", "https://a.example/?b\\u2600c")
        == .text("https://a.example/?b&c")
    )
    #expect(try value("title", "string", "") == .text(""))
  }

  @Test func `escapes and white space of text are read back`() throws {
    #expect(
      try value("title", "string", "\\u3c00b\\u3e00 \\u2600 \"x\" \n\ty \\q \\u12")
        == .text("<b> & \"x\" \n\ty \\q \\u12")
    )
    #expect(try value("title", "string", "&lt;&#233;&amp;") == .text("<é&"))
    #expect(try value("title", "string", " ⭐️Everythingsを ") == .text(" ⭐️Everythingsを "))
  }

  @Test func `what is absent is NULL`() throws {
    try XMLStoreSketch(
      thing("z7", "<relationship name=\"tags\" type=\"0/0\" destination=\"TAG\"/>")
    )
    .with { store in
      let row = try store.connection.rows("SELECT * FROM ZTHING")
      #expect(row.first?.filter { !$0.isNull }.count == 3)
    }
  }

  @Test func `an identifier of another form numbers all objects`() throws {
    try XMLStoreSketch(
      thing("atom0", attribute("title", "string", "a")),
      thing(
        "z9",
        "<relationship name=\"twin\" type=\"1/1\" destination=\"THING\" idrefs=\"atom0\"/>"
      )
    ).with { store in
      let rows = try store.connection.rows("SELECT Z_PK, ZTWIN FROM ZTHING ORDER BY Z_PK")
      // The other end is filled in.
      #expect(rows == [[1, 2], [2, 1]])
    }
  }

  @Test func `not a number becomes NULL, and is noted`() throws {
    try XMLStoreSketch(thing("z1", attribute("ratio", "double", "nan"))).with { store in
      let rows = try store.connection.rows("SELECT ZRATIO FROM ZTHING")
      #expect(rows == [[nil]])
      #expect(store.conversion.map { Self.counts($0.notes) } == [.notANumber: 1])
    }
  }

  @Test func `a decimal that is not a number stays one`() throws {
    try XMLStoreSketch(thing("z1", attribute("price", "decimal", "NaN"))).with { store in
      let rows = try store.connection.rows("SELECT ZPRICE FROM ZTHING")
      #expect(rows == [["NaN"]] && store.conversion?.notes.isEmpty == true)
    }
  }

  @Test func `a decimal number of too many digits is rounded, and noted`() throws {
    let digits = "12345678901234567890.123456789"
    try XMLStoreSketch(thing("z1", attribute("price", "decimal", digits))).with { store in
      #expect(store.conversion.map { Self.counts($0.notes) } == [.rounded: 1])
    }
  }

  @Test(arguments: [
    #"\u0026"#, #"{"t":"caf\u00e9 \ud83d\ude00"}"#, #"C:\udata\ubabe"#, #"\u3dd8"#, #"\u+123 \u12"#,
  ])
  func `what only looks like an escape stays as it is written, and is noted`(
    _ text: String
  ) throws {
    try XMLStoreSketch(thing("z1", attribute("title", "string", text))).with { store in
      let kept = try store.connection.text("SELECT ZTITLE FROM ZTHING")
      #expect(kept == text)
      let noted = text.contains("+") ? [:] : [XMLStoreNote.Kind.doubtfulEscape: 1]
      #expect(store.conversion.map { Self.counts($0.notes) } == noted)
    }
  }

  @Test(arguments: [["z1 z2", "z3 z2"], ["z1 z2", "z2 z3"], ["z1 z3", "z2 z3"]])
  func `one-to-one links that contradict each other are refused`(_ links: [String]) throws {
    let objects = ["z1", "z2", "z3"].map { id in
      let other = links.first { $0.hasPrefix(id + " ") }?.dropFirst(3)
      return thing(
        id,
        other.map {
          "<relationship name=\"twin\" type=\"1/1\" destination=\"THING\" idrefs=\"\($0)\"/>"
        } ?? ""
      )
    }
    var sketch = try XMLStoreSketch()
    sketch.objects = objects
    let error = try #require(sketch.error)
    #expect(error.code == .damaged && error.message.contains("twin"), "\(error)")
  }

  @Test func `an encoding other than UTF-8 is refused`() throws {
    for (encoding, isRead) in [("UTF-8", true), ("us-ascii", true), ("ISO-8859-1", false)] {
      try TemporaryFolder.with { folder in
        let text = try XMLStoreSketch(thing("z1", "")).text.replacing(
          #"<?xml version="1.0"?>"#,
          with: "<?xml version='1.0' encoding='\(encoding)'?>"
        )
        try TemporaryFolder.write(Array(text.utf8), to: folder + "/a.xml")
        let model = try XMLStoreSketch.model()
        do {
          _ = try PersistentStore.open(folder + "/a.xml", by: model, scratchFolder: folder)
          #expect(isRead)
        } catch let error as StoreAccessError {
          #expect(!isRead && error.message.contains(encoding), "\(error)")
        }
      }
    }
  }

  @Test(arguments: [true, false], [true, false])
  func `a store in UTF-16 is known for one, and refused`(
    isBigEndian: Bool,
    isMarked: Bool
  ) throws {
    let text = (isMarked ? "\u{feff}" : "") + (try XMLStoreSketch(thing("z1", "")).text)
    let bytes = text.utf16.flatMap { unit -> [UInt8] in
      let pair = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
      return isBigEndian ? pair : pair.reversed()
    }
    #expect(OtherStoreKind(bytes) == .xml)
    try TemporaryFolder.with { folder in
      try TemporaryFolder.write(bytes, to: folder + "/a.xml")
      let model = try XMLStoreSketch.model()
      let error = #expect(throws: StoreAccessError.self) {
        _ = try PersistentStore.open(folder + "/a.xml", by: model, scratchFolder: folder)
      }
      #expect(error?.message.contains("UTF-16") == true, "\(error.debugDescription)")
    }
  }

  @Test func `links that one end alone states are kept and noted`() throws {
    try XMLStoreSketch(
      thing(
        "z1",
        "<relationship name=\"tags\" type=\"0/0\" destination=\"TAG\" idrefs=\"z5 z6\"/>"
      ),
      thing(
        "z2",
        "<relationship name=\"owner\" type=\"1/1\" destination=\"OWNER\" idrefs=\"z9\"/>"
      ),
      thing("z3", ""),
      "<object type=\"OWNER\" id=\"z9\"><relationship name=\"things\" type=\"0/0\" "
        + "destination=\"THING\" idrefs=\"z3\"/></object>",
      "<object type=\"TAG\" id=\"z5\"/>",
      "<object type=\"TAG\" id=\"z6\"><relationship name=\"things\" type=\"0/0\" "
        + "destination=\"THING\" idrefs=\"z3 z1\"/></object>"
    ).with { store in
      let owners = try store.connection.rows(
        "SELECT Z_PK, ZOWNER, Z_FOK_OWNER FROM ZTHING ORDER BY Z_PK"
      )
      #expect(owners == [[1, nil, nil], [2, 9, 3072], [3, 9, 2048]])
      let join = try #require(
        PhysicalSchema(model: XMLStoreSketch.model()).joinTables.first {
          $0.name.hasSuffix("TAGS") || $0.columns.contains { $0.name.hasSuffix("TAGS") }
        }
      )
      let count = try store.connection.integer("SELECT COUNT(*) FROM \(join.name)")
      #expect(count == 3)
      #expect(store.conversion.map { Self.counts($0.notes) } == [.oneEndedLink: 4])
    }
  }

  @Test func `the copy is removed with its last owner`() throws {
    try TemporaryFolder.with { folder in
      try TemporaryFolder.write(Array(XMLStoreSketch().text.utf8), to: folder + "/a.xml")
      var copy: XMLStoreCopy? = try XMLStoreCopy(
        of: folder + "/a.xml",
        by: XMLStoreSketch.model(),
        in: folder
      )
      #expect(TemporaryFolder.names(in: folder).count == 2)
      copy = nil
      #expect(copy == nil && TemporaryFolder.names(in: folder) == ["a.xml"])
    }
  }
}
