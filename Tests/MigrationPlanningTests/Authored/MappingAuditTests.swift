import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

struct MappingAuditTests {
  private func audit(
    _ history: History,
    _ pairs: [(String?, String?)],
    change: (inout EntityMapping) -> Void = { _ in }
  ) -> [String] {
    let mapping = history.mapping(1, 2, pairs, change: change).mapping
    return MappingAudit.findings(of: mapping, from: history[1], to: history[2]).map {
      "\($0.code.rawValue) \($0.risk?.name ?? "") \($0.place.entity ?? "").\($0.place.property ?? "")"
    }
  }

  private func history() throws -> History {
    try History(
      "Note { title: String?; image: Binary?; owner -> Owner.notes } "
        + "Owner { name: String?; notes ->> Note.owner }",
      "Note { title: String?; size: Int32; kind: Int16 = 1; owner -> Owner.notes } "
        + "Owner { name: String?; notes ->> Note.owner }"
    )
  }

  @Test func `entities without a mapping and properties that nothing reads are lossy`() throws {
    #expect(
      try audit(history(), [("Note", "Note")]) { mapping in
        mapping.attributeMappings = [
          PropertyMapping(name: "title", valueExpression: .source("title")),
          PropertyMapping(name: "size", valueExpression: .constant(.integer(0))),
        ]
      } == [
        "WS302 lossy Note.image", "WS303 lossy Note.owner", "WS301 lossy Owner.",
      ]
    )
  }

  @Test func `links that the other side carries are not lost`() throws {
    let found = try audit(history(), [("Note", "Note"), ("Owner", "Owner")]) { mapping in
      if mapping.sourceEntityName == "Owner" {
        mapping.relationshipMappings = [
          PropertyMapping(
            name: "notes",
            valueExpression: .destinationInstances(forSourceRelationship: "notes")
          )
        ]
      }
    }
    #expect(!found.contains { $0.hasPrefix("WS303") })
  }

  @Test func `a required attribute without value or default is a condition`() throws {
    let found = try audit(history(), [("Note", "Note"), ("Owner", "Owner")]) { mapping in
      mapping.attributeMappings.removeAll { $0.name == "size" || $0.name == "kind" }
    }
    #expect(found.filter { $0.hasPrefix("WS313") } == ["WS313 conditional Note.size"])
  }

  @Test(arguments: [
    (#"$source.title"#, true), (#"TERNARY($source.title == nil, "none", $source.title)"#, false),
    (#"TERNARY($source.title != nil, uppercase:($source.title), "none")"#, false),
    (#"TERNARY($source.title == nil OR $source.code == nil, "none", $source.code)"#, false),
    (#"TERNARY($source.title == nil AND $source.code == nil, "none", $source.code)"#, true),
    (#"TERNARY($source.title == nil, $source.title, "none")"#, true),
    (#"TERNARY($source.code == nil, "none", $source.title)"#, true), (#""none""#, false),
  ])
  func `an expression that always gives a value keeps a required attribute`(
    expression: String,
    mayLack: Bool
  ) throws {
    let history = try History(
      "Note { title: String?; code: String? }",
      "Note { title: String; code: String? }"
    )
    let value = try Expression(format: expression)
    let found = audit(history, [("Note", "Note")]) { mapping in
      mapping.attributeMappings.removeAll { $0.name == "title" }
      mapping.attributeMappings.append(PropertyMapping(name: "title", valueExpression: value))
    }
    #expect(found.contains { $0.hasPrefix("WS313") } == mayLack, "\(found)")
  }

  @Test func `a policy may read and give whatever it likes`() throws {
    #expect(
      try audit(history(), [("Note", "Note"), ("Owner", "Owner")]) { mapping in
        mapping.attributeMappings = []
        mapping.entityMigrationPolicyClassName = "Policy"
      } == []
    )
  }

  @Test func `a policy's rows that were unique before are no new demand`() throws {
    let unique = "A { t: String?; n: Int16?; unique t }"
    func found(_ first: String, _ last: String) throws -> [String] {
      try audit(History(first, last), [("A", "A")]) { mapping in
        mapping.entityMigrationPolicyClassName = "Policy"
      }
    }
    #expect(try found(unique, unique + " B { }") == [])
    #expect(
      try found("A { t: String?; n: Int16? }", unique) == ["WS314 conditional A.t"]
    )
    #expect(
      try found("A { t: String?; n: Int16?; unique n }", unique) == ["WS314 conditional A.t"]
    )
  }

  @Test func `an expression that hands the object on may read all of it`() throws {
    let found = try audit(history(), [("Note", "Note"), ("Owner", "Owner")]) { mapping in
      mapping.attributeMappings[0].valueExpression = .function(
        .variable("entityPolicy"),
        selector: "all:",
        arguments: [.variable("source")]
      )
    }
    #expect(!found.contains { $0.hasPrefix("WS302 lossy Note") })
  }

  @Test func `filters that leave objects out are told of`() throws {
    let found = try audit(history(), [("Note", "Note"), ("Owner", "Owner")]) { mapping in
      if mapping.sourceEntityName == "Note" {
        mapping.sourcePredicate = .comparison(
          .init(.keyPath(.evaluatedObject, ["title"]), .notEqual, .constant(nil))
        )
      }
    }
    #expect(found.contains("WS409 lossy Note."))
  }

  @Test func `coverage names each attribute that gets no value`() throws {
    let history = try history()
    let mapping = history.mapping(1, 2, [("Note", "Note")]) { $0.attributeMappings = [] }.mapping
    let found = MappingAudit.uncoveredAttributes(of: mapping, from: history[1], to: history[2])
    #expect(found.map(\.place.property) == ["kind", "size", "title"])
    #expect(found.map(\.severity) == [.note, .error, .warning])
    #expect(found.allSatisfy { $0.code == .uncoveredAttribute })
  }

  @Test func `what is new and may be empty or has a default needs no value`() throws {
    let history = try History(
      "Note { title: String? }",
      "Note { title: String?; kind: Int16 = 1; on: Date? }"
    )
    let mapping = history.mapping(1, 2, [("Note", "Note")]) { $0.attributeMappings = [] }.mapping
    let found = MappingAudit.uncoveredAttributes(of: mapping, from: history[1], to: history[2])
    #expect(found.map(\.place.property) == ["kind", "on", "title"])
    #expect(found.map(\.severity) == [.note, .note, .warning])
  }
}
