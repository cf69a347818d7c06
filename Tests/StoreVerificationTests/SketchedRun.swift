import Files
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreVerification
import Testing

@testable import StoreMigration

/// A source, its result over all sketches, and how they are compared.
struct SketchedRun {
  let source: SketchedStore
  let result: String
  let schema: PhysicalSchema
  let plan: MigrationPlan

  /// Makes a store of the first sketch and runs the plan to the last one.
  ///
  /// - Parameter altersInPlace: Whether hops that can change a file in place do so.
  init(
    _ sketches: [String],
    rows: String,
    in folder: String,
    altersInPlace: Bool = false
  ) throws {
    let versions = try sketches.enumerated().map { index, sketch in
      ModelVersion(
        modelName: "M",
        name: "v\(index + 1)",
        model: try ModelSketch.model(sketch)
      )
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    var walking = PlanningOptions()
    walking.followsHistory = true
    let source = try SketchedStore(versions[0].model, rows: rows, at: folder + "/source.sqlite")
    plan = try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[0],
      to: try #require(graph.nodes.last),
      options: walking
    )
    var (path, schema) = (source.path, source.schema)
    for (index, hop) in plan.hops.enumerated() {
      let next = PhysicalSchema(model: hop.destination.model)
      let compiled = try CompiledHop(
        source: schema,
        destination: next,
        mapping: hop.mapping,
        arrivingAt: hop.arrivalModel,
        number: index + 1,
        mark: 1,
        modelCache: nil,
        externalData: folder,
        altering: altersInPlace ? .init() : nil
      )
      let file = "\(folder)/hop-\(index + 1).sqlite"
      switch compiled.program {
      case .inPlace(let alteration, _):
        try FileSystem.copy(path, toNewFile: file)
        try InPlaceHop(compiled: compiled, plan: alteration).run(
          on: file,
          isDisposable: true,
          cancellation: Cancellation()
        ) { _ in }
      case .tables(let program):
        try RebuildHop(compiled: compiled, program: program)
          .run(from: path, to: file, cancellation: Cancellation()) { _ in }
      case .objects: Issue.record("an inferred hop makes objects")
      }
      (path, schema) = (file, next)
    }
    self.source = source
    self.schema = schema
    result = path
  }

  /// - Parameter isProven: Whether columns that the proofs of both files' pages say are the same are not
  ///   compared again.
  func compare(isProven: Bool = false) throws -> VerificationReport {
    let connection = try SQLiteConnection(path: source.path, access: .quiescent)
    let interest = source.schema.interest(sums: isProven)
    let proof = PageVerification(of: connection, interest: interest)
    try connection.attach(path: result, as: "result", access: .quiescent)
    var (report, resultProof) = try StoreVerifier.examine(
      connection,
      database: "result",
      schema: schema,
      level: .standard,
      scope: .result,
      leftovers: nil,
      interest: .init(sums: isProven)
    )
    #expect((ProvenRows(proof, resultProof) != nil) == (isProven && resultProof != nil))
    report.append(
      try ResultComparison.compare(
        connection,
        source: "main",
        sourceSchema: source.schema,
        result: "result",
        resultSchema: schema,
        lineage: Lineage(plan),
        sourceExternalData: "",
        proven: ProvenRows(proof, resultProof)
      )
    )
    return report
  }
}
