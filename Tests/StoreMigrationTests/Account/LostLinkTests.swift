import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Links for which the next version has no room, which no run may lose without a word.
@Suite struct LostLinkTests {
  private static func versions(_ sketches: [String]) throws -> [ModelVersion] {
    try sketches.enumerated().map { index, sketch in
      ModelVersion(modelName: "M", name: "v\(index + 1)", model: try ModelSketch.model(sketch))
    }
  }

  private static func plan(
    _ versions: [ModelVersion],
    _ mapping: MappingModel?
  ) throws -> MigrationPlan {
    let edge = mapping.map {
      AuthoredEdge(
        source: versions[0].model.entityVersionHashes,
        destination: versions[1].model.entityVersionHashes,
        mapping: $0,
        origins: []
      )
    }
    let graph = VersionGraph(
      VersionedModel(name: "M", versions: versions),
      authored: [edge].compactMap(\.self)
    )
    return try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[0],
      to: graph.nodes[graph.nodes.count - 1],
      options: .walking
    )
  }

  /// The error of a run over a generated store that statements change; nil where it arrives.
  private func refusal(
    _ plan: MigrationPlan,
    accepting: Bool = false,
    certified: Bool = false,
    _ statements: [String]
  ) throws -> MigrationError? {
    try TemporaryFolder.with { folder in
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      try StoreGenerator(model: plan.source.model, rows: 60, seed: 3).write(to: before)
      do {
        let connection = try AppDatabase(before)
        for statement in statements { try connection.execute(statement) }
      }
      var options = MigrationOptions()
      options.output = after
      options.settings.acceptsChangedValues = accepting
      options.settings.certificate = certified ? folder + "/certificate.json" : nil
      do {
        _ = try StoreMigrator(plan: plan, options: options).migrate(before)
        return nil
      } catch let error as MigrationError { return error }
    }
  }

  private static let shared = ["UPDATE ZA SET ZB = (SELECT MIN(Z_PK) FROM ZB)"]

  @Test(arguments: [false, true])
  func `objects that share one are refused where it keeps one owner`(isAuthored: Bool) throws {
    let versions = try Self.versions([
      "A { b -> B } B { name: String? }", "A { b ->> B } B { name: String? }",
    ])
    let inferred = try #require(
      MappingInference.infer(from: versions[0].model, to: versions[1].model).mapping
    )
    let plan = try Self.plan(versions, isAuthored ? inferred : nil)
    let error = try #require(try refusal(plan, Self.shared))
    #expect(error.code == .failed && error.message.hasPrefix("WS317: in A.b"), "\(error)")
    #expect(isAuthored || plan.allFindings.contains { $0.code == .becomesToOne })
    // Whoever accepts it gets one link, and the account says so.
    #expect(try refusal(plan, accepting: true, Self.shared) == nil)
  }

  @Test func `links to objects that leave what a relationship leads to are missed`() throws {
    let versions = try Self.versions([
      "X { p -> P } P { n: String? } B : P { m: String? }",
      "X { p -> P } P { n: String? } B { n: String?; m: String? }",
    ])
    // Each entity is copied: what inference says of a step from the first version to itself.
    let mapping = try #require(
      MappingInference.infer(from: versions[0].model, to: versions[0].model).mapping
    )
    let plan = try Self.plan(versions, mapping)
    let leading =
      "UPDATE ZX SET ZP = (SELECT MIN(Z_PK) FROM ZP WHERE Z_ENT = "
      + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'B'))"
    let error = try #require(try refusal(plan, [leading]))
    #expect(error.code == .failed && error.message.hasPrefix("WS325: in X.p"), "\(error)")
    #expect(plan.allFindings.contains { $0.code == .destinationChanged && $0.risk == .conditional })
    // Who accepts it loses those links, and the account says nothing against it.
    #expect(try refusal(plan, accepting: true, certified: true, [leading]) == nil)
    let staying =
      "UPDATE ZX SET ZP = (SELECT MIN(Z_PK) FROM ZP WHERE Z_ENT <> "
      + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'B'))"
    #expect(try refusal(plan, certified: true, [staying]) == nil)
  }

  @Test func `links that a version on the way cannot lead to are told in the account of all hops`()
    throws
  {
    let wide = "Media { u: String?; notes ->> Note.media } Image : Media {} Video : Media {}"
    let versions = try Self.versions([
      "Note { media ->> Media.notes } \(wide)",
      """
      Note { media ->> Image.notes } Media { u: String? } Image : Media { notes ->> Note.media }
      Video : Media {}
      """,
      "Note { media ->> Media.notes; q: Int16? } \(wide)",
    ])
    var mapping = try #require(
      MappingInference.infer(from: versions[0].model, to: versions[0].model).mapping
    )
    for index in mapping.entityMappings.indices
    where ["Media", "Video"].contains(mapping.entityMappings[index].sourceEntityName) {
      mapping.entityMappings[index].relationshipMappings = []
    }
    let plan = try Self.plan(versions, mapping)
    #expect(plan.hops.count == 2)
    let error = try #require(try refusal(plan, []))
    #expect(error.code == .failed && error.message.hasPrefix("WS325: in Note.media"), "\(error)")
    #expect(try refusal(plan, accepting: true, certified: true, []) == nil)
  }

  @Test
  func `links of which a mapping asks for the objects of one entity alone are not carried whole`()
    throws
  {
    let media = "Media { u: String?; notes ->> Note.media } Image : Media {} Video : Media {}"
    let versions = try Self.versions([
      "Note { media ->> Media.notes } \(media)",
      "Note { z: Int16?; media ->> Media.notes } \(media)",
    ])
    var mapping = try #require(
      MappingInference.infer(from: versions[0].model, to: versions[1].model).mapping
    )
    let image = try #require(
      mapping.entityMappings.first { $0.sourceEntityName == "Image" }
    ).name
    for index in mapping.entityMappings.indices {
      let isNote = mapping.entityMappings[index].sourceEntityName == "Note"
      mapping.entityMappings[index].relationshipMappings = [
        .init(
          name: isNote ? "media" : "notes",
          valueExpression: isNote
            ? .destinationInstances(forMapping: image, of: .source("media")) : nil
        )
      ]
    }
    let plan = try Self.plan(versions, mapping)
    #expect(try refusal(plan, accepting: true, []) == nil)
  }

  /// The kinds in the second version of `A.b` and `B.a`, each the other's inverse, and whether it has room
  /// for all links where the two disagree.
  private static let kept: [(sketch: String, holdsAll: Bool)] = [
    ("A { b ->> B.a } B { a -> A.b }", false),
    ("A { b -> B.a } B { a ->> A.b }", false),
    ("A { b ->> B.a ordered } B { a -> A.b }", false),
    ("A { b ->> B.a } B { a ->> A.b }", true),
    ("A { b -> B } B { n: String? }", false),
    ("A { c ->> B.a was b } B { a -> A.c }", false),
  ]

  /// Stores of which another program wrote one side of some links only.
  private static let oneSided = [
    "UPDATE ZB SET ZA = NULL WHERE Z_PK = (SELECT MAX(Z_PK) FROM ZB WHERE ZA IS NOT NULL)",
    "UPDATE ZA SET ZB = NULL WHERE Z_PK > (SELECT MIN(Z_PK) FROM ZA WHERE ZB IS NOT NULL)",
  ]

  /// A store whose first object of `B` names another object than the one that names it.
  private static let crossed =
    "UPDATE ZB SET ZA = (SELECT MAX(ZA) FROM ZB) "
    + "WHERE Z_PK = (SELECT MIN(Z_PK) FROM ZB WHERE ZA IS NOT NULL)"

  @Test(arguments: kept, [false, true])
  func `of a one-to-one whose sides disagree no link is lost without a word`(
    kept: (sketch: String, holdsAll: Bool),
    isAuthored: Bool
  ) throws {
    let versions = try Self.versions(["A { b -> B.a } B { a -> A.b }", kept.sketch])
    let inferred = try #require(
      MappingInference.infer(from: versions[0].model, to: versions[1].model).mapping
    )
    let plan = try Self.plan(versions, isAuthored ? inferred : nil)
    for statement in Self.oneSided + (kept.holdsAll ? [Self.crossed] : []) {
      let error = try refusal(plan, certified: true, [statement])
      #expect(error == nil, "\(statement)")
    }
    guard !kept.holdsAll else { return }
    let error = try #require(try refusal(plan, [Self.crossed]))
    #expect(error.code == .failed && error.message.hasPrefix("WS508: in "), "\(error)")
    let accepted = try refusal(plan, accepting: true, certified: true, [Self.crossed])
    #expect(accepted == nil)
  }

  @Test(arguments: oneSided + [crossed])
  func `a one-to-one of which both sides are kept may disagree`(statement: String) throws {
    let versions = try Self.versions([
      "A { b -> B.a } B { a -> A.b }", "A { n: String?; c -> B.a was b } B { a -> A.c }",
    ])
    #expect(try refusal(try Self.plan(versions, nil), certified: true, [statement]) == nil)
  }

  @Test func `an inverse that comes on one version and goes on the next has the links that it got`()
    throws
  {
    let versions = try Self.versions([
      "N { t -> T } T { n: String? }", "N { t -> T.ns } T { n: String?; ns ->> N.t }",
      "N { t -> T } T { n: String?; ns ->> N }",
    ])
    #expect(try refusal(try Self.plan(versions, nil), certified: true, []) == nil)
  }

  @Test func `a key that names an object of another entity is no line that goes`() throws {
    let versions = try Self.versions([
      "X { b: String? } T : X { u: String? } N { r -> T }",
      "X { c: String? was b } T : X { u: String? } N { r -> T }",
    ])
    let stray =
      "UPDATE ZN SET ZR = (SELECT MIN(Z_PK) FROM ZX WHERE Z_ENT = "
      + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'X')) WHERE Z_PK = 1"
    #expect(try refusal(try Self.plan(versions, nil), certified: true, [stray]) == nil)
  }

  @Test(arguments: ["", "T { u: String? }"])
  func `links that go on from their other side and then go with the objects are named`(
    kept: String
  ) throws {
    let versions = try Self.versions([
      "T { u: String?; n -> N.t } N { s: String?; t -> T.n } X { x: String? }",
      "T { u: String? } N { s: String?; t -> T } X { x: String? }",
      "\(kept) \(kept.isEmpty ? "N { s: String? }" : "") X { x: String? }",
    ])
    let plan = try Self.plan(versions, nil)
    #expect(plan.passes(isFused: true).map(\.hops.count) == [2])
    #expect(try refusal(plan, certified: true, []) == nil)
  }

  @Test func `objects that go take no part in what two sides say`() throws {
    let versions = try Self.versions([
      "A { b -> B.a } C : A { n: String? } B { a -> A.b }", "A { b ->> B.a } B { a -> A.b }",
    ])
    #expect(try refusal(try Self.plan(versions, nil), []) == nil)
  }
}
