import ObjectModel
import Testing

/// The places `%@` and `%K` of a format string.
@Suite struct FormatArgumentTests {
  @Test func `an argument is a value, whatever it looks like`() throws {
    let hostile = "x\" OR TRUEPREDICATE OR \"\" == \""
    let predicate = try Predicate(format: "name == %@ AND age > %@", .string(hostile), .integer(3))
    let left = Predicate.Comparison(
      .keyPath(.evaluatedObject, ["name"]),
      .equal,
      .constant(.string(hostile))
    )
    let right = Predicate.Comparison(
      .keyPath(.evaluatedObject, ["age"]),
      .greaterThan,
      .constant(.integer(3))
    )
    #expect(predicate == .all([.comparison(left), .comparison(right)]))
  }

  @Test func `a key may be a path and a reserved word`() throws {
    let written = try Predicate(format: "author.#first == 'a'")
    #expect(try Predicate(format: "%K == %@", .string("author.first"), .string("a")) == written)
    #expect(
      try Expression(format: "%K", .string("notes.@count")) == Expression(format: "notes.@count")
    )
    #expect(try Predicate(format: "name == %@", nil) == Predicate(format: "name == NIL"))
  }

  @Test func `a place in quotation marks is text`() throws {
    #expect(try Expression(format: "'%@'") == .constant(.string("%@")))
  }

  @Test func `places and arguments must agree`() {
    #expect(throws: FormatError.self) { try Predicate(format: "a == %@") }
    #expect(throws: FormatError.self) { try Predicate(format: "a == 1", .integer(1)) }
    #expect(throws: FormatError.self) { try Predicate(format: "%K == 1", .integer(1)) }
    #expect(throws: FormatError.self) { try Predicate(format: "%K == 1", .string("a == 1 OR b")) }
    #expect(throws: FormatError.self) { try Predicate(format: "a == %d", .integer(1)) }
  }
}
