import MigrationTestSupport
import ObjectModel
import StoreAccess
import Testing

@testable import StoreMigration

/// Expressions that compile to SQL, and those left to the evaluator.
@Suite struct `Expression compiler` {
  private func compiler(_ entity: String = "Book") throws -> ExpressionCompiler {
    let schema = PhysicalSchema(model: try ModelSketch.model(Library.sketch))
    return ExpressionCompiler(schema: schema, database: "old", entity: entity, alias: "s")
  }

  @Test(
    arguments: [
      ("title", "s.\"ZTITLE\"", .string), ("$source.pages", "s.\"ZPAGES\"", .integer64),
      ("price", "s.\"ZPRICE\"", .decimal), ("nil", "NULL", nil),
      (
        "1 + 2",
        "CASE WHEN typeof((1 + 2)) = 'real' THEN waystone_stored(waystone_call('add:to:', 'nn', 1, 2)) "
          + "ELSE (1 + 2) END", .integer64
      ),
      (
        "price + 1", "waystone_stored(waystone_call('add:to:', 'mn', s.\"ZPRICE\", 1))", .decimal
      ),
      ("pages * 1.5", "(s.\"ZPAGES\" * 1.5)", .double), ("SELF", "s.Z_PK", .objectID),
      (
        "shelf.label",
        "(SELECT s_1.\"ZLABEL\" FROM \"old\".\"ZSHELF\" AS s_1 WHERE s_1.Z_PK = s.\"ZSHELF\")",
        .string
      ),
      (
        "TERNARY(pages > 3, 'long', 'short')",
        "CASE WHEN IFNULL(s.\"ZPAGES\" > 3, 0) THEN 'long' ELSE 'short' END", .string
      ),
      ("FUNCTION(title, 'length')", "waystone_method('length', 's', s.\"ZTITLE\")", .integer64),
      ("CAST(out, 'NSNumber')", "CAST(s.\"ZOUT\" AS REAL)", .double),
    ] as [(String, String, AttributeType?)]
  )
  func `an expression has its SQL`(format: String, sql: String, type: AttributeType?) throws {
    let compiled = try #require(try compiler().compile(Expression(format: format)))
    #expect(compiled.sql == sql)
    #expect(compiled.type == type)
    #expect(!compiled.canFail)
  }

  @Test(arguments: [
    ("title == nil", "(s.\"ZTITLE\" IS NULL)"), ("title != 'x'", "(NOT (s.\"ZTITLE\" IS 'x'))"),
    ("pages == 'x'", "(s.\"ZPAGES\" IS NULL AND 'x' IS NULL)"), ("TRUEPREDICATE", "1"),
    ("title ==[c] 'x'", "(waystone_fold(1, s.\"ZTITLE\") IS waystone_fold(1, 'x'))"),
    ("title LIKE[cd] 'x*'", "waystone_compare(7, 3, s.\"ZTITLE\", 'x*')"),
    ("pages BETWEEN {1, 2}", "(IFNULL(s.\"ZPAGES\" >= 1, 0) AND IFNULL(s.\"ZPAGES\" <= 2, 0))"),
    ("pages IN {}", "0"), ("price > 3", "IFNULL(s.\"ZPRICE\" > 3, 0)"),
    (
      "pages + 1 < 3",
      "CASE WHEN typeof((s.\"ZPAGES\" + 1)) = 'real' THEN IFNULL(waystone_method('compare:', 'nn', "
        + "waystone_call('add:to:', 'nn', s.\"ZPAGES\", 1), 3) < 0, 0) "
        + "ELSE IFNULL((s.\"ZPAGES\" + 1) < 3, 0) END"
    ),
    (
      "NONE authors.age > 3",
      "(NOT EXISTS (SELECT 1 FROM \"old\".\"Z_1AUTHORS\" AS s_2, \"old\".\"ZPERSON\" AS s_1 WHERE "
        + "s_2.\"Z_1BOOKS\" = s.Z_PK AND s_1.Z_PK = s_2.\"Z_2AUTHORS\" AND IFNULL(s_1.\"ZAGE\" > 3, 0)))"
    ),
  ])
  func `a predicate has its SQL`(format: String, sql: String) throws {
    let compiled = try compiler().compile(Predicate(format: format))
    #expect(compiled == sql)
  }

