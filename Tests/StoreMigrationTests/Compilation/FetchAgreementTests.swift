import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Fetches with a condition and an order: the objects that SQL finds, against those of the evaluator.
@Suite struct FetchAgreementTests {
  /// A fetch, and whether SQL alone answered it.
  private struct Fetch {
    var entity: String
    var predicate: ObjectModel.Predicate?
    var keys: [(path: [String], isAscending: Bool)] = []

    var words: String {
      let order = keys.map { "\($0.path.joined(separator: "."))\($0.isAscending ? "" : " desc")" }
      return "\(entity) where \(predicate.map { "\($0)" } ?? "-") by \(order)"
    }

    /// Returns the keys that SQL finds, in its order; nil where SQL cannot express the fetch.
    func found(in library: Library) throws -> [Int64]? {
      let context = library.store.context
      var choices = FetchChoices()
      choices.predicate = predicate
      if !keys.isEmpty {
        guard let order = context.order(of: entity, by: keys) else { return nil }
        choices.order = order
      }
      var found: [Int64] = []
      let isDone = try context.forEachKey(entityName: entity, choices) { _, key, _ in
        found.append(key)
      }
      return isDone ? found : nil
    }

    /// Returns the keys of the objects for which the evaluator says yes, by its own comparison of their values.
    func expected(in library: Library) throws -> [Int64] {
      let evaluator = ExpressionEvaluator()
      var rows: [(key: Int64, values: [ExpressionValue])] = []
      for object in try library.store.objects(entity, includesSubentities: true) {
        if let predicate, try !evaluator.evaluate(predicate, with: .object(object)) { continue }
        let values = try keys.map {
          try evaluator.evaluate(.keyPath(.evaluatedObject, $0.path), with: .object(object))
        }
        rows.append((object.objectID.key, values))
      }
      return try rows.sorted { left, right in
        for (place, key) in keys.enumerated() {
          let precedes = try evaluator.precedes(left.values[place], right.values[place])
          if let precedes { return precedes == key.isAscending }
        }
        return left.key < right.key
      }.map(\.key)
    }
  }

  /// The results of some fetches.
  private struct Tally {
    /// The fetches that SQL answered.
    var answered = 0
    /// The answered fetches that chose some objects and left others out.
    var choosing = 0
    /// The answered fetches that had an order.
    var ordered = 0

    mutating func compare(_ fetch: Fetch, in library: Library) throws {
      guard let found = try fetch.found(in: library) else { return }
      answered += 1
      let expected = try fetch.expected(in: library)
      #expect(found == expected, "\(fetch.words)")
      let all = try library.store.objects(fetch.entity, includesSubentities: true).count
      if !expected.isEmpty, expected.count < all { choosing += 1 }
      if !fetch.keys.isEmpty, expected.count > 1 { ordered += 1 }
    }
  }

  private static let entities = ["Writer", "Editor", "Book", "Shelf", "Prize", "Person"]

  /// Expects the data to have what makes the two differ: values that are missing, text that no byte order of ASCII
  /// sorts, and lists in another order than that of their members' keys.
  private func expectAwkwardData(_ library: Library) throws {
    func count(_ sql: String) throws -> Int64 {
      try library.store.database.connection.integer("SELECT COUNT(*) FROM \(sql)") ?? 0
    }
    for (table, column) in [
      ("ZBOOK", "ZSUBTITLE"), ("ZBOOK", "ZPRICE"), ("ZBOOK", "ZOUT"), ("ZPERSON", "ZNAME"),
      ("ZPERSON", "ZSCORE"), ("ZBOOK", "ZSHELF"),
    ] {
      #expect(try count("\(table) WHERE \(column) IS NULL") > 0, "\(table).\(column)")
    }
    let wide = ["ZTITLE", "ZSUBTITLE"].map { "LENGTH(CAST(\($0) AS BLOB)) > LENGTH(\($0))" }
      .joined(separator: " OR ")
    #expect(try count("ZBOOK WHERE \(wide)") > 0)
    let unordered = "a.ZSHELF = b.ZSHELF AND a.Z_PK < b.Z_PK AND a.Z_FOK_SHELF > b.Z_FOK_SHELF"
    #expect(try count("ZBOOK a JOIN ZBOOK b ON \(unordered)") > 0)
  }

  /// Orders by so many properties of an entity's objects and of those that its to-one relationships lead to.
  private func order(
    of entity: String,
    count: Int,
    _ query: inout RandomQuery
  ) -> [(path: [String], isAscending: Bool)] {
    (0..<count).compactMap { _ in
      let kind = query.pick(RandomQuery.Kind.allCases) ?? .text
      let path = query.attribute(kind, of: entity)
      let isAscending = query.number(2) == 0
      return path.map { ($0, isAscending) }
    }
  }

  @Test(arguments: Trials.some(of: 12 as UInt64))
  func `made-up conditions and orders find the same objects in the same order`(seed: UInt64) throws
  {
    try TemporaryFolder.with { folder in
      let library = try Library(in: folder, rows: 150, seed: seed &+ 200)
      try expectAwkwardData(library)
      var query = RandomQuery(model: library.schema.model, seed: seed &* 41 + 13)
      var tally = Tally()
      for count in 0..<400 {
        let entity = Self.entities[count % Self.entities.count]
        var fetch = Fetch(entity: entity)
        fetch.predicate = query.predicate(
          in: [.init(start: .evaluatedObject, entity: entity)],
          depth: count % 4
        )
        fetch.keys = order(of: entity, count: count % 4, &query)
        try tally.compare(fetch, in: library)
      }
      #expect(tally.answered >= 200, "SQL answers \(tally.answered) of 400")
      #expect(tally.choosing >= 60, "\(tally.choosing) leave some objects out")
      #expect(tally.ordered >= 60, "\(tally.ordered) have an order")
    }
  }

