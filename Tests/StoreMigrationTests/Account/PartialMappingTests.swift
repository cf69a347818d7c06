import MigrationPlanning
import ObjectModel
import StoreMigration
import Testing

/// Hop files whose entity mappings take only some objects of an entity, or only parts of them: what the
/// others hold is told of by the plan, or stops the run.
@Suite struct PartialMappingTests {
  /// The findings that a plan must have, and their words.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let sketches: [String]
    let hop: String
    var statements: [String] = []
    let code: FindingCode
    let place: String
    /// Whether rows stand against it; nil where only the run knows.
    let isRefuted: Bool?
    /// Whether the run stops.
    var stops = false
  }

  private static let cases = [
    Case(
      testDescription: "a value that only one of two filters carries",
      sketches: ["N { x: Int64?; y: String? }", "N { x: Int64? } M { y: String? }"],
      hop: """
        entities:
          - {source: N, destination: N, where: x < 5}
          - {source: N, destination: M, where: x >= 5, attributes: {y: $source.y}}
        """,
      statements: ["UPDATE ZN SET ZX = Z_PK, ZY = 'y'"],
      code: .attributeDropped,
      place: "N.y",
      isRefuted: true
    ),
    Case(
      testDescription: "a value that the others do not have",
      sketches: ["N { x: Int64?; y: String? }", "N { x: Int64? } M { y: String? }"],
      hop: """
        entities:
          - {source: N, destination: N, where: x < 5}
          - {source: N, destination: M, where: x >= 5, attributes: {y: $source.y}}
        """,
      statements: ["UPDATE ZN SET ZX = Z_PK, ZY = CASE WHEN Z_PK >= 5 THEN 'y' END"],
      code: .attributeDropped,
      place: "N.y",
      isRefuted: false
    ),
    Case(
      testDescription: "links of which an expression reads only values at their end",
      sketches: [
        "P { n: String?; boss -> Q.ps } Q { q: String?; ps ->> P.boss }",
        "P { n: String?; x: String? } Q { q: String? }",
      ],
      hop: "entities:\n  - {source: P, attributes: {n: $source.n, x: $source.boss.q}}",
      code: .relationshipDropped,
      place: "P.boss",
      isRefuted: true
    ),
    Case(
      testDescription: "values that only find other objects",
      sketches: [
        "N { word: String? } T { name: String? }",
        "N { n: String?; tag -> T.ns } T { name: String?; ns ->> N.tag }",
      ],
      hop: """
        entities:
          - {source: N, relationships: {tag: {lookup: {entity: T, where: name, equals: $source.word}}}}
          - {source: T}
        """,
      statements: ["UPDATE ZN SET ZWORD = 'w' || Z_PK"],
      code: .attributeDropped,
      place: "N.word",
      isRefuted: true
    ),
    Case(
      testDescription: "objects of which only something else is made",
      sketches: ["N { t: String?; tags: String? }", "N { t: String? } Tag { name: String? }"],
      hop: """
        entities:
          - {source: N, where: t != nil}
          - {source: N, destination: Tag, attributes: {name: $source.tags}}
        """,
      statements: ["UPDATE ZN SET ZT = CASE Z_PK % 2 WHEN 0 THEN 'a' END"],
      code: .filteredObjects,
      place: "N",
      isRefuted: true
    ),
    Case(
      testDescription: "objects that go on as themselves or as something else",
      sketches: ["N { t: String? }", "N { t: String? } New { t: String? }"],
      hop: """
        entities:
          - {source: N, where: t == "a"}
          - {source: N, destination: New, where: t != "a"}
        """,
      statements: ["UPDATE ZN SET ZT = CASE Z_PK % 2 WHEN 0 THEN 'a' ELSE 'b' END"],
      code: .filteredObjects,
      place: "N",
      isRefuted: false
    ),
    Case(
      testDescription: "objects that something else is made of by a filter that takes others too",
      sketches: ["N { t: String?; tags: String? }", "N { t: String? } Tag { name: String? }"],
      hop: """
        entities:
          - {source: N, where: t != nil}
          - {source: N, destination: Tag, where: tags != nil, attributes: {name: $source.tags}}
        """,
      statements: ["UPDATE ZN SET ZTAGS = 'x', ZT = CASE Z_PK % 2 WHEN 0 THEN 'a' END"],
      code: .filteredObjects,
      place: "N",
      isRefuted: true
    ),
    Case(
      testDescription: "objects that go on as what two filters make of them",
      sketches: ["N { t: String? }", "Old { t: String? } New { t: String? }"],
      hop: """
        entities:
          - {source: N, destination: Old, where: t == "a"}
          - {source: N, destination: New, where: t != "a"}
        """,
      statements: ["UPDATE ZN SET ZT = CASE Z_PK % 2 WHEN 0 THEN 'a' ELSE 'b' END"],
      code: .filteredObjects,
      place: "N",
      isRefuted: false
    ),
    Case(
      testDescription: "objects that have no parts",
      sketches: ["N { t: String?; tags: String? }", "N { t: String?; tag: String? }"],
      hop: """
        entities:
          - source: N
            split: {text: $source.tags, separator: ","}
            attributes: {t: $source.t, tag: $piece}
        """,
      code: .filteredObjects,
      place: "N",
      isRefuted: true
    ),
    Case(
      testDescription: "objects of two entities that differ and become one",
      sketches: [
        "A { k: String?; x: String? } B { k: String?; x: String? }", "A { k: String?; x: String? }",
      ],
      hop: "entities:\n  - {merge: [A, B], destination: A, deduplicate: k}",
      statements: ["UPDATE ZA SET ZK = Z_PK, ZX = 'a'", "UPDATE ZB SET ZK = Z_PK, ZX = 'b'"],
      code: .objectsMerged,
      place: "A",
      isRefuted: true
    ),
    Case(
      testDescription: "objects that two mappings take",
      sketches: ["N { x: Int64? }", "N { x: Int64? } More { n: String? }"],
      hop:
        "entities:\n  - {source: N, name: a, where: x < 9}\n  - {source: N, name: b, where: x > 5}",
      statements: ["UPDATE ZN SET ZX = Z_PK"],
      code: .ambiguousMapping,
      place: "N",
      isRefuted: true
    ),
    Case(
      testDescription: "objects that two mappings take in turn",
      sketches: ["N { x: Int64? }", "N { x: Int64? } More { n: String? }"],
      hop:
        "entities:\n  - {source: N, name: a, where: x < 9}\n  - {source: N, name: b, where: x >= 9}",
      statements: ["UPDATE ZN SET ZX = Z_PK"],
      code: .ambiguousMapping,
      place: "N",
      isRefuted: false
    ),
    Case(
      testDescription: "links to objects of which a filter takes some elsewhere",
      sketches: [
        "N { kind: Int64?; fs ->> F.n } F { n -> N.fs }",
        "T { kind: Int64?; fs ->> F.n } J { kind: Int64? } F { n -> T.fs }",
      ],
      hop: """
        entities:
          - {name: Texts, source: N, destination: T, where: kind == 0}
          - {source: N, destination: J, where: kind != 0}
          - {source: F, relationships: {n: {from: n, mapping: Texts}}}
        """,
      statements: ["UPDATE ZN SET ZKIND = Z_PK % 2"],
      code: .destinationChanged,
      place: "F.n",
      isRefuted: true,
      stops: true
    ),
  ]

  @Test(arguments: cases)
  func `the plan tells of`(_ example: Case) throws {
    let (findings, error) = try HopRun(example.sketches, example.hop).run(example.statements)
    let finding = findings.first { $0.code == example.code && place($0) == example.place }
    let evidence = try #require(finding, "\(findings)").evidence
    let verdict = example.isRefuted.map { $0 ? Finding.Evidence.Verdict.refuted : .proven }
    #expect(evidence?.verdict == verdict, "\(String(describing: evidence))")
    #expect((error?.code == .failed) == example.stops, "\(String(describing: error))")
    #expect(error == nil || example.stops)
  }

  private func place(_ finding: Finding) -> String {
    [finding.place.entity, finding.place.property].compactMap(\.self).joined(separator: ".")
  }

  private static let disjoint = """
    entities:
      - {source: N, destination: T, where: kind == 0}
      - {source: N, destination: J, where: kind != 0}
      - {source: F}
    """

  @Test func `filters that exclude each other keep all links`() throws {
    let hop = try HopRun(
      [
        "N { kind: Int64?; fs ->> F.n } F { n -> N.fs }",
        "abstract I { fs ->> F.n } T : I { kind: Int64? } J : I { kind: Int64? } F { n -> I.fs }",
      ],
      Self.disjoint
    )
    let (findings, error) = try hop.run(["UPDATE ZN SET ZKIND = Z_PK % 2"])
    #expect(error == nil, "\(String(describing: error)) \(findings)")
    // A filter that takes an object twice lets one of the two have its links.
    let overlapping = try HopRun(
      hop.versions.map(\.model),
      Self.disjoint.replacing("kind != 0", with: "kind >= 0")
    )
    #expect(try overlapping.run(["UPDATE ZN SET ZKIND = Z_PK % 2"]).error?.code == .failed)
  }

  @Test func `two entities become one with the links of both`() throws {
    let hop = try HopRun(
      [
        "A { k: String?; o -> O.xs } B { k: String?; o -> O.ys } O { xs ->> A.o; ys ->> B.o }",
        "A { k: String?; o -> O.xs } O { xs ->> A.o }",
      ],
      "entities:\n  - {merge: [A, B], destination: A}\n"
    )
    #expect(try hop.run([]).error == nil)
  }
}
