import Foundation
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing
import Waystone

/// Questions for a store's objects, held against plain SQL.
@Suite struct QueryTests {
  private static func keys(_ question: String, _ sample: SampleStore) throws -> [Int64] {
    try Store(reading: sample.url).query(question + " select objectID", in: DumpTests.models())
      .rows.map { row in
        guard case .object(let key) = row[0] else { return -1 }
        return key
      }
  }

  @Test func `conditions, orders and parts give the rows of SQL`() throws {
    let questions = [
      ("Letter", "SELECT Z_PK FROM ZLETTER ORDER BY 1"),
      ("Letter limit 5 offset 3", "SELECT Z_PK FROM ZLETTER ORDER BY 1 LIMIT 5 OFFSET 3"),
      ("Letter offset 3", "SELECT Z_PK FROM ZLETTER ORDER BY 1 LIMIT -1 OFFSET 3"),
      ("Letter limit 0", "SELECT Z_PK FROM ZLETTER LIMIT 0"),
      (
        "Letter where pages > 300 sort by pages desc, heading limit 9",
        "SELECT Z_PK FROM ZLETTER WHERE ZPAGES > 300 ORDER BY ZPAGES DESC, ZHEADING, Z_PK LIMIT 9"
      ),
      (
        "Letter sort by sender.name, writtenOn descending where heading BEGINSWITH \"D\"",
        """
        SELECT l.Z_PK FROM ZLETTER l LEFT JOIN ZCORRESPONDENT c ON c.Z_PK = l.ZSENDER
        WHERE ZHEADING GLOB 'D*' ORDER BY c.ZNAME, ZWRITTENON DESC, l.Z_PK
        """
      ),
      (
        "Letter where ANY recipients.name == \"\" sort by recipients.@count desc",
        """
        SELECT l.Z_PK FROM ZLETTER l WHERE EXISTS (SELECT 1 FROM Z_2RECEIVED j
          JOIN ZCORRESPONDENT c ON c.Z_PK = j.Z_2RECIPIENTS
          WHERE j.Z_6RECEIVED = l.Z_PK AND c.ZNAME = '')
        ORDER BY (SELECT COUNT(*) FROM Z_2RECEIVED WHERE Z_6RECEIVED = l.Z_PK) DESC, l.Z_PK
        """
      ),
      (
        "Letter where writtenOn >= \"2010-01-01\" AND writtenOn < \"2020-01-01T00:00:00Z\"",
        "SELECT Z_PK FROM ZLETTER WHERE ZWRITTENON >= 283996800 AND ZWRITTENON < 599529600 ORDER BY 1"
      ),
      (
        "Letter where SUBQUERY(recipients, $r, $r.name != nil).@count > 1",
        """
        SELECT l.Z_PK FROM ZLETTER l WHERE (SELECT COUNT(*) FROM Z_2RECEIVED j JOIN ZCORRESPONDENT c
        ON c.Z_PK = j.Z_2RECIPIENTS WHERE j.Z_6RECEIVED = l.Z_PK AND c.ZNAME NOTNULL) > 1 ORDER BY 1
        """
      ),
      ("Correspondent", "SELECT Z_PK FROM ZCORRESPONDENT ORDER BY 1"),
      ("Person", "SELECT Z_PK FROM ZCORRESPONDENT WHERE Z_ENT = 4 ORDER BY 1"),
    ]
    try SampleStore.with("Letters", "v3", rows: 400) { sample in
      for (question, sql) in questions {
        let wanted = try AppDatabase(sample.path).rows(sql).compactMap { $0[0].integer }
        #expect(try Self.keys(question, sample) == wanted, "\(question)")
        #expect(!wanted.isEmpty || question.contains("limit 0"))
        guard !question.contains("sort") else { continue }
        let count = try Store(reading: sample.url).query(
          "count \(question)",
          in: DumpTests.models()
        )
        #expect(count.count == wanted.count, "\(question)")
      }
    }
  }

  @Test func `a decimal that is not a number is a value, and neither more nor less than a number`()
    throws
  {
    try SampleStore.with("Letters", "v3", rows: 60) { sample in
      try sample.change(
        "UPDATE ZLETTER SET ZPOSTAGE = 5; UPDATE ZLETTER SET ZPOSTAGE = 'NaN' WHERE Z_PK = 1"
      )
      let letters = try DumpTests.objects(of: sample).filter { $0["entity"] as? String == "Letter" }
      #expect(letters.count { $0["postage"] as? String == "NaN" } == 1)
      for (condition, isFound) in [
        ("postage > 3", false), ("postage < 3", false), ("postage == nil", false),
        ("postage != nil", true),
      ] {
        let found = try Self.keys("Letter where \(condition)", sample)
        #expect(found.contains(1) == isFound, "\(condition)")
      }
      let result = try Store(reading: sample.url).query("Letter", in: DumpTests.models())
      #expect(result.faults.isEmpty)
    }
  }

