import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct RenamingTests {
  @Test func `a renaming identifier carries values to another name`() throws {
    let step = try Step("N { title: String }", "N { heading: String was title }")
    #expect(step.values("N") == ["heading = $source.title"])
    #expect(step.findings == ["WS308 N.heading"])
  }

  @Test func `an identifier holds over several versions`() throws {
    let versions = [
      "N { a: String }", "N { b: String was a }", "N { c: String was a }", "N { a: String }",
    ]
    for (i, source) in versions.enumerated() {
      for (j, destination) in versions.enumerated() where i != j {
        let step = try Step(source, destination)
        #expect(!step.findings.contains { $0.hasPrefix("WS302") }, "\(i) to \(j)")
        #expect(step.refusals.isEmpty, "\(i) to \(j)")
      }
    }
  }

  @Test func `what several properties match is not said to be dropped`() throws {
    let step = try Step("N { t: String? }", "N { a: String? was t; b: String? was t }")
    #expect(step.refusals.map { $0.prefix(5) } == ["WS202"])
    #expect(step.findings.isEmpty, "\(step.findings)")
  }

  @Test func `a chain of last names is followed and reported`() throws {
    let step = try Step("N { b: String was a }", "N { c: String was b }")
    #expect(step.values("N") == ["c = $source.b"])
    #expect(step.findings == ["WS203 N.c", "WS308 N.c"])
  }

  @Test func `a chain of last names gets one advice, which mends all of it`() throws {
    let chain = try graph(
      "N { a: String? }",
      "N { b: String? was a }",
      "N { c: String? was b }",
      "N { d: String? was c }",
      "N { d: String?; x: Int16? }"
    )
    let remedies = chain.consecutiveEdges.flatMap(\.findings).filter {
      $0.code == .renamingIdentifierNamesOldName
    }
    .map(\.remedy)
    let advice =
      "Give it one Renaming ID, \"a\", in v3, where it is called c, and in all later versions; no version "
      + "hash changes."
    #expect(
      remedies == [
        "Set its Renaming ID to \"a\", in this version and all later ones; no version hash changes.",
        advice,
      ]
    )
    let losses = AppMigration(graph: chain, runtime: .direct).outcome(
      from: chain.nodes[0],
      to: chain.nodes[4]
    )
    #expect(losses.findings.map(\.code) == [.appLosesSilently])
    #expect(losses.findings.first?.remedy.hasSuffix(advice) == true, "\(losses.findings)")
    let mended = try graph(
      "N { a: String? }",
      "N { b: String? was a }",
      "N { c: String? was a }",
      "N { d: String? was a }",
      "N { d: String? was a; x: Int16? }"
    )
    for source in mended.nodes.dropLast() {
      let edge = mended.edge(from: source, to: mended.nodes[4])
      #expect(edge.risk < .lossy && !edge.findings.contains { $0.severity > .note })
    }
  }

  @Test func `a cleared or mistyped identifier does not drop what keeps its name`() throws {
    let cleared = try Step("N { b: String was a }", "N { b: String; c: Int16? }")
    #expect(cleared.values("N") == ["b = $source.b", "c = -"])
    #expect(cleared.findings.contains("WS206 N.b"))
    let mistyped = try Step("N { } ", "N was timeout { a: Int16? }")
    #expect(mistyped.entities == ["N>N transform"])
    #expect(mistyped.findings.contains("WS206 N"))
  }

  /// The edges of a history between versions v1, v2, … by their numbers.
  private func graph(_ versions: String...) throws -> VersionGraph {
    VersionGraph(
      VersionedModel(
        name: "N",
        versions: try versions.enumerated().map { index, sketch in
          ModelVersion(
            modelName: "N",
            name: "v\(index + 1)",
            model: try ModelSketch.model(sketch)
          )
        }
      )
    )
  }

  @Test func `only a step pairs what is dropped with what is new`() throws {
    let graph = try graph(
      "N { a: String }",
      "N { b: String? }",
      "N { b: String?; x: Int16 = 1 }",
      "N { b: String?; x: Int16 = 1; y: String? }"
    )
    func drop(_ source: Int, _ destination: Int) -> Finding? {
      graph.edge(from: graph.nodes[source], to: graph.nodes[destination]).findings.first {
        $0.risk == .lossy
      }
    }
    #expect(drop(0, 1)?.code == .suspectedRename)
    #expect(drop(0, 1)?.remedy.contains("set the Renaming ID of b to \"a\"") == true)
    for destination in 2...3 {
      #expect(drop(0, destination)?.code == .attributeDropped)
      #expect(drop(0, destination)?.message == "N.a is dropped.")
      #expect(drop(0, destination)?.remedy.contains("Renaming ID") == false)
    }
    // Backward, what is new was there before.
    #expect(drop(1, 0)?.code == .attributeDropped)
    #expect(drop(1, 0)?.remedy.contains("the original store is kept") == true)
  }

  @Test func `a Renaming ID that changes between is told of at its step`() throws {
    let graph = try graph(
      "N { b: String was a }",
      "N { b: String; x: Int16? }",
      "N { b: String; x: Int16?; y: Int16? }"
    )
    func remedy(_ destination: Int) -> String? {
      graph.edge(from: graph.nodes[0], to: graph.nodes[destination]).findings.first {
        $0.code == .canonicalNamesDisagree
      }?.remedy
    }
    #expect(remedy(1)?.hasPrefix("Set its Renaming ID to \"a\", in this version") == true)
    #expect(remedy(2)?.hasPrefix("`waystone check --all` shows") == true)
  }

  @Test func `a Renaming ID that the next version takes back wants no edit`() throws {
    let graph = try graph(
      "N { t: String }",
      "N was t { t: String; x: Int16? }",
      "N { t: String; x: Int16?; y: Int16? }"
    )
    let edges = graph.consecutiveEdges.map {
      $0.findings.filter { $0.code == .canonicalNamesDisagree }
    }
    #expect(edges[0].map(\.remedy) == ["v3 has mended it: no edit is needed."])
    #expect(edges[1].map(\.remedy) == ["v3 has mended it: no edit is needed."])
    #expect(edges[1].first?.message.contains("stores of v2 alone") == true)
  }

  @Test func `a Renaming ID that another item had before is not taken for mended`() throws {
    let graph = try graph(
      "N { title: String }",
      "N { heading: String was title }",
      "N { heading: String was title; title: String? was form }",
      "N { heading: String was title; title: String?; x: Int16? }"
    )
    let told = graph.consecutiveEdges[2].findings.filter { $0.code == .canonicalNamesDisagree }
    #expect(told.first?.remedy.contains("mended") == false, "\(graph.consecutiveEdges[2])")
  }

  @Test func `a Renaming ID by which the next name takes the data is not only to be cleared`()
    throws
  {
    let history = try graph(
      "N { silent: Boolean }",
      "N { silent: Boolean was muted; x: Int16? }",
      "N { muted: Boolean was muted; x: Int16? }"
    )
    let told = history.consecutiveEdges[0].findings.filter { $0.code == .canonicalNamesDisagree }
    #expect(told.first?.remedy.contains("Set the Renaming ID of muted to \"silent\" in v3") == true)
    // What it advises carries the values on, from each version.
    let mended = try graph(
      "N { silent: Boolean }",
      "N { silent: Boolean; x: Int16? }",
      "N { muted: Boolean was silent; x: Int16? }"
    )
    for source in 0..<2 {
      let edge = mended.edge(from: mended.nodes[source], to: mended.nodes[2])
      #expect(edge.risk < .lossy && !edge.findings.contains { $0.code == .canonicalNamesDisagree })
    }
  }

  @Test func `a new property may take the old name beside the renamed one`() throws {
    let source = "N { heading: String was title }"
    let step = try Step(source, "N { heading: String was title; title: String? }")
    #expect(step.values("N") == ["heading = $source.heading", "title = -"])
    let cleared = try Step(
      "N { heading: String was title; title: String? }",
      "N { heading: String; title: String?; x: Int16? }"
    )
    #expect(
      cleared.values("N") == ["heading = $source.heading", "title = $source.title", "x = -"]
    )
  }

  @Test(arguments: [
    ("N { title: String }", "N { heading: String was title; title: String? }"),
    ("N { title: String }", "N { a: String? was title; b: String? was title }"),
    ("N { heading: String was title }", "N { heading: String?; title: String? }"),
    ("N { a: String was x; b: String was x }", "N { x: String }"),
    ("N { a: String was x; x: String was y }", "N { b: String was x }"),
  ]) func `what is ambiguous is refused`(source: String, destination: String) throws {
    let step = try Step(source, destination)
    #expect(Set(step.result.refusals.map(\.code)) == [.ambiguousCanonicalName])
  }

  @Test func `two names can be swapped`() throws {
    let step = try Step(
      "N { a: String?; b: String?; x: Int16? }",
      "N { a: String? was b; b: String? was a }"
    )
    #expect(step.values("N") == ["a = $source.b", "b = $source.a"])
  }

  @Test func `names can be shifted along`() throws {
    let step = try Step("N { a: String?; b: String? }", "N { b: String? was a; c: String? was b }")
    #expect(step.values("N") == ["b = $source.a", "c = $source.b"])
  }

  @Test func `entities and relationships are renamed too`() throws {
    let step = try Step(
      "Car { owner -> Person.cars } Person { cars ->> Car.owner }",
      "Auto was Car { keeper -> Person.autos was owner } Person { autos ->> Auto.keeper was cars }"
    )
    #expect(step.entities == ["Car>Auto transform", "Person>Person transform"])
    #expect(step.values("Auto") == ["keeper <- owner"])
    #expect(step.values("Person") == ["autos <- cars"])
    #expect(
      step.findings == ["WS307 Auto", "WS308 Auto.keeper", "WS308 Person.autos"]
    )
  }

  @Test func `a relationship follows its inverse where only that was named`() throws {
    let step = try Step(
      "Car { owner -> Person.cars } Person { cars ->> Car.owner }",
      "Car { keeper -> Person.cars } Person { cars ->> Car.keeper }"
    )
    #expect(step.values("Car") == ["keeper <- owner"])
    #expect(step.findings.contains("WS329 Car.keeper"))
  }
}