  @Test func `conditions and orders as apps write them find the same objects in the same order`()
    throws
  {
    try TemporaryFolder.with { folder in
      let library = try Library(in: folder, rows: 200, seed: 7)
      try expectAwkwardData(library)
      var tally = Tally()
      var unanswered: [String] = []
      for (entity, formats) in Self.conditions.sorted(by: { $0.key < $1.key }) {
        let orders = Self.orders[entity] ?? []
        for (place, format) in formats.enumerated() {
          // Each condition with an order, and each order with several conditions.
          for order in [orders[place % orders.count], orders[(place + 1) % orders.count]] {
            var fetch = Fetch(entity: entity)
            fetch.predicate = try ObjectModel.Predicate(format: format)
            fetch.keys = order.split(separator: " ").map { key in
              let isAscending = !key.hasPrefix("-")
              let path = key.drop { $0 == "-" }.split(separator: ".").map(String.init)
              return (path, isAscending)
            }
            let before = tally.answered
            try tally.compare(fetch, in: library)
            if tally.answered == before { unanswered.append(fetch.words) }
          }
        }
      }
      // None of them is left to the evaluator, against which it would prove nothing.
      #expect(unanswered == [])
      #expect(tally.answered >= 140 && tally.choosing >= 80 && tally.ordered >= 80, "\(tally)")
    }
  }

  /// Orders as sort descriptors have them; a minus is before a descending key.
  private static let orders: [String: [String]] = [
    "Book": [
      "", "title", "-subtitle title", "-pages -price", "price -title", "weight -out", "out",
      "-big pages",
      "shelf.label -shelf.room title", "-link", "shelf.room -authors.@count",
      "authors.@count -title",
    ],
    "Shelf": ["", "label -room", "-room", "books.@count", "-books.@max.pages label"],
    "Person": [
      "name", "-age name", "born", "-score wealth", "vip -name", "boss.name -boss.age",
      "-staff.@count",
    ],
    "Writer": ["pen -name", "prizes.@count -pen", "-wealth"],
    "Prize": ["year -title", "writer.name year", "-writer.boss.name"],
  ]

  private static let conditions: [String: [String]] = [
    "Book": [
      "title == ''", "subtitle == nil", "subtitle != nil AND pages > 10", "title BEGINSWITH 'D'",
      "title BEGINSWITH[c] 'd'", "title CONTAINS[cd] 'e'", "title ENDSWITH[c] 'N'",
      "title LIKE '*the*'",
      "title LIKE[cd] '?e*'", "title MATCHES '.*[a-z]'", "title IN {'NULL', '0', ' ', ''}",
      "title CONTAINS[d] 'Cafe'", "title ==[cd] 'CAFE, naive, ANGSTROM'", "title > '手'",
      "title < 'a'",
      "title CONTAINS '👩‍👩‍👧‍👦'", "title == 'Cafe\u{301}, nai\u{308}ve, A\u{30a}ngstro\u{308}m'",
      "title != subtitle", "title < subtitle", "pages BETWEEN {-5, 200}",
      "NOT (pages BETWEEN {0, 500})",
      "price > 19.98", "price == 0.01", "price < 0 OR price == nil", "price != 0",
      "weight >= 16777217",
      "weight != nil AND weight < 1", "big > 9007199254740992", "big == 9223372036854775807",
      "out == nil",
      "out > CAST(0, 'NSDate')", "code != nil", "link != nil", "data == nil",
      "shelf == nil",
      "shelf.label == nil", "shelf.label != nil AND shelf.room > 3", "ANY authors.name == nil",
      "ALL authors.age > 10", "NONE authors.vip == YES", "authors.@count > 1",
      "authors.@count == 0",
      "authors.@max.age > 100", "authors.@min.score < 0", "shelf.books.@count > 3",
      "pages + 1 > big",
      "title.length > 12", "FUNCTION(title, 'uppercaseString') == title",
      "pages IN {0, 1, -1, 2147483647}",
      "ANY authors.boss.name CONTAINS[c] 'e'",
      "NOT (title BEGINSWITH 'D' OR subtitle BEGINSWITH 'N')",
    ],
    "Shelf": [
      "ANY books.price > 10", "ALL books.pages > 0", "books.@count == 0", "books.@max.pages > 100",
      "label MATCHES[c] '.*STRASSE.*'", "room IN {0, -1, 32767}",
      "ANY books.title CONTAINS[d] 'Cafe'",
      "label == nil OR label == ''", "books.@min.out != nil", "NONE books.subtitle == nil",
    ],
    "Person": [
      "boss == nil", "boss.boss != nil", "staff.@count > 2", "name ==[cd] 'cafe, naive, angstrom'",
      "vip == YES", "vip != NO", "wealth >= 1000000000000000",
      "born > CAST(0, 'NSDate') OR age == nil",
      "ANY books.pages > 500", "ALL staff.vip == YES", "score == 0", "name CONTAINS[c] 'ıs'",
    ],
    "Writer": [
      "pen == nil OR pen == ''", "ANY prizes.year > 0", "prizes.@count > 0 AND vip != NO",
      "ANY books.shelf.label != nil", "prizes.@min.year < 0",
    ],
    "Prize": [
      "writer.name BEGINSWITH[d] 'D'", "year > 0 AND title != nil", "writer == nil",
      "writer.books.@count > 1", "writer.boss.staff.@count > 1",
    ],
  ]
}
