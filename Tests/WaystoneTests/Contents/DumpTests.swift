import Foundation
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing
import Waystone

/// The objects of stores as `Store.dump` writes them, held against plain SQL.
@Suite struct DumpTests {
  static func models() throws -> ModelArchive { try ModelArchive(contentsOf: SampleStore.models) }

  /// A dump as JSON, one dictionary for each object.
  static func objects(of sample: SampleStore) throws -> [[String: Any]] {
    let url = URL(filePath: "\(sample.folder)/out.ndjson")
    defer { try? FileManager.default.removeItem(at: url) }
    try Store(reading: sample.url).dump(to: url, as: .ndjson, in: models())
    return try lines(String(decoding: Data(contentsOf: url), as: UTF8.self))
  }

  static func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  /// Returns the values of a column by key.
  private static func column(_ sql: String, of sample: SampleStore) throws -> [Int64: [SQLiteValue]]
  {
    var found: [Int64: [SQLiteValue]] = [:]
    for row in try AppDatabase(sample.path).rows(sql) {
      found[try #require(row[0].integer), default: []].append(row[1])
    }
    return found
  }

  @Test func `each attribute and each link of a letter is that of its row`() throws {
    try SampleStore.with("Letters", "v3", rows: 300) { sample in
      let letters = try Self.objects(of: sample).filter { $0["entity"] as? String == "Letter" }
      let attributes = [
        ("heading", "ZHEADING"), ("body", "ZBODY"), ("pages", "ZPAGES"), ("isRead", "ZISREAD"),
        ("weight", "ZWEIGHT"), ("postage", "ZPOSTAGE"), ("writtenOn", "ZWRITTENON"),
        ("identifier", "ZIDENTIFIER"), ("sender", "ZSENDER"), ("topic", "ZTOPIC"),
        ("inReplyTo", "ZINREPLYTO"),
      ]
      #expect(letters.count > 30)
      var seen = 0
      for (name, column) in attributes {
        let stored = try Self.column("SELECT Z_PK, \(column) FROM ZLETTER", of: sample)
        #expect(stored.count == letters.count)
        for letter in letters {
          let key = Int64(try #require(letter["objectID"] as? Int))
          let value = try #require(stored[key]?.first)
          if !value.isNull { seen += 1 }
          #expect(Self.agrees(letter[name], value, name), "\(name) of \(key)")
        }
      }
      #expect(seen > letters.count * 5)
      let lists = [
        ("recipients", "SELECT Z_6RECEIVED, Z_2RECIPIENTS FROM Z_2RECEIVED ORDER BY 1, 2"),
        ("replies", "SELECT ZINREPLYTO, Z_PK FROM ZLETTER WHERE ZINREPLYTO NOTNULL ORDER BY 1, 2"),
        (
          "enclosures",
          "SELECT ZLETTER, Z_PK FROM ZENCLOSURE WHERE ZLETTER NOTNULL ORDER BY 1, Z_FOK_LETTER, 2"
        ),
      ]
      for (name, sql) in lists {
        let stored = try Self.column(sql, of: sample)
        #expect(!stored.isEmpty)
        for letter in letters {
          let key = Int64(try #require(letter["objectID"] as? Int))
          let members = (stored[key] ?? []).compactMap(\.integer).map { Int($0) }
          #expect(letter[name] as? [Int] == members, "\(name) of \(key)")
        }
      }
    }
  }

  /// Returns whether a value of JSON is what a column has.
  private static func agrees(_ json: Any?, _ value: SQLiteValue, _ name: String) -> Bool {
    switch (value, json) {
    case (.null, is NSNull): true
    // Foundation's reader drops a byte order mark.
    case (.text(let text), let json as String):
      json == text || text.hasPrefix("\u{feff}") && text.hasSuffix(json)
    case (.integer(let number), let json as String):
      json == "\(number)" || CivilTime.secondsSince2001(iso8601: json) == Double(number)
    case (.real(let number), let json as String):
      name == "postage"
        ? Double(json) == number : CivilTime.secondsSince2001(iso8601: json) == number
    case (.blob(let bytes), let json as String):
      UUID(uuidString: json)?.uuidString == json
        && Hexadecimal.bytes(json.filter { $0 != "-" }) == bytes
    case (.integer(let number), let json as NSNumber): json.int64Value == number
    case (.real(let number), let json as NSNumber): json.doubleValue == number
    default: false
    }
  }

  @Test(arguments: [
    "Letters/v1", "Letters/v2", "Letters/v4", "Notes/v4", "Library/v2", "Aircraft/v3",
  ])
  func `a plain database has the same objects, and its foreign keys hold`(name: String) throws {
    let parts = name.split(separator: "/").map(String.init)
    try SampleStore.with(parts[0], parts[1], rows: 200) { sample in
      let url = URL(filePath: "\(sample.folder)/plain.sqlite")
      let store = try Store(reading: sample.url)
      let summary = try store.dump(to: url, as: .sqlite, in: Self.models())
      let plain = try AppDatabase(url.path)
      #expect(try plain.rows("PRAGMA foreign_key_check").isEmpty)
      #expect(try plain.text("PRAGMA integrity_check") == "ok")
      #expect(summary.faults == [])
      let objects = try Self.objects(of: sample)
      #expect(summary.count == objects.count && objects.count == 200)
      let model = try SampleArchive.version(parts[0], parts[1]).model
      for object in objects {
        let entity = try #require(object["entity"] as? String)
        let root = model.rootEntityName(of: entity)
        let key = try #require(object["objectID"] as? Int)
        for (property, value) in object {
          guard let declared = model.property(property, of: entity)?.property else { continue }
          if let relationship = declared.relationship, relationship.isToMany { continue }
          let stored = try plain.rows(
            "SELECT \(SQL.identifier(property)) FROM \(SQL.identifier(root)) WHERE objectID = \(key)"
          )
          let isNull = stored.first?.first?.isNull
          #expect(isNull == (value is NSNull), "\(entity) \(key) \(property)")
          guard declared.relationship != nil, let link = value as? Int else { continue }
          #expect(stored.first?.first?.integer == Int64(link))
        }
      }
    }
  }

  @Test func `links of two to-many relationships are one table with both ends' places`() throws {
    try SampleStore.with("Letters", "v3", rows: 200) { sample in
      let url = URL(filePath: "\(sample.folder)/plain.sqlite")
      try Store(reading: sample.url).dump(to: url, as: .sqlite, in: Self.models())
      let joined = try AppDatabase(url.path).rows(
        "SELECT source, destination FROM Correspondent_received ORDER BY 1, 2"
      )
      let stored = try AppDatabase(sample.path).rows(
        "SELECT Z_2RECIPIENTS, Z_6RECEIVED FROM Z_2RECEIVED ORDER BY 1, 2"
      )
      #expect(joined == stored && !stored.isEmpty)
    }
  }

  @Test func `CSV is one file for each entity, with the cells of the JSON`() throws {
    try SampleStore.with("Letters", "v2", rows: 100) { sample in
      let url = URL(filePath: "\(sample.folder)/csv")
      try Store(reading: sample.url).dump(to: url, as: .csv, in: Self.models())
      let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      #expect(
        names == ["Enclosure.csv", "Institution.csv", "Letter.csv", "Person.csv", "Topic.csv"]
      )
      let objects = try Self.objects(of: sample)
      for name in names {
        let text = String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
        let rows = Self.csv(text)
        let wanted = objects.filter { "\($0["entity"] ?? "").csv" == name }
        #expect(rows.count == wanted.count + 1)
        for (row, object) in zip(rows.dropFirst(), wanted) {
          for (heading, cell) in zip(rows[0], row) {
            switch object[heading ?? ""] {
            case is NSNull: #expect(cell == nil)
            case let text as String:
              #expect(cell == text || cell?.unicodeScalars.first == "\u{feff}")
            case let list as [Int]:
              #expect(cell == "[\(list.map(String.init).joined(separator: ","))]")
            case let number as NSNumber:
              let isFlag = cell == "true" || cell == "false"
              #expect(
                isFlag
                  ? number.boolValue == (cell == "true") : Double(cell ?? "") == number.doubleValue
              )
            default: Issue.record("\(heading ?? "") of \(name)")
            }
          }
        }
      }
    }
  }

  /// Returns the cells of RFC 4180; nil for empty ones without quotation marks.
  static func csv(_ text: String) -> [[String?]] {
    var rows: [[String?]] = [[]]
    var cell = ""
    var (isQuoted, wasQuoted) = (false, false)
    func end() {
      rows[rows.count - 1].append(cell.isEmpty && !wasQuoted ? nil : cell)
      (cell, wasQuoted) = ("", false)
    }
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"" where isQuoted && rest.first == "\"":
        cell.unicodeScalars.append(scalar)
        rest.removeFirst()
      case "\"":
        isQuoted.toggle()
        wasQuoted = true
      case "," where !isQuoted: end()
      case "\r" where !isQuoted && rest.first == "\n":
        rest.removeFirst()
        end()
        if !rest.isEmpty { rows.append([]) }
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return rows
  }

  @Test func `a spreadsheet's formulas are text where that is wanted, and as they are else`() throws
  {
    try SampleStore.with("Letters", "v2", rows: 30) { sample in
      try sample.change(
        "UPDATE ZTOPIC SET ZNAME = '=1+1' WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZTOPIC)"
      )
      let store = try Store(reading: sample.url)
      var options = DumpOptions()
      options.entities = ["Topic"]
      for (escapes, cell) in [(false, ",=1+1\r\n"), (true, ",'=1+1\r\n")] {
        options.escapesFormulas = escapes
        let url = URL(filePath: "\(sample.folder)/\(escapes).csv")
        try store.dump(to: url, as: .csv, in: Self.models(), options)
        #expect(String(decoding: try Data(contentsOf: url), as: UTF8.self).contains(cell))
      }
    }
  }

  @Test func `bytes of external storage go to files where a folder is named`() throws {
    try SampleStore.with("Letters", "v2", rows: 100) { sample in
      try sample.change("UPDATE ZENCLOSURE SET ZPICTURE = x'01616263'")
      var options = DumpOptions()
      options.dataFolder = URL(filePath: "\(sample.folder)/files")
      let url = URL(filePath: "\(sample.folder)/o.ndjson")
      try Store(reading: sample.url).dump(to: url, as: .ndjson, in: Self.models(), options)
      let objects = try Self.lines(String(decoding: Data(contentsOf: url), as: UTF8.self))
      let names = objects.compactMap { ($0["picture"] as? [String: String])?["$file"] }
      #expect(!names.isEmpty)
      for name in names {
        #expect(TemporaryFolder.bytes(of: "\(sample.folder)/files/\(name)") == Array("abc".utf8))
      }
      #expect(Set(TemporaryFolder.names(in: "\(sample.folder)/files")) == Set(names))
    }
  }
}
