import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// The compiler and the evaluator, each held against the other on random queries.
@Suite struct `Compiled expressions` {
  private static let entities = ["Writer", "Editor", "Book", "Shelf", "Prize"]

  @Test(arguments: Trials.some(of: 16 as UInt64))
  func `expressions give the same row by row`(seed: UInt64) throws {
    try TemporaryFolder.with { folder in
      let library = try Library(in: folder, seed: seed)
      var query = RandomQuery(model: library.schema.model, seed: seed &* 31 + 7)
      var compiled = 0
      for count in 0..<250 {
        let entity = Self.entities[count % Self.entities.count]
        let start: Expression = count % 2 == 0 ? .evaluatedObject : .variable("source")
        let kind = RandomQuery.Kind.allCases[count % 4]
        let expression = query.expression(
          kind,
          in: [.init(start: start, entity: entity)],
          depth: count % 4
        )
        guard let sql = library.compiler(entity).compile(expression) else { continue }
        compiled += 1
        try expect(expression, sql, entity, library)
      }
      #expect(compiled > 150, "only \(compiled) of 250 compile")
    }
  }

  private func expect(
    _ expression: Expression,
    _ compiled: CompiledExpression,
    _ entity: String,
    _ library: Library
  ) throws {
    for object in try library.objects(entity) {
      let value: ExpressionValue
      do {
        value = try library.evaluator(object).evaluate(expression, with: .object(object))
      } catch let error as EvaluationError {
        // What the evaluator refuses, SQL refuses.
        #expect(compiled.canFail, "\(error): \(expression)")
        #expect(throws: SQLiteError.self, "\(expression)") {
          _ = try library.value(compiled.sql, of: object)
        }
        continue
      }
      let exact = try #require(try library.value(compiled.exactSQL, of: object), "\(expression)")
      let stored = try #require(try library.value(compiled.sql, of: object), "\(expression)")
      guard !Library.agree(value, exact) || !Library.isStored(value, stored) else { continue }
      Issue.record(
        "\(expression) of \(entity): \(value), \(exact) and \(stored) by \(compiled.sql)"
      )
      return
    }
  }

  @Test(arguments: Trials.some(of: 16 as UInt64))
  func `predicates hold for the same rows`(seed: UInt64) throws {
    try TemporaryFolder.with { folder in
      let library = try Library(in: folder, seed: seed &+ 100)
      var query = RandomQuery(model: library.schema.model, seed: seed &* 37 + 11)
      var compiled = 0
      for count in 0..<250 {
        let entity = Self.entities[count % Self.entities.count]
        let start: Expression = count % 2 == 0 ? .evaluatedObject : .variable("source")
        let predicate = query.predicate(
          in: [.init(start: start, entity: entity)],
          depth: count % 5
        )
        guard let sql = library.compiler(entity).compile(predicate) else { continue }
        compiled += 1
        let stored = try library.values(sql, of: entity)
        let objects = try library.objects(entity)
        #expect(stored.count == objects.count)
        for (object, stored) in zip(objects, stored) {
          let holds = try library.evaluator(object).evaluate(predicate, with: .object(object))
          guard stored != .integer(holds ? 1 : 0) else { continue }
          Issue.record("\(predicate) of \(entity): \(holds) and \(stored) by \(sql)")
          break
        }
      }
      #expect(compiled > 120, "only \(compiled) of 250 compile")
    }
  }
}
