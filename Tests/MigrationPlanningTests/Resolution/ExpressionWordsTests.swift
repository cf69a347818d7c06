import MigrationPlanning
import MigrationTestSupport
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
      ("$source.marks[0]", "member 1 of marks"),
      ("$source.marks[9223372036854775807]", "member 9223372036854775808 of marks"),
      ("$source.marks[-9223372036854775808]", "member -9223372036854775808 of marks"),
    ]
  )
  func `have no syntax`(format: String, words: String) throws {
    let expression = try Expression(format: format)
    #expect(ValueOrigin.computed(expression, []).description == words)
  }

  @Test(arguments: ["-9223372036854775808", "0", "2", "9223372036854775807"])
  func `a variable whose name is a number that no input has is no input`(name: String) throws {
    let value = ValueOrigin.computed(.call("uppercase:", [.variable(name)]), [.carried(["t"])])
    #expect(value.description == "the upper case of \(name)")
    let model = try ModelSketch.model("A { t: String? }")
    var entity = EntityMapping(mappingType: .transform, source: "A", destination: "A")
    entity.attributeMappings = [PropertyMapping(name: "t", valueExpression: .variable(name))]
    let mapping = ResolvedMapping(MappingModel(entityMappings: [entity]), from: model, to: model)
    #expect(mapping.entities[0]?.attributes["t"] == .computed(.variable(name), []))
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
