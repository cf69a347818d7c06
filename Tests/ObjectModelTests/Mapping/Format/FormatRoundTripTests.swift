import ObjectModel
import Testing

/// Printing and parsing are each other's reverse.
@Suite struct `Format round trips` {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `random trees come back equal`(seed: UInt64) throws {
    var trees = RandomExpression(seed: seed)
    for count in 0..<100 {
      let expression = trees.expression(count % 5)
      let text = expression.description
      #expect(try Expression(format: text) == expression, "\(text)")
      let predicate = trees.predicate(count % 5)
      let condition = predicate.description
      #expect(try Predicate(format: condition) == predicate, "\(condition)")
    }
  }

  @Test func `keys that are no names come back`() throws {
    for key in ["with space", "a-b", "1", "§", "", "'"] where !key.isEmpty {
      let expression = Expression.keyPath(.variable("x"), ["a", key])
      #expect(try Expression(format: expression.description) == expression)
      let own = Expression.keyPath(.evaluatedObject, [key])
      #expect(try Expression(format: own.description) == own)
    }
  }
}
