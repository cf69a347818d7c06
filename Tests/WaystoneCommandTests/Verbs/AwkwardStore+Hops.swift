// Stores whose rows a hop file reads.
extension AwkwardStore {
  static let hops: [AwkwardStore] = [
    sum(of: "Integer 32"), sum(of: "Integer 64"),
    split(
      "no value for a part where one is required",
      #"<attribute name="c" attributeType="String"/>"#,
      "TERNARY($piece == 'b', nil, $piece)",
      code: "WS313"
    ),
    split(
      "a part that is too long",
      attribute("c", "String", #"maxValueString="3""#),
      "$piece",
      text: "abcd,e",
      code: "WS605"
    ),
    split(
      "a part whose number an attribute cannot hold",
      attribute("c", "Integer 16"),
      "CAST($piece, 'NSNumber')",
      text: "1,70000",
      code: "WS426"
    ),
    split(
      "a part of which nothing can be computed",
      attribute("c", "String"),
      "FUNCTION($piece, 'substringToIndex:', 2)",
      text: "abc,d",
      code: "WS428"
    ),
    split(
      "parts that share what is to be unique",
      attribute("c", "String"),
      "$piece",
      uniqueValue,
      text: "a,b,a",
      code: "WS314"
    ),
    AwkwardStore(
      testDescription: "a number too great in the parts of a row",
      after: base + entity("C", attribute("c", "Integer 16")),
      hop: "  - source: A\n  - source: B\n  - source: A\n    destination: C\n"
        + "    split: {text: $source.t, separator: ','}\n    attributes: {c: $source.x}\n",
      damage: .sql("UPDATE ZA SET ZT = 'a,b', ZX = 70000"),
      code: "WS310"
    ),
    AwkwardStore(
      testDescription: "no value from a part of a text for what becomes required",
      after: entity(
        "A",
        #"<attribute name="x" attributeType="String"/>"#,
        attribute("t", "String"),
        toB
      ) + b,
      hop: "  - source: A\n    attributes:\n      x: >-\n"
        + "        TERNARY(ANY FUNCTION($source.t, \"componentsSeparatedByString:\", \"-\") == 'a', "
        + "'a', nil)\n",
      damage: .sql("UPDATE ZA SET ZT = 'b-c' WHERE Z_PK = 2"),
      code: "WS313"
    ),
    AwkwardStore(
      testDescription: "an expression that asks for what lies beyond a list's end",
      after: a("String"),
      hop: "  - source: A\n    attributes:\n      x: >-\n"
        + "        FUNCTION(FUNCTION($source.t, \"componentsSeparatedByString:\", \"-\"), "
        + "\"objectAtIndex:\", 1)\n",
      damage: .sql("UPDATE ZA SET ZT = 'b-c'; UPDATE ZA SET ZT = 'b' WHERE Z_PK = 2"),
      code: "WS428"
    ),
    AwkwardStore(
      testDescription: "a filter that cannot be computed of a row",
      after: base + new,
      hop:
        "  - source: A\n    where: \"FUNCTION(t, 'substringToIndex:', 2) != 'x'\"\n  - source: B\n",
      damage: .sql("UPDATE ZA SET ZT = 'abc'; UPDATE ZA SET ZT = 'a' WHERE Z_PK = 2"),
      code: "WS428"
    ),
    AwkwardStore(
      testDescription: "text that is none, in a row that becomes one object with others",
      after: base + new,
      hop: "  - source: A\n  - source: B\n  - source: A\n    destination: C\n    deduplicate: [c]\n"
        + "    attributes: {c: \"uppercase:($source.t)\"}\n",
      damage: .sql("UPDATE ZA SET ZT = CAST(x'ff41' AS TEXT) WHERE Z_PK = 2"),
      code: "WS523"
    ),
    AwkwardStore(
      testDescription: "infinity in a double that becomes decimal",
      before: a("Double"),
      after: a("Decimal"),
      damage: .sql("UPDATE ZA SET ZX = 9e999 WHERE Z_PK = 1"),
      code: "WS523"
    ),
    AwkwardStore(
      testDescription: "a double that no decimal number holds",
      before: a("Double"),
      after: a("Decimal"),
      damage: .sql("UPDATE ZA SET ZX = -1e300 WHERE Z_PK = 1"),
      code: "WS523"
    ),
    AwkwardStore(
      testDescription: "a number too great for a hop that makes one object of several",
      after: a("Integer 16"),
      hop: "  - source: A\n    deduplicate: t\n    attributes: {t: $source.t, x: $source.x}\n",
      damage: .sql("UPDATE ZA SET ZX = 70000"),
      code: "WS310"
    ),
    AwkwardStore(
      testDescription: "text that is too long for a hop that validates objects",
      after: entity(
        "A",
        attribute("x", "Integer 32"),
        attribute("t", "String", #"maxValueString="3""#),
        toB
      ) + entity("B", attribute("u", "String"), attribute("v", "Integer 32"), toA),
      hop: "  - source: B\n    attributes:\n      v: \"5\"\n",
      damage: .sql("UPDATE ZA SET ZT = 'aaaa'"),
      code: "WS605"
    ),
    AwkwardStore(
      testDescription: "a policy that the program lacks",
      hop: "  - source: A\n    policy: Missing\n",
      damage: .sql(""),
      code: "WS408"
    ),
  ]

  /// A sum of numbers of a type that SQL adds up, or only the evaluator.
  private static func sum(of type: String) -> AwkwardStore {
    AwkwardStore(
      testDescription: "a sum of \(type) too great for the attribute that a hop gives it",
      before: a(type),
      after: a(type)
        .replacing(
          attribute("u", "String"),
          with: attribute("u", "String") + attribute("s", "Integer 16")
        ),
      hop: "  - source: B\n    attributes: {s: $source.as.@sum.x}\n",
      damage: .sql("UPDATE ZA SET ZX = 40000"),
      code: "WS426"
    )
  }

  private static let uniqueValue =
    #"<uniquenessConstraints><uniquenessConstraint><constraint value="c"/>"#
    + "</uniquenessConstraint></uniquenessConstraints>"

  /// A hop whose split makes objects of the parts of a text.
  static func split(
    _ testDescription: String,
    _ attribute: String,
    _ value: String,
    _ rules: String = "",
    text: String = "a,b",
    code: String?
  ) -> AwkwardStore {
    AwkwardStore(
      testDescription: testDescription,
      after: base + entity("C", attribute, rules),
      hop: "  - source: A\n  - source: B\n  - source: A\n    destination: C\n"
        + "    split: {text: $source.t, separator: ','}\n    attributes: {c: \"\(value)\"}\n",
      damage: .sql("UPDATE ZA SET ZT = NULL; UPDATE ZA SET ZT = '\(text)' WHERE Z_PK = 2"),
      code: code
    )
  }
}
