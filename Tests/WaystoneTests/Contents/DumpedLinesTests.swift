import MigrationTestSupport
import ModelCoding
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing
import Waystone

/// The lines of a dump, which are written as SQLite holds the rows, against those of a query, which reads each value
/// of an object.
@Suite struct DumpedLinesTests {
  private static func lines(_ contents: OpenedContents) throws -> [String] {
    var text = ""
    _ = try StoreDump(of: contents, DumpOptions()).stream(as: .ndjson) {
      text += String(decoding: $0, as: UTF8.self)
    }
    return text.unicodeScalars.split(separator: "\n").map { String($0) }
  }

  /// Expects the objects of each entity to have the same lines in both.
  static func expectSameLines(ofStoreAt path: String, in models: ModelArchive) throws {
    let contents = try OpenedContents(ofStoreAt: path, shownAs: "app", in: models)
    let dumped = Dictionary(grouping: try lines(contents)) { $0.prefix { $0 != "," } }
    for entity in try StoreDump(of: contents, DumpOptions()).entities {
      let start = RecordJSON.start(ofEntity: entity)
      var asked: [String] = []
      let name = SQL.identifier(entity).replacing("\"\"", with: "\\\"")
      try StoreQuery(name, of: contents).forEachLine { line in
        if line.hasPrefix(start) { asked.append(String(line.dropLast())) }
      }
      #expect(dumped[start[...]] ?? [] == asked, "\(entity)")
    }
  }

  private static let sketch = """
    composite Place { latitude: Double?; name: String? }
    Thing {
      small: Int16?; middle: Int32?; large: Int64?; ratio: Double?; size: Float?; price: Decimal?; flag: Boolean?
      text: String?; when: Date?; bytes: Binary?; id: UUID?; link: URI?; list: Transformable?; file: Binary? external
      place: Composite? of Place; owner -> Owner.things; friends ->> Thing.friends
    }
    Special : Thing { note: String? }
    Owner { name: String?; things ->> Thing.owner ordered }
    """

  @Test func `values of every type have the same text`() throws {
    let model = try ModelSketch.model(Self.sketch)
    try TemporaryFolder.with { folder in
      for seed in 1...3 as ClosedRange<UInt64> {
        let path = "\(folder)/\(seed).sqlite"
        try StoreGenerator(model: model, rows: 300, seed: seed).write(to: path)
        try Self.expectSameLines(ofStoreAt: path, in: DumpTests.models())
      }
    }
  }

  /// A value as a row has it, and as a line has it.
  private static let awkward: [(column: String, sql: String, json: String)] = [
    ("TEXT", "CAST(x'61ff62' AS TEXT)", #"{"$stored":"Yf9i"}"#),
    ("TEXT", "CAST(x'eda080' AS TEXT)", #"{"$stored":"7aCA"}"#),
    ("TEXT", "CAST(x'61c2' AS TEXT)", #"{"$stored":"YcI="}"#),
    ("TEXT", "CAST(x'610062' AS TEXT)", #""a\u0000b""#),
    ("TEXT", "''", #""""#), ("TEXT", "7", #""7""#), ("TEXT", "x'6162'", #"{"$stored":"YWI="}"#),
    ("TEXT", #"'a "quoted" \ one, longer'"#, #""a \"quoted\" \\ one, longer""#),
    (
      "TEXT", "'1234567' || char(9, 10, 13, 31, 127, 128, 159, 160)",
      "\"1234567\\t\\n\\r\\u001f\\u007f\\u0080\\u009f\u{a0}\""
    ),
    ("TEXT", "'é12345€’' || char(8232, 8233, 8234)", "\"é12345€’\\u2028\\u2029\u{202a}\""),
    ("TEXT", "'👩‍👩‍👧‍👦 手紙'", "\"👩‍👩‍👧‍👦 手紙\""),
    ("LINK", "'https://a/?b=\"c'", #""https://a/?b=\"c""#),
    ("LINK", "CAST(x'ff' AS TEXT)", #"{"$stored":"/w=="}"#),
    ("SMALL", "32768", #"{"$stored":32768}"#), ("SMALL", "-32768", "-32768"),
    ("SMALL", "1.5", #"{"$stored":1.5}"#),
    ("MIDDLE", "2147483648", #"{"$stored":2147483648}"#),
    ("LARGE", "-9223372036854775807 - 1", "-9223372036854775808"),
    ("FLAG", "2", #"{"$stored":2}"#), ("FLAG", "1", "true"),
    ("RATIO", "9e999", #""Infinity""#), ("RATIO", "-9e999", #""-Infinity""#),
    ("RATIO", "0.1", "0.1"),
    ("RATIO", "1e300", "1e+300"), ("RATIO", "12.5", "12.5"),
    ("RATIO", "3", "3.0"),
    ("SIZE", "0.10000000149011612", "0.1"), ("PRICE", "19.99", #""19.99""#),
    ("PRICE", "-0.01", #""-0.01""#),
    ("PRICE", "12", #""12""#), ("PRICE", "1e-7", #""0.0000001""#),
    ("PRICE", "'many'", #"{"$stored":"many"}"#),
    ("WHEN", "0", #""2001-01-01T00:00:00Z""#),
    ("WHEN", "726849000.125", #""2024-01-13T14:30:00.125Z""#),
    ("WHEN", "-63145526400.0", #""0000-01-01T00:00:00Z""#),
    ("WHEN", "-63145526401.0", #"{"$stored":-63145526401.0}"#),
    ("WHEN", "9e999", #"{"$stored":"Infinity"}"#),
    ("WHEN", "-0.25", #""2000-12-31T23:59:59.750Z""#),
    ("WHEN", "1e-9", #""2001-01-01T00:00:00.000000001Z""#),
    ("ID", "x'00'", #"{"$stored":"AA=="}"#), ("BYTES", "x''", #""""#),
    ("BYTES", "x'616263'", #""YWJj""#),
    ("OWNER", "9999", "null"), ("OWNER", "'x'", "null"),
  ]

  @Test func `values that are odd have the text that is theirs`() throws {
    let model = try ModelSketch.model(Self.sketch)
    try TemporaryFolder.with { folder in
      let sample = SampleStore(folder: folder)
      try StoreGenerator(model: model, rows: 20, seed: 1).write(to: sample.path)
      for (column, sql, json) in Self.awkward {
        try sample.change("UPDATE ZTHING SET Z\(column) = \(sql)")
        let contents = try OpenedContents(
          ofStoreAt: sample.path,
          shownAs: "app",
          in: DumpTests.models()
        )
        let lines = try Self.lines(contents).filter { $0.contains(#""friends":"#) }
        let wanted = "\"\(column.lowercased())\":\(json)"
        #expect(lines.count > 3)
        #expect(
          lines.allSatisfy { $0.contains(wanted + ",") || $0.contains(wanted + "}") },
          "\(sql): \(lines[0])"
        )
        try Self.expectSameLines(ofStoreAt: sample.path, in: DumpTests.models())
      }
    }
  }
}

extension RecordJSON {
  /// The beginning of the lines of an entity's objects.
  fileprivate static func start(ofEntity name: String) -> String {
    String(decoding: Array("{\"entity\":".utf8) + key(name).dropLast(), as: UTF8.self)
  }
}
