import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

/// Composite attributes between two versions: each element is an attribute of its own.
@Suite struct CompositeInferenceTests {
  private static let point = "composite Point { x: Double?; y: Double? } "
  private static let place = "N { place: Composite? of Point }"

  /// A step with what must be found and carried.
  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    let old: String
    let new: String
    var values: [String] = []
    var findings: [String] = []
    var refusals: [String] = []
    var kind = EdgeKind.inferred
    var testDescription: String { name }
  }

  static let changes = [
    Change(
      name: "a composite comes",
      old: "N { t: String? }",
      new: point + "N { t: String?; place: Composite? of Point }",
      values: ["place.x = -", "place.y = -", "t = $source.t"],
      findings: ["WS305 N.place.x", "WS305 N.place.y"]
    ),
    Change(
      name: "a composite goes",
      old: point + "N { t: String?; place: Composite? of Point }",
      new: "N { t: String? }",
      values: ["t = $source.t"],
      findings: ["WS302 N.place.x", "WS302 N.place.y"]
    ),
    Change(
      name: "an element comes",
      old: point + place,
      new: "composite Point { x: Double?; y: Double?; z: Double? = 1 } " + place,
      values: [
        "place.x = $source.place.x", "place.y = $source.place.y", "place.z = 1",
      ],
      findings: ["WS305 N.place.z"],
      kind: .extended
    ),
    Change(
      name: "an element goes",
      old: point + place,
      new: "composite Point { x: Double? } " + place,
      values: ["place.x = $source.place.x"],
      findings: ["WS302 N.place.y"],
      kind: .extended
    ),
    Change(
      name: "an element is renamed by its identifier",
      old: point + place,
      new: "composite Point { x: Double?; northing: Double? was y } " + place,
      values: ["place.northing = $source.place.y", "place.x = $source.place.x"],
      findings: ["WS308 N.place.northing"],
      kind: .extended
    ),
    Change(
      name: "an element may be renamed",
      old: point + place,
      new: "composite Point { x: Double?; northing: Double? } " + place,
      values: ["place.northing = -", "place.x = $source.place.x"],
      findings: ["WS305 N.place.northing", "WS209 N.place.y"],
      kind: .extended
    ),
    Change(
      name: "an element's number becomes narrower",
      old: "composite Point { x: Int64? } " + place,
      new: "composite Point { x: Int16? } " + place,
      values: ["place.x = $source.place.x"],
      findings: ["WS310 N.place.x"],
      kind: .extended
    ),
    Change(
      name: "an element becomes text",
      old: "composite Point { x: Int64? } " + place,
      new: "composite Point { x: String? } " + place,
      refusals: ["WS311 N.place.x"]
    ),
    Change(
      name: "a required element comes",
      old: "composite Point { x: Double } " + place,
      new: "composite Point { x: Double; y: Double } " + place,
      refusals: ["WS313 N.place.y"]
    ),
    Change(
      name: "a composite of required elements comes and may be nothing",
      old: "N { }",
      new: "composite Point { x: Double } " + place,
      values: ["place.x = -"],
      findings: ["WS305 N.place.x"]
    ),
    Change(
      name: "a required composite of required elements comes",
      old: "N { }",
      new: "composite Point { x: Double } N { place: Composite of Point }",
      refusals: ["WS313 N.place.x"]
    ),
    Change(
      name: "an element becomes required in a composite that may be nothing",
      old: point + place,
      new: "composite Point { x: Double; y: Double? } " + place,
      values: ["place.x = $source.place.x", "place.y = $source.place.y"],
      findings: ["WS312 N.place.x"],
      kind: .extended
    ),
    Change(
      name: "a composite has another name by its identifier",
      old: point + place,
      new: point + "N { spot: Composite? of Point was place; t: String? }",
      values: ["spot.x = $source.place.x", "spot.y = $source.place.y", "t = -"],
      findings: ["WS308 N.spot.x", "WS308 N.spot.y", "WS305 N.t"]
    ),
    Change(
      name: "an attribute becomes an element of a composite",
      old: "N { x: Double? }",
      new: point + place,
      values: ["place.x = -", "place.y = -"],
      findings: ["WS305 N.place.x", "WS305 N.place.y", "WS302 N.x"]
    ),
    Change(
      name: "an attribute becomes a composite of its name",
      old: "N { place: String? }",
      new: point + place,
      refusals: ["WS311 N.place"]
    ),
    Change(
      name: "a composite becomes an attribute of its name",
      old: point + place,
      new: "N { place: String? }",
      refusals: ["WS311 N.place"]
    ),
    Change(
      name: "a composite becomes required, which no hash sees",
      old: point + place,
      new: point + "N { place: Composite of Point; t: String? }",
      values: ["place.x = $source.place.x", "place.y = $source.place.y", "t = -"],
      findings: ["WS312 N.place", "WS305 N.t"],
      kind: .extended
    ),
    Change(
      name: "a required composite comes that nothing gives a value",
      old: "N { }",
      new: point + "N { place: Composite of Point }",
      values: ["place.x = -", "place.y = -"],
      findings: ["WS305 N.place", "WS305 N.place.x", "WS305 N.place.y"],
      kind: .extended
    ),
    Change(
      name: "a required composite comes with a default",
      old: "N { }",
      new: "composite Point { x: Double? = 1; y: Double? } N { place: Composite of Point }",
      values: ["place.x = 1", "place.y = -"],
      findings: ["WS305 N.place.x", "WS305 N.place.y"]
    ),
    Change(
      name: "elements become required with their composite",
      old: "composite Point { x: Double } N { place: Composite? of Point }",
      new: "composite Point { x: Double } N { place: Composite of Point; t: String? }",
      values: ["place.x = $source.place.x", "t = -"],
      findings: ["WS313 N.place.x", "WS305 N.t"],
      kind: .extended
    ),
  ]

  @Test(arguments: changes) func `each change is told at its element`(change: Change) throws {
    let step = try Step(change.old, change.new)
    #expect(step.refusals == change.refusals)
    guard change.refusals.isEmpty else { return }
    #expect(step.values("N") == change.values)
    #expect(step.findings == change.findings)
    #expect(step.result.kind == change.kind)
  }

  @Test func `who renamed a composite without saying so is told its Renaming ID`() throws {
    let step = try Step(
      Self.point + Self.place,
      Self.point + "N { places: Composite? of Point; t: String? }"
    )
    let drops = step.result.findings.filter { $0.code == .suspectedRename }
    #expect(drops.map(\.place.property) == ["place.x", "place.y"])
    for drop in drops {
      #expect(drop.message.hasSuffix("is dropped; N.places is new."), "\(drop.message)")
      #expect(drop.remedy.contains("set the Renaming ID of places to \"place\""), "\(drop.remedy)")
    }
    let within = try Step(
      Self.point + Self.place,
      "composite Point { x: Double?; northing: Double? } " + Self.place
    )
    let drop = try #require(within.result.findings.first { $0.code == .suspectedRename })
    #expect(drop.remedy.contains("set the Renaming ID of place.northing to \"y\""))
  }

  @Test func `a composite with another name alone is another entity to no hash`() throws {
    let old = try ModelSketch.model(Self.point + Self.place)
    let new = try ModelSketch.model(Self.point + "N { spot: Composite? of Point }")
    #expect(old.entityVersionHashes == new.entityVersionHashes)
    let difference = ModelDifference(from: old, to: new)
    #expect(!difference.isEmpty)
    #expect(difference.changes.allSatisfy { !$0.changesHash })
    // What the hash does not see, the mapping does.
    let step = try Step(Self.point + Self.place, Self.point + "N { spot: Composite? of Point }")
    #expect(step.values("N") == ["spot.x = -", "spot.y = -"])
  }

  /// Stores of the first version are opened as they are: no hash sees the second one.
  @Test(
    arguments: [
      (
        "b: Composite? of Point; d: Composite? of Point",
        ["warning WS339 N.b", "warning WS339 N.d"]
      ),
      ("b: Composite? of Point was a; d: Composite? of Point was c", []),
      (
        "b: Composite? of Point was c; d: Composite? of Point was a",
        ["error WS339 N.b", "error WS339 N.d"]
      ),
      ("a: Composite? of Point; d: Composite? of Point was c", []),
      ("c: Composite? of Point; d: Composite? of Point", ["error WS339 N.c", "warning WS339 N.d"]),
      ("a: Composite of Point; c: Composite? of Point", ["warning WS312 N.a"]),
    ] as [(String, [String])]
  )
  func `what composites of other names read is told where no store is migrated`(
    properties: String,
    findings: [String]
  ) throws {
    let models = try ["a: Composite? of Point; c: Composite? of Point", properties].map {
      try ModelSketch.model(Self.point + "N { \($0) }")
    }
    #expect(models[0].entityVersionHashes == models[1].entityVersionHashes)
    let versions = zip(["v1", "v2"], models).map {
      ModelVersion(modelName: "M", name: $0, model: $1, isCurrent: $0 == "v2", path: $0)
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    let told = graph.nodes[0].otherReadings(of: [versions[0]], in: versions[1])
    #expect(
      told.map { "\($0.severity) \($0.code.rawValue) N.\($0.place.property ?? "")" } == findings
    )
  }
}
