import Foundation
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing
import Waystone

/// Dumps of stores with odd values, names and neighbours.
@Suite struct AwkwardDumpTests {
  @Test func `what is not as the model has it is written as stored, and counted without a value`()
    throws
  {
    try SampleStore.with("Letters", "v2", rows: 200) { sample in
      try sample.change(
        """
        UPDATE ZLETTER SET ZPAGES = 'secret' WHERE Z_PK IN (1, 2);
        UPDATE ZLETTER SET ZWRITTENON = 1e300 WHERE Z_PK = 3;
        UPDATE ZLETTER SET ZTOPIC = 9999 WHERE Z_PK = 4;
        UPDATE ZLETTER SET ZTOPIC = 'x' WHERE Z_PK = 5;
        UPDATE ZENCLOSURE SET ZPICTURE = CAST(char(2) || '\(UUID().uuidString)' || char(0) AS BLOB)
          WHERE Z_PK = 1;
        UPDATE ZTOPIC SET Z_ENT = 99 WHERE Z_PK = (SELECT MAX(Z_PK) FROM ZTOPIC);
        UPDATE ZLETTER SET ZTOPIC = NULL WHERE ZTOPIC = (SELECT MAX(Z_PK) FROM ZTOPIC);
        """
      )
      let url = URL(filePath: "\(sample.folder)/o.ndjson")
      let summary = try Store(reading: sample.url).dump(
        to: url,
        as: .ndjson,
        in: DumpTests.models()
      )
      #expect(
        summary.faults.map { "\($0.kind) \($0.entity).\($0.property ?? "") \($0.count)" } == [
          "missingFile Enclosure.picture 1", "wrongType Letter.pages 2",
          "brokenLink Letter.topic 2",
          "noDate Letter.writtenOn 1", "unknownEntity Topic. 1",
        ]
      )
      #expect(!summary.faults.map(\.summary).joined().contains("secret"))
      #expect(summary.count == 199)
      let objects = try DumpTests.lines(String(decoding: Data(contentsOf: url), as: UTF8.self))
      let letters = objects.filter { $0["entity"] as? String == "Letter" }
      #expect(letters.count { ($0["pages"] as? [String: String])?["$stored"] == "secret" } == 2)
      let plain = URL(filePath: "\(sample.folder)/plain.sqlite")
      try Store(reading: sample.url).dump(to: plain, as: .sqlite, in: DumpTests.models())
      let database = try AppDatabase(plain.path)
      #expect(try database.rows("PRAGMA foreign_key_check").isEmpty)
      #expect(try database.integer("SELECT COUNT(*) FROM Letter WHERE pages = 'secret'") == 2)
    }
  }

  @Test
  func `numbers that their type cannot hold are counted, and refuse a condition in every form`()
    throws
  {
    try SampleStore.with("Letters", "v2", rows: 200) { sample in
      try sample.change("UPDATE ZLETTER SET ZPAGES = 70000 WHERE Z_PK = 1")
      let summary = try Store(reading: sample.url).dump(
        to: URL(filePath: "\(sample.folder)/o.ndjson"),
        as: .ndjson,
        in: DumpTests.models()
      )
      #expect(
        summary.faults.map(\.summary) == ["Letter.pages: 1 value is not of the attribute's type"]
      )
      try sample.change("UPDATE ZLETTER SET ZPAGES = 'secret' WHERE Z_PK = 1")
      for condition in ["pages > 5", "pages + 0 > 5", "pages == 4 OR pages > 5"] {
        let error = #expect(throws: WaystoneError.self) {
          try Store(reading: sample.url).query("Letter where \(condition)", in: DumpTests.models())
        }
        #expect(
          error?.code == .badFile && error?.message.contains("Letter.pages") == true,
          "\(condition)"
        )
        #expect(error?.message.contains("secret") == false)
      }
    }
  }

  @Test(arguments: DumpFormat.allCases) func `only the user can read a dump`(_ format: DumpFormat)
    throws
  {
    try SampleStore.with("Letters", "v2", rows: 9) { sample in
      var options = DumpOptions()
      options.dataFolder = URL(filePath: "\(sample.folder)/data")
      let output = "\(sample.folder)/output"
      try Store(reading: sample.url).dump(
        to: URL(filePath: output),
        as: format,
        in: DumpTests.models(),
        options
      )
      for path in [output, "\(sample.folder)/data"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? Int ?? 0o777) & 0o077 == 0, "\(path)")
      }
    }
  }

  @Test func `a database of some entities keeps their links to objects that are not in it`() throws
  {
    try SampleStore.with("Letters", "v2", rows: 200) { sample in
      var options = DumpOptions()
      options.entities = ["Topic"]
      let plain = URL(filePath: "\(sample.folder)/plain.sqlite")
      try Store(reading: sample.url).dump(to: plain, as: .sqlite, in: DumpTests.models(), options)
      let links = try AppDatabase(plain.path).rows(
        "SELECT source, destination FROM Topic_letters ORDER BY 1, 2"
      )
      let stored = try AppDatabase(sample.path).rows(
        "SELECT ZTOPIC, Z_PK FROM ZLETTER WHERE ZTOPIC IS NOT NULL ORDER BY 1, 2"
      )
      #expect(!links.isEmpty && links == stored)
      #expect(try AppDatabase(plain.path).rows("PRAGMA foreign_key_check").isEmpty)
    }
  }

  @Test(arguments: [".SUPPORT/_EXTERNAL_DATA", ".waystone", "same"])
  func `large values go into no folder of the store's own, and not into the output`(
    _ name: String
  ) throws {
    try SampleStore.with("Letters", "v2", rows: 9) { sample in
      let stem = String(sample.path.dropLast(".sqlite".count))
      let place = stem.lastIndex(of: "/").map { "\(stem[...$0]).\(stem[stem.index(after: $0)...])" }
      let folder =
        switch name {
        case ".waystone": "\(sample.path).waystone"
        case "same": "\(sample.folder)/same"
        default: "\(place ?? "")_SUPPORT/_EXTERNAL_DATA"
        }
      try? FileManager.default.createDirectory(
        atPath: "\(place ?? "")_SUPPORT",
        withIntermediateDirectories: true
      )
      var options = DumpOptions()
      options.dataFolder = URL(filePath: folder)
      let error = #expect(throws: WaystoneError.self) {
        try Store(reading: sample.url).dump(
          to: URL(filePath: "\(sample.folder)/same"),
          as: .ndjson,
          in: DumpTests.models(),
          options
        )
      }
      #expect(error?.code == (name == "same" ? .badArgument : .cannotCreate), "\(error as Any)")
    }
  }

  @Test(arguments: [
    ("objectID", "objectID_"), ("objectID_", "objectID__"), ("entity", "entity_"), ("id", "id"),
  ])
  func `no property is shown by the name of another`(_ example: (name: String, shown: String)) {
    #expect(ObjectReader.shownName(of: example.name) == example.shown)
  }

  @Test func `a property list in a transformable attribute is decoded, and other bytes are marked`()
    throws
  {
    try SampleStore.with("Notes", "v4", rows: 40) { sample in
      let list: PropertyListValue = [
        "count": 3, "tags": ["a", "b"], "data": .data([1, 2]), "none": .real(.nan),
        "own": ["$data": "AQI="],
      ]
      let bytes = try SecureUnarchiveFromDataTransformer().bytes(of: list)
      let database = try AppDatabase(sample.path)
      let keys = try database.rows("SELECT Z_PK FROM ZATTACHMENT ORDER BY 1").compactMap {
        $0[0].integer
      }
      try database.execute(
        "UPDATE ZATTACHMENT SET ZIMAGE = ? WHERE Z_PK = ?",
        [.blob(bytes), .integer(keys[0])]
      )
      try database.execute(
        "UPDATE ZATTACHMENT SET ZIMAGE = x'0102' WHERE Z_PK = ?",
        [.integer(keys[1])]
      )
      let objects = try DumpTests.objects(of: sample)
      func image(_ key: Int64) -> [String: Any]? {
        objects.first { $0["objectID"] as? Int == Int(key) && $0["image"] != nil }?["image"]
          as? [String: Any]
      }
      #expect(image(keys[0])?["count"] as? Int == 3)
      #expect(image(keys[0])?["tags"] as? [String] == ["a", "b"])
      #expect((image(keys[0])?["data"] as? [String: String])?["$data"] == "AQI=")
      // Not to be taken for the bytes.
      #expect(image(keys[0])?["own"] as? [String: String] == ["$$data": "AQI="])
      #expect(image(keys[0])?["none"] as? [String: String] == ["$real": "NaN"])
      #expect(image(keys[1])?["$data"] as? String == "AQI=")
    }
  }

  @Test func `a composite is an object, and its elements are columns`() throws {
    let model = try ModelSketch.model(
      """
      composite Place { latitude: Double?; name: String? }
      Trip { title: String?; place: Composite? of Place }
      """
    )
    try TemporaryFolder.with { folder in
      let sample = SampleStore(folder: folder)
      try StoreGenerator(model: model, rows: 3, seed: 1).write(to: sample.path)
      try sample.change("UPDATE ZTRIP SET ZLATITUDE = 1.5, ZNAME = 'x' WHERE Z_PK = 1")
      try sample.change("UPDATE ZTRIP SET ZLATITUDE = NULL, ZNAME = NULL WHERE Z_PK = 2")
      let objects = try DumpTests.objects(of: sample)
      let place = try #require(objects[0]["place"] as? [String: Any])
      #expect(place["latitude"] as? Double == 1.5 && place["name"] as? String == "x")
      #expect(objects[1]["place"] is NSNull)
      let plain = URL(filePath: "\(folder)/plain.sqlite")
      let store = try Store(reading: sample.url)
      try store.dump(to: plain, as: .sqlite, in: DumpTests.models())
      let row = try AppDatabase(plain.path).rows(
        "SELECT place_latitude, place_name FROM Trip WHERE objectID = 1"
      )
      #expect(row == [[.real(1.5), .text("x")]])
      let result = try store.query(
        "Trip where place.latitude == 1.5 select place.name",
        in: DumpTests.models()
      )
      #expect(result.rows == [[.scalar(.string("x"))]])
    }
  }

  @Test func `a relationship without inverse has a table of its links`() throws {
    let model = try ModelSketch.model("A { x: Int32?; others ->> B ordered } B { y: Int32? }")
    try TemporaryFolder.with { folder in
      let sample = SampleStore(folder: folder)
      try StoreGenerator(model: model, rows: 40, seed: 4).write(to: sample.path)
      let plain = URL(filePath: "\(folder)/plain.sqlite")
      try Store(reading: sample.url).dump(to: plain, as: .sqlite, in: DumpTests.models())
      let links = try AppDatabase(plain.path).rows(
        "SELECT source, destination FROM A_others ORDER BY source, position, destination"
      )
      let objects = try DumpTests.objects(of: sample).filter { $0["entity"] as? String == "A" }
      let wanted = objects.flatMap { object in
        (object["others"] as? [Int] ?? []).map {
          [SQLiteValue.integer(Int64(object["objectID"] as? Int ?? 0)), .integer(Int64($0))]
        }
      }
      #expect(links == wanted && !links.isEmpty)
    }
  }

  @Test func `an output is new, and no file that SQLite would take for the store's`() throws {
    try SampleStore.with("Letters", "v1") { sample in
      let store = try Store(reading: sample.url)
      let before = TemporaryFolder.bytes(of: sample.path)
      try TemporaryFolder.write([1], to: "\(sample.folder)/free.sqlite-wal")
      for name in ["app.sqlite", "app.sqlite-wal", "x-journal", "free.sqlite"] {
        for format in DumpFormat.allCases {
          let error = #expect(throws: WaystoneError.self) {
            try store.dump(
              to: URL(filePath: "\(sample.folder)/\(name)"),
              as: format,
              in: DumpTests.models()
            )
          }
          #expect(error?.code == .cannotCreate)
        }
      }
      #expect(TemporaryFolder.bytes(of: sample.path) == before)
      #expect(Set(TemporaryFolder.names(in: sample.folder)) == ["app.sqlite", "free.sqlite-wal"])
    }
  }

  @Test func `a -wal is read and stays, and a change while a store is read is told`() throws {
    try SampleStore.with("Letters", "v2", rows: 60) { sample in
      let writer = try AppDatabase(sample.path)
      try writer.execute("PRAGMA journal_mode = WAL; UPDATE ZTOPIC SET ZCOLOR = 77")
      writer.keepsLog()
      let log = TemporaryFolder.bytes(of: sample.path + "-wal")
      let topics = try DumpTests.objects(of: sample).filter { $0["entity"] as? String == "Topic" }
      #expect(topics.allSatisfy { $0["color"] as? Int == 77 } && !topics.isEmpty)
      #expect(TemporaryFolder.bytes(of: sample.path + "-wal") == log)
      let contents = try OpenedContents(
        ofStoreAt: sample.path,
        shownAs: "app",
        in: DumpTests.models()
      )
      try writer.execute("DELETE FROM ZTOPIC")
      // In one process no lock tells of the other connection, so that the files are compared.
      let error = #expect(throws: StoreAccessError.self) {
        _ = try StoreDump(of: contents, DumpOptions()).stream(as: .ndjson) { _ in }
      }
      #expect(error?.code == .inUse)
    }
  }

  @Test func `names that are words of SQL, or differ in case alone, are columns all the same`()
    throws
  {
    let drawn = try ModelSketch.model("A { select: String?; limit: Int32?; objectID: Int32? }")
    var entity = drawn.entities[0]
    entity.name = "Größe \"x\"; --"
    let model = try ManagedObjectModel(entities: [entity])
    try TemporaryFolder.with { folder in
      let sample = SampleStore(folder: folder)
      try StoreGenerator(model: model, rows: 5, seed: 4).write(to: sample.path)
      let store = try Store(reading: sample.url)
      let plain = URL(filePath: "\(folder)/plain.sqlite")
      try store.dump(to: plain, as: .sqlite, in: DumpTests.models())
      let rows = try AppDatabase(plain.path).rows("PRAGMA table_info('Größe \"x\"; --')")
      #expect(rows.map { $0[1].text } == ["objectID", "limit", "objectID_2", "select"])
      let objects = try DumpTests.objects(of: sample)
      #expect(Set(objects[0].keys) == ["entity", "objectID", "select", "limit", "objectID_"])
      let result = try store.query(
        "\"Größe \\\"x\\\"; --\" where limit != nil limit 1 select limit",
        in: DumpTests.models()
      )
      #expect(result.columns == ["limit"])
    }
  }
}
