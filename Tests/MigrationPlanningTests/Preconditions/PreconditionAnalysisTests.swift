import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct PreconditionAnalysisTests {
  /// The questions of a step in words: `WS310 N.a: N(a)`.
  private func questions(_ source: String, _ destination: String) throws -> [String] {
    let (old, new) = (try ModelSketch.model(source), try ModelSketch.model(destination))
    let mapping = try #require(MappingInference.infer(from: old, to: new).mapping)
    return PreconditionAnalysis(ResolvedMapping(mapping, from: old, to: new)).preconditions().map(
      text
    )
  }

  private func text(_ precondition: Precondition) -> String {
    let subjects = precondition.subjects.map { subject in
      "\(subject.entity)(\(subject.values.map(text).joined(separator: ", ")))"
    }
    return "\(precondition.code.rawValue) \(precondition.place): "
      + subjects.joined(separator: " ")
  }

  private func text(_ value: ValueOrigin) -> String {
    switch value {
    case .carried(let path): path.joined(separator: ".")
    case .constant: "constant"
    case .filled(let value, _): "\(text(value)) or default"
    case .converted(let value, _, let type): "\(text(value)) as \(type)"
    default: "opaque"
    }
  }

  @Test func `each change that rows decide has a question`() throws {
    #expect(try questions("N { a: Int32? }", "N { b: Int16? was a }") == ["WS310 N.b: N(a)"])
    #expect(try questions("N { a: String? }", "N { a: String }") == ["WS313 N.a: N(a)"])
    #expect(try questions("N { a: Binary? }", "N { a: Binary? external }") == ["WS323 N.a: N(a)"])
    #expect(
      try questions(
        "A { bs ->> B.a } B { a -> A.bs }",
        "A { bs -> B.a } B { a -> A.bs }"
      ) == ["WS317 A.bs: A(bs)"]
    )
    #expect(
      try questions(
        "A { bs ->> B.as ordered } B { as ->> A.bs }",
        "A { bs ->> B.as max 3 } B { as ->> A.bs }"
      ) == ["WS315 A.bs: A(bs)", "WS319 A.bs: A(bs)"]
    )
  }

  @Test func `what must be unique is asked of all entities that share the constraint`() throws {
    #expect(
      try questions(
        "P { a: String? } C : P { }",
        "P { a: String?; unique a } C : P { }"
      ) == ["WS314 P.a: C(a) P(a)"]
    )
    // Unique in each of two entities, and now in both.
    #expect(
      try questions(
        "abstract P { a: String? } B : P { unique a } C : P { unique a }",
        "abstract P { a: String?; unique a } B : P { } C : P { }"
      ) == ["WS314 P.a: B(a) C(a)"]
    )
    #expect(
      try questions(
        "N { a: String?; b: Int16?; unique a }",
        "N { a: String?; b: Int16?; unique a b }"
      ).isEmpty
    )
  }

  @Test func `values that a step fills or converts can be equal from then on`() throws {
    #expect(
      try questions(
        "N { a: String?; unique a }",
        "N { a: String = x; unique a }"
      ) == ["WS314 N.a: N(a or default)"]
    )
    #expect(
      try questions(
        "N { a: Double?; unique a }",
        "N { a: Int64?; unique a }"
      ) == ["WS310 N.a: N(a)", "WS314 N.a: N(a as integer64)"]
    )
    #expect(
      try questions("N { }", "N { a: String = x; unique a }") == ["WS314 N.a: N(constant)"]
    )
  }

  @Test func `findings and questions speak of the same, on random models`() throws {
    var count = 0
    let seeds = Trials.some(of: 400 as UInt64)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      var changing = RandomModel(&random)
      guard let old = changing.model?.demanding(&random, isStrict: true) else { continue }
      changing.evolve(&random)
      guard let new = changing.model?.demanding(&random, isStrict: true) else { continue }
      let result = MappingInference.infer(from: old, to: new)
      guard let mapping = result.mapping else { continue }
      let deduction = PreconditionAnalysis(ResolvedMapping(mapping, from: old, to: new))
      let all = deduction.preconditions()
      for finding in result.findings where finding.risk.map({ $0 >= .conditional }) == true {
        let own = deduction.preconditions(of: finding, among: all, isAuthored: false)
        #expect(!own.isEmpty, "seed \(seed): nothing decides \(finding.code) \(finding.place)")
        count += own.count { !$0.subjects.isEmpty }
      }
      // Apps keep both sides of a one-to-one in step: what a store says is damage, and no finding's.
      for precondition in all
      where precondition.isRequired && precondition.code != .inverseDisagrees {
        let isTold = result.findings.contains {
          // All numbers fit a wider type: only text and bytes in a number's column cannot be read.
          let isWidened = precondition.code == .unreadableValue && $0.code == .typeWidened
          return ($0.code == precondition.code && $0.risk == .conditional || isWidened)
            && $0.place.entity == precondition.entity
            && $0.place.property == precondition.property
        }
        #expect(isTold, "seed \(seed): no finding tells of \(text(precondition))")
      }
    }
    #expect(count > seeds.count / 2)
  }
}
