import Foundation
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Expressions of numbers, computed row by row, by SQL, and by Python's `decimal`.
@Suite struct `Decimal expressions` {
  private static let sketch =
    "N { d: Decimal?; e: Decimal?; n: Int64?; m: Int64?; x: Double?; s: String? }"

  /// 50 seeds of 200 expressions; a part of the seeds unless all trials are wanted.
  @Test(arguments: Trials.some(of: 50 as UInt64))
  func `all three give the same`(seed: UInt64) throws {
    try TemporaryFolder.with { folder in
      var query = DecimalQuery(seed: seed)
      let store = try Self.store(folder + "/n.sqlite", &query)
      let compiler = ExpressionCompiler(
        schema: store.schema,
        database: "main",
        entity: "N",
        alias: "s"
      )
      var objects: [ManagedObject] = []
      try store.context.forEach(entityName: "N", includesSubentities: true) {
        objects.append($0)
        return true
      }
      var lines: [String] = []
      var compiled = 0
      for count in 0..<200 {
        let (expression, json) = query.expression(depth: 1 + count % 4)
        let object = objects[count % objects.count]
        let value = try ExpressionEvaluator(variables: ["source": .object(object)])
          .evaluate(expression, with: .object(object))
        lines.append(
          "{\"row\": \(try Self.row(object)), \"expression\": \(json), \(Self.json(value))}"
        )
        guard let sql = compiler.compile(expression) else { continue }
        compiled += 1
        let exact = try Self.value(sql.exactSQL, of: object, store)
        #expect(Library.agree(value, exact), "\(expression): \(value) and \(exact)")
        let stored = try Self.value(sql.sql, of: object, store)
        #expect(Library.isStored(value, stored), "\(expression): \(value) and \(stored)")
        // A comparison with what it is must hold, and with what it is not must not.
        let other = query.expression(depth: 1).expression
        for relation in [Predicate.Relation.equal, .lessThan, .greaterThanOrEqual] {
          let predicate = Predicate.comparison(.init(expression, relation, other))
          guard let condition = compiler.compile(predicate) else { continue }
          let holds = try ExpressionEvaluator(variables: ["source": .object(object)])
            .evaluate(predicate, with: .object(object))
          let found = try Self.value(condition, of: object, store)
          #expect(found == .integer(holds ? 1 : 0), "\(predicate)")
        }
      }
      #expect(compiled > 180, "only \(compiled) of 200 compile")
      try Self.check(lines, folder)
    }
  }

  private static func store(_ path: String, _ query: inout DecimalQuery) throws -> OpenedStore {
    let model = try ModelSketch.model(sketch)
    try StoreGenerator(model: model, rows: 24, seed: 1).write(to: path)
    do {
      let database = try AppDatabase(path)
      for key in 1...24 {
        try database.execute(
          "UPDATE ZN SET ZD = \(query.digits()), ZE = \(query.digits()), ZN = \(query.integer()), "
            + "ZM = \(key % 5 == 0 ? "NULL" : "\(query.integer())"), ZX = \(query.real()), "
            + "ZS = '\(query.digits())' WHERE Z_PK = \(key)"
        )
      }
      try database.execute(
        "UPDATE ZN SET ZD = 9007199254740993, ZE = 9007199254740992 WHERE Z_PK = 1"
      )
    }
    let store = try OpenedStore(path, model, isWritable: false)
    try ExpressionFunctions.register(on: store.database.connection)
    return store
  }

  private static func value(
    _ sql: String,
    of object: ManagedObject,
    _ store: OpenedStore
  ) throws -> SQLiteValue {
    try store.database.connection.rows(
      "SELECT \(sql) FROM ZN AS s WHERE s.Z_PK = ?",
      [.integer(object.objectID.key)]
    )[0][0]
  }

  private static func row(_ object: ManagedObject) throws -> String {
    let members = try ["d", "e", "n", "m", "x", "s"].map { name in
      "\"\(name)\": {\(json(try object.value(forKey: name)))}"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func json(_ value: ExpressionValue) -> String {
    switch value {
    case .scalar(.integer(let number)): "\"kind\": \"integer\", \"value\": \"\(number)\""
    case .scalar(.decimal(let digits)): "\"kind\": \"decimal\", \"value\": \"\(digits)\""
    case .scalar(.real(let number)): "\"kind\": \"real\", \"value\": \"\(number)\""
    case .scalar(.string(let text)): "\"kind\": \"text\", \"value\": \"\(text)\""
    default: "\"kind\": \"nothing\", \"value\": \"\""
    }
  }

  private static func check(_ lines: [String], _ folder: String) throws {
    let path = folder + "/expressions.json"
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = [
      "python3", SampleArchive.root + "/../Tests/Decimals/check_decimals.py", path,
    ]
    let output = Pipe()
    python.standardOutput = output
    try python.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    python.waitUntilExit()
    #expect(python.terminationStatus == 0, "\(text)")
  }
}
