import ObjectModel
import Testing

struct PiecesTests {
  @Test(arguments: [
    ("a,b,c", ",", ["a", "b", "c"]),
    (" a , b ,, c,", ",", ["a", "b", "c"]),
    ("one", ",", ["one"]),
    ("", ",", []),
    ("a::b:c", "::", ["a", "b:c"]),
    ("é, ñ", ", ", ["é", "ñ"]),
    ("a,b", "", ["a,b"]),
  ])
  func `a text is cut at its separator`(text: String, separator: String, parts: [String]) {
    let pieces = EntityMapping.Pieces(of: .source("tags"), separator: separator)
    #expect(pieces.parts(of: text) == parts)
  }

  @Test func `blanks and empty parts stay where the rule does not trim`() {
    let pieces = EntityMapping.Pieces(of: .source("tags"), separator: ",", trimsBlanks: false)
    #expect(pieces.parts(of: " a,, b") == [" a", "", " b"])
  }

  @Test func `lookups print as functions of the migration manager`() {
    let found = Expression.sourceInstance(
      ofEntity: "Profile",
      where: "user",
      equals: .source("id")
    )
    #expect(
      "\(found)"
        == #"FUNCTION($manager, "sourceInstanceForEntityNamed:key:value:", "Profile", "user", $source.id)"#
    )
    let made = Expression.destinationInstances(forMapping: "AToB", of: .source("owner"))
    #expect(
      "\(made)"
        == #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "AToB", $source.owner)"#
    )
  }
}
