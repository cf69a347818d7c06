import MigrationPlanning
import ObjectModel
import Testing

@Suite struct `Expressions in sentences` {
  @Test(
    arguments: [
      ("$source.title", "title"),
      ("$source.owner.name", "owner.name"),
      ("uppercase:($source.title)", "the upper case of title"),
      ("$source.first + $source.last", "first + last"),
      ("CAST($source.year, \"NSNumber\")", "year as a number"),
      (
        "FUNCTION($source.name, \"componentsSeparatedByString:\", \", \")[FIRST]",
        "the first part of name, split at \", \""
      ),
      (
        "TERNARY($source.name CONTAINS \",\", $source.name, \"none\")",
        "name if name contains \",\", otherwise \"none\""
      ),
      ("FUNCTION($source.name, \"reversedBy:\", $source.mark)", "a value computed from name, mark"),
      ("FUNCTION($entityPolicy, \"made\")", "a computed value"),
      (
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"A\", "
          + "$source.blogs)",
        "what becomes of blogs"
      ),
      ("nil", "nothing"),
    ]
  )
  func `have no syntax`(format: String, words: String) throws {
    let expression = try Expression(format: format)
    #expect(ValueOrigin.computed(expression, []).description == words)
  }

  @Test func `inputs stand for themselves, and what has no text is named by its kind`() {
    let expression = Expression.call("uppercase:", [.variable("1")])
    let input = ValueOrigin.filled(.carried(["title"]), .string("none"))
    #expect(
      ValueOrigin.computed(expression, [input]).description
        == "the upper case of title, or \"none\" where it is empty"
    )
    #expect(ValueOrigin.constant(.date(0)).description == "a date")
  }

  @Test(
    arguments: [
      ("v1", "v1"), ("Model 33", "'Model 33'"), ("it's", "'it'\\''s'"), ("", "''"),
      ("a$b", "'a$b'"), ("Bücher/v2", "Bücher/v2"),
    ]
  )
  func `a name is one word of a shell`(name: String, word: String) {
    #expect(name.shellWord == word)
  }
}