  @Test(arguments: [
    "FUNCTION($manager, 'x')", "FUNCTION($entityPolicy, 'x:', title)", "$destination.title",
    "frobnicate",
    "shelf.books", "authors", "{1, 2}", "authors.name", "authors.@sum.score",
    "shelf.books.@sum.big",
    "authors.@unionOfObjects.name", "sum(authors.age)", "authors UNION authors", "random()",
    "shelf.books.@sum.price", "CAST(out, 'NSString')", "title + 1", "authors.pen", "now()",
    "SUBQUERY(authors, $a, $a.pen == 'x').@count", "FETCH(1, 2, NO)", "uppercase(pages)",
    "authors[0]",
    "FUNCTION(CAST('NSDate', 'Class'), 'date')", "TERNARY(pages > 1, title, pages)",
  ])
  func `what SQL cannot say the same way is left out`(format: String) throws {
    #expect(try compiler().compile(Expression(format: format)) == nil)
  }

  @Test(arguments: [
    "title < 1", "title MATCHES '('", "title MATCHES subtitle", "ANY title == 'x'",
    "FUNCTION(title, 'substringToIndex:', 2) == 'ab'", "pages BETWEEN authors.age", "$x == 1",
    "ANY authors.boss.staff.age > 1", "data == data AND FUNCTION($manager, 'x') == 1",
  ])
  func `conditions that could fail or differ are left out`(format: String) throws {
    #expect(try compiler().compile(Predicate(format: format)) == nil)
  }

  @Test func `bytes beside the store are left out`() throws {
    let model = try ModelSketch.model("Note { inside: Binary?; beside: Binary? external }")
    let compiler = ExpressionCompiler(
      schema: PhysicalSchema(model: model),
      database: "main",
      entity: "Note",
      alias: "n"
    )
    #expect(compiler.compile(.source("inside"))?.sql == "n.\"ZINSIDE\"")
    #expect(compiler.compile(.source("beside")) == nil)
  }

  @Test func `a row that a function refuses makes the statement fail with the reason`() throws {
    try TemporaryFolder.with { folder in
      let library = try Library(in: folder, rows: 20, seed: 3)
      let format = try Expression(format: "FUNCTION(title, 'substringFromIndex:', 9999)")
      let compiled = try #require(library.compiler("Book").compile(format))
      #expect(compiled.canFail)
      #expect(throws: SQLiteError.self) { _ = try library.values(compiled.sql, of: "Book") }
      let reason = library.store.database.connection.takeFunctionError() as? EvaluationError
      #expect(reason?.code == .outOfBounds)
    }
  }

  /// Expressions that may refuse a row, and those that cannot, at any depth.
  private static let failing: [(inner: String, canFail: Bool)] = [
    ("bitwiseAnd:with:(pages, 3)", true), ("leftshift:by:(pages, 1)", true), ("pages", false),
    ("3", false),
  ]

  @Test(arguments: failing.indices)
  func `a call can fail where its own function or an argument can`(index: Int) throws {
    let (inner, canFail) = Self.failing[index]
    for format in [
      "\(inner) + 1", "1 - \(inner)", "\(inner) * pages", "\(inner) / 2",
      "modulus:by:(\(inner), 3)",
      "raise:toPower:(2, \(inner))", "abs(\(inner))", "sqrt(\(inner))",
      "CAST(\(inner), 'NSString')",
      "FUNCTION(\(inner), 'stringValue')",
    ] {
      let compiled = try #require(try compiler().compile(Expression(format: format)), "\(format)")
      #expect(compiled.canFail == canFail, "\(format)")
      // A condition may not fail where the evaluator would not.
      let condition = try compiler().compile(Predicate(format: "\(format) == 1"))
      #expect(!canFail || condition == nil, "\(format)")
    }
    let cut = canFail ? "FUNCTION(title, 'substringToIndex:', 1)" : "title"
    for format in [
      "length(\(cut))", "uppercase(\(cut))", "FUNCTION(\(cut), 'hasPrefix:', 'x')",
      "FUNCTION(title, 'stringByAppendingString:', \(cut))",
    ] {
      let compiled = try #require(try compiler().compile(Expression(format: format)), "\(format)")
      #expect(compiled.canFail == canFail, "\(format)")
    }
  }

