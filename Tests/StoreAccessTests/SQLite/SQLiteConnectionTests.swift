import MigrationTestSupport
import StoreAccess
import Testing

@Suite struct `SQLite connections` {
  @Test func `values of every storage class come back as they were bound`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let values: [SQLiteValue] = [
      .null, .integer(.min), .integer(.max), .real(-0.5), .real(.infinity), .text(""),
      .text("Größe 'x' \"y\" 日本"), .blob([]), .blob([0, 255, 39]),
    ]
    for value in values {
      #expect(try connection.rows("SELECT ?", [value]) == [[value]])
      #expect(try connection.rows("SELECT \(SQL.literal(value))") == [[value]])
    }
    #expect(try connection.rows("SELECT ?", [.text("a\u{0}b")]) == [[.text("a\u{0}b")]])
    #expect(try connection.rows("SELECT ?", [.real(.nan)]) == [[.null]])
  }

  @Test func `a double is said so that SQLite reads that very double`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    var random = SeededGenerator(seed: 9)
    var numbers: [Double] = [
      4.879768107048378e-11, 0.1, 1e15, 1e23, -2.5e-7, .leastNonzeroMagnitude,
      .leastNormalMagnitude,
      3 * .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .pi, 0,
    ]
    for _ in 0..<2000 {
      let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      if number.isFinite { numbers.append(number) }
    }
    for number in numbers {
      #expect(
        try connection.rows("SELECT \(SQL.literal(.real(number)))") == [[.real(number)]],
        "\(number)"
      )
    }
  }

  @Test func `bytes are lent without a copy and an empty blob is empty`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let statement = try connection.prepare("SELECT x'010203', x'', NULL, 'né', 7.5")
    #expect(try statement.step())
    #expect(statement.columnCount == 5)
    let lengths = (0..<4).map { statement.withBytes($0) { $0.count } }
    #expect(lengths == [3, 0, 0, 3])
    #expect(statement.blob(1) == [] && statement.blob(2) == nil)
    #expect(
      (0..<5).map { statement.storageClass($0) } == [.blob, .blob, .null, .text, .real]
    )
    #expect(statement.isNull(2) && statement.isNull(99) && !statement.isNull(1))
    #expect(statement.int64(4) == 7 && statement.double(4) == 7.5)
    #expect(try !statement.step())
  }

  @Test func `all statements of a script run and comments are skipped`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.execute(
      script: """
         ; CREATE TABLE T (A); -- a comment; with a semicolon
        INSERT INTO T VALUES (1);;INSERT INTO T VALUES (2) /* end */
        """
    )
    #expect(try connection.integer("SELECT SUM(A) FROM T; -- more") == 3)
    #expect(connection.changes == 1)
    #expect(throws: SQLiteError.self) { _ = try connection.prepare("SELECT 1; SELECT 2") }
    for end in [";", " ;; ", "-- end", "/* end */ ; -- more\n", "/* never closed", "\n\t\r\u{c}"] {
      #expect(try connection.integer("SELECT 1\(end.first == "-" ? " " : "")\(end)") == 1)
    }
    for more in ["; x", "; -- a\n SELECT 2", "; /* a */ /", ";\u{b}", "; \"", "; -", "; SELECT 2"] {
      let error = #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1\(more)") }
      #expect(error?.message.hasPrefix("More than one statement") == true, "\(more)")
    }
    #expect(throws: SQLiteError.self) { _ = try connection.prepare(" -- nothing") }
    #expect(throws: SQLiteError.self) { try connection.execute("SELECT ?", [1, 2]) }
  }

  @Test func `a misspelt quoted name is an error and not a string`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let error = #expect(throws: SQLiteError.self) { try connection.text("SELECT \"missing\"") }
    #expect(error?.code == .statement)
    #expect(error?.message.contains("missing") == true)
  }

  @Test func `errors name the statement's first words and no value`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.execute(script: "CREATE TABLE T (A UNIQUE); INSERT INTO T VALUES ('secret')")
    for sql in ["INSERT INTO T VALUES ('secret')", "INSERT INTO T SELECT A FROM T"] {
      let error = #expect(throws: SQLiteError.self) { try connection.execute(sql) }
      #expect(error?.code == .constraint)
      #expect(error?.resultCode == 2067)
      #expect(error?.message.contains("INSERT INTO T") == true)
      #expect(error?.description.contains("secret") == false)
    }
    let bound = #expect(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO T VALUES (?)", [.text("secret")])
    }
    #expect(bound?.description.contains("secret") == false)
  }

  @Test func `conditions by the thousand make no deep tree`() throws {  // M16
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let conditions = (0..<5_000).map { "x = \($0)" }
    let query = "SELECT COUNT(*) FROM (SELECT 4999 AS x) WHERE "
    #expect(try connection.integer(query + SQL.joined(conditions, "OR")) == 1)
    #expect(throws: SQLiteError.self) {
      try connection.integer(query + conditions.joined(separator: " OR "))
    }
  }

  @Test func `a transaction commits what returns and rolls back what throws`() throws {
    struct Refusal: Error {}
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.execute("CREATE TABLE T (A)")
    let result = try connection.transaction(.deferred) {
      #expect(connection.isInTransaction == true)
      try connection.execute("INSERT INTO T VALUES (1)")
      return 7
    }
    #expect(result == 7 && connection.isInTransaction == false)
    #expect(throws: Refusal.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO T VALUES (2)")
        throw Refusal()
      }
    }
    #expect(connection.isInTransaction == false)
    #expect(try connection.rows("SELECT A FROM T") == [[1]])
  }

  @Test func `a long statement stops when the progress closure says so`() throws {
    let endless =
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n) SELECT SUM(i) FROM n"
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    var questions = 0
    connection.onProgress(everyInstructions: 1000) {
      questions += 1
      return questions < 5
    }
    let error = #expect(throws: SQLiteError.self) { try connection.integer(endless) }
    #expect(error?.code == .interrupted)
    #expect(questions == 5)
    connection.removeProgress()
    #expect(try connection.integer("SELECT 1") == 1)
  }

  @Test func `a statement outlives its connection and its closures`() throws {
    func orphan() throws -> SQLiteStatement {
      let connection = try SQLiteConnection(path: "", access: .inMemory)
      connection.onProgress(everyInstructions: 1) { true }
      try connection.createFunction("twice", argumentCount: 1) { .integer($0.int64(0) * 2) }
      return try connection.prepare("SELECT twice(21) UNION ALL SELECT 1")
    }
    let statement = try orphan()
    #expect(try statement.step())
    #expect(statement.int64(0) == 42)
  }
}

@Suite struct `SQL functions` {
  @Test func `a closure gets its arguments and returns any value`() throws {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    let values: [SQLiteValue] = [.null, 3, 2.5, "", "é", .blob([]), .blob([1, 0])]
    try connection.createFunction("same", argumentCount: -1) { arguments in
      #expect(arguments.count == 1)
      return arguments.value(0)
    }
    for value in values { #expect(try connection.rows("SELECT same(?)", [value]) == [[value]]) }
  }

  @Test func `what a closure throws is kept and its words stay out of the error`() throws {
    struct Refusal: Error { let value: String }
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.createFunction("refuse", argumentCount: 1) { arguments in
      throw Refusal(value: try arguments.text(0) ?? "")
    }
    let error = #expect(throws: SQLiteError.self) {
      try connection.rows("SELECT refuse(?)", ["secret"])
    }
    #expect(error?.code == .statement && error?.description.contains("secret") == false)
    #expect((connection.takeFunctionError() as? Refusal)?.value == "secret")
    #expect(connection.takeFunctionError() == nil)
  }
}