  @Test func `a text that is a UUID finds it`() throws {
    try SampleStore.with("Letters", "v3") { sample in
      let row = try AppDatabase(sample.path).rows("SELECT Z_PK, ZIDENTIFIER FROM ZLETTER LIMIT 1")
      let key = try #require(row[0][0].integer)
      let digits = Hexadecimal.string(try #require(row[0][1].blob))
      #expect(try Self.keys("Letter where identifier == \"\(digits)\"", sample) == [key])
    }
  }

  @Test(
    arguments: [
      ("", 1), ("Leter", 1), ("letter", 1), ("Letter where", 13), ("Letter where headng == 1", 14),
      ("Letter where heading == \"x", 25), ("Letter limit -3", 14), ("Letter limit 2 limit 3", 16),
      ("Letter nonsense", 8), ("Letter select sender.foo", 22), ("Letter sort by sender", 16),
      ("Letter where $x == 1", 14), ("Letter where writtenOn > \"soon\"", 26),
      ("count Letter select heading", 1), ("Letter select heading, heading", 24),
      ("Letter where identifier == \"x\"", 28), ("Letter sort by", 15),
      ("Letter where pages %@ 3", 20),
      // Of kinds that are never equal.
      ("Letter where pages == \"3\"", 23), ("Letter where pages > 1 OR NOT heading == 3", 14),
      ("Letter where sender == 3", 14), ("Letter where self == 3", 14),
      ("Letter where heading IN {\"a\", 2}", 14),
      ("Letter where (pages > 3", 24),
    ]
  )
  func `a question that cannot be read names its column`(question: String, column: Int) throws {
    try SampleStore.with("Letters", "v3", rows: 8) { sample in
      let store = try Store(reading: sample.url)
      let error = #expect(throws: WaystoneError.self) {
        _ = try store.query(question, in: DumpTests.models())
      }
      #expect(error?.code == .badArgument)
      #expect(
        error?.message.hasPrefix("Column \(column) of the query: ") == true,
        "\(error?.message ?? "")"
      )
    }
  }

  @Test func `words in any order are a question or one error, and never a crash`() throws {
    let words = [
      "Letter", "Correspondent", "count", "where", "sort", "by", "limit", "offset", "select",
      "heading",
      "pages", "sender", ".", "name", "recipients", "@count", "==", ">", "CONTAINS", "[cd]",
      "\"x\"",
      "\"", "'", "3", "-1", "99999999999999999999", "(", ")", "{", "}", ",", "AND", "OR", "NOT",
      "ANY",
      "nil", "desc", "asc", "$x", "SUBQUERY", "now()", "%@", "%K", "#", "#limit", "é", "\u{0}",
      "\u{202e}",
      "writtenOn", "\"2020-01-01\"", "MATCHES", "\"[\"", "TRUEPREDICATE", "IN", "BETWEEN", "CAST",
      "\\",
    ]
    try SampleStore.with("Letters", "v3", rows: 8) { sample in
      var random = SeededGenerator(seed: 41)
      let contents = try OpenedContents(
        ofStoreAt: sample.path,
        shownAs: "app",
        in: DumpTests.models()
      )
      var (read, refused) = (0, 0)
      for number in 0..<3000 {
        var parts: [String] = number % 2 == 0 ? ["Letter"] : []
        for _ in 0..<Int.random(in: 0..<9, using: &random) {
          parts.append(words.randomElement(using: &random) ?? "")
        }
        let question = parts.joined(separator: number % 2 == 0 ? " " : "")
        do {
          let query = try StoreQuery(question, of: contents)
          if try query.count() == nil { try query.forEachRow { _ in } }
          read += 1
        } catch {
          refused += 1
          let known = WaystoneError(error)
          #expect([.badArgument, .badFile].contains(known.code), "\(question): \(known.message)")
        }
      }
      #expect(read > 100 && refused > 1000)
    }
  }

  @Test func `instants are written with as few digits as give the same number`() {
    var random = SeededGenerator(seed: 3)
    for number in 0..<20_000 {
      let seconds: Double =
        switch number % 4 {
        case 0: Double(Int.random(in: -60_000_000_000...250_000_000_000, using: &random))
        case 1: (Double.random(in: -1e9...1e9, using: &random) * 1000).rounded() / 1000
        case 2: Double.random(in: -6e10...2e11, using: &random)
        default: Double.random(in: -100...100, using: &random)
        }
      let text = CivilTime.iso8601(secondsSince2001: seconds) ?? ""
      #expect(CivilTime.secondsSince2001(iso8601: text) == seconds, "\(seconds.bitPattern) \(text)")
    }
    #expect(CivilTime.iso8601(secondsSince2001: 0) == "2001-01-01T00:00:00Z")
    #expect(CivilTime.iso8601(secondsSince2001: 726_849_000.125) == "2024-01-13T14:30:00.125Z")
    #expect(CivilTime.iso8601(secondsSince2001: .infinity) == nil)
    #expect(CivilTime.secondsSince2001(iso8601: "2024-02-30") == nil)
    #expect(CivilTime.secondsSince2001(iso8601: "2001-01-01T02:00:00+02:00") == 0)
  }
}
