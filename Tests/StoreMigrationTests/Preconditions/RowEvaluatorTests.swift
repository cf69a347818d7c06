import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreMigration
import Testing

/// Questions about expressions that SQL cannot express, asked of the rows before a run.
@Suite struct RowEvaluatorTests {
  private func answer(
    _ expression: Expression,
    _ kind: Precondition.Kind = .computable
  ) throws -> Precondition.Answer {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model("Note { body: String?; color: Transformable? }")
      let path = folder + "/store.sqlite"
      let rows = "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZBODY, ZCOLOR) VALUES "
      let values = "(1, 1, 1, 'a,b', x'01'), (2, 1, 1, 'c', NULL)"
      _ = try SketchedStore(model, rows: rows + values, at: path)
      let questions = try StorePreconditionChecker(reading: path, model: model)
      let subject = Precondition.Subject("Note", [.computed(expression, [])])
      let answer = questions.answer(
        to: Precondition(.expressionFails, entity: "Note", property: "body", kind, [subject])
      )
      try questions.checkUnchanged()
      return answer
    }
  }

  private static let body = Expression.keyPath(.variable("source"), ["body"])
  private static let parts = Expression.function(
    body,
    selector: "componentsSeparatedByString:",
    arguments: [.constant(.string(","))]
  )

  private static func part(_ place: Int64) -> Expression {
    .function(parts, selector: "objectAtIndex:", arguments: [.constant(.integer(place))])
  }

  @Test func `rows for which an expression fails are counted`() throws {
    #expect(try answer(Self.part(0)) == .proven(of: 2))
    #expect(try answer(Self.part(1)) == .refuted(rows: 1, of: 2, groups: nil, keys: [2]))
  }

  @Test func `rows without a value are counted, and those that share one`() throws {
    #expect(try answer(Self.part(0), .present) == .proven(of: 2))
    #expect(try answer(Self.part(0), .unique) == .proven(of: 2))
  }

  @Test(
    arguments: [
      .call("now", []), .function(.className("NSDate"), selector: "date", arguments: []),
      .keyPath(.variable("source"), ["color"]), .keyPath(.variable("manager"), ["now"]), parts,
    ] as [Expression]
  )
  func `the time, objects of the program and lists are left to the run`(
    expression: Expression
  ) throws {
    let same = Expression.conditional(
      .comparison(.init(expression, .equal, expression)),
      expression,
      expression
    )
    for asked in [expression, same] {
      guard case .refuted = try answer(asked) else { continue }
      Issue.record("\(asked) is taken for one that fails")
    }
  }
}