  @Test(arguments: [1, 3, 5, 8, 10, 11, 12, 13, 14, 15, 30, 60, 190])
  func `what SQLite could not read is left out`(count: Int) throws {
    let joined = { (part: String, sign: String) in
      Array(repeating: part, count: count * 50).joined(separator: sign)
    }
    let nested = { (opening: String, inner: String, closing: String) in
      String(repeating: opening, count: count) + inner + String(repeating: closing, count: count)
    }
    try TemporaryFolder.with { folder in
      let library = try Library(in: folder, rows: 5, seed: 3)
      let compiler = library.compiler("Book")
      for text in [
        "pages == 1" + String(repeating: " + 1", count: count), joined("pages == 1", " OR "),
        joined("title LIKE[c] 'x'", " AND "), nested("NOT (", "pages == 1", ")"),
        "pages IN {\(joined("3", ", "))}", nested("abs(", "pages", ")") + " == 1",
        nested("TERNARY(pages > 1, ", "pages", ", 1)") + " == 2",
        nested("TERNARY(", "pages", " BETWEEN {1, 2}, 1, 2)") + " == 1",
        "shelf" + String(repeating: ".books.shelf", count: count) + ".label == 'x'",
        "boss" + String(repeating: ".boss", count: count) + ".age == 1",
      ] {
        guard let predicate = try? Predicate(format: text),
          let sql = compiler.compile(predicate)
        else { continue }
        #expect(sql.utf8.count <= 100_000)
        #expect(throws: Never.self) { _ = try library.values(sql, of: "Book") }
      }
      for (text, entity) in [
        (
          nested("SUBQUERY(authors, $x, ANY books.title == 'x' AND ", "pages == 1", ").@count > 0"),
          "Book"
        ),
        (
          nested("SUBQUERY(staff, $x, ($x.age + 1) * 2 == 4 OR ", "age == 1", ").@count > 0"),
          "Writer"
        ),
        (nested("TERNARY(staff.@max.age BETWEEN {1, abs(", "age", ")}, 1, 2)") + " == 1", "Writer"),
      ] {
        guard let predicate = try? Predicate(format: text),
          let sql = library.compiler(entity).compile(predicate)
        else { continue }
        #expect(throws: Never.self) { _ = try library.values(sql, of: entity) }
      }
      let person = library.compiler("Writer")
      let path = "boss" + String(repeating: ".boss", count: count) + ".age == 1"
      if let sql = try person.compile(Predicate(format: path)) {
        #expect(throws: Never.self) { _ = try library.values(sql, of: "Writer") }
      }
    }
  }

  @Test func `plain expressions of some length do compile`() throws {
    var expression = Expression.keyPath(.evaluatedObject, ["title"])
    for _ in 0..<6 {
      expression = .function(
        expression,
        selector: "stringByAppendingString:",
        arguments: [.keyPath(.evaluatedObject, ["subtitle"])]
      )
    }
    #expect(try compiler().compile(expression) != nil)
    let sum = "pages" + String(repeating: " + pages", count: 10)
    #expect(try compiler().compile(Expression(format: sum)) != nil)
    let many = Array(repeating: "pages == 1", count: 1_000).joined(separator: " OR ")
    #expect(try compiler().compile(Predicate(format: many)) != nil)
  }

  @Test func `numbers and texts are exact as constants`() throws {
    try TemporaryFolder.with { folder in
      let library = try Library(in: folder, rows: 20, seed: 4)
      var random = SeededGenerator(seed: 5)
      for _ in 0..<500 {
        let number = Double(bitPattern: random.next())
        guard number.isFinite else { continue }
        let term = try #require(SQLTerm(.real(number)))
        #expect(try library.values(term.sql, of: "Book").first == .real(number))
      }
      for text in ["", "it's", "a\u{0}b", "\u{10ffff}"] {
        let term = try #require(SQLTerm(.string(text)))
        #expect(try library.values(term.sql, of: "Book").first == .text(text))
      }
    }
  }
}
