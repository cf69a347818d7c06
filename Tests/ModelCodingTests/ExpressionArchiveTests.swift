import MigrationTestSupport
import ModelCoding
import ObjectModel
import PropertyLists
import Testing

/// Archived expressions, made by hand and from mapping models of public apps.
@Suite struct `Expression archives` {
  private typealias Reference = KeyedArchiveWriter.Reference

  private func archive(_ build: (inout KeyedArchiveWriter) -> Reference) -> [UInt8] {
    var writer = KeyedArchiveWriter()
    let root = build(&writer)
    return writer.archive(root: root)
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `all value expressions of public mapping models print and parse`() throws {
    var counts: [String: Int] = [:]
    for path in Corpus.files(where: { $0.hasSuffix("xcmapping.xml") }) {
      let bytes = try #require(TemporaryFolder.bytes(of: path))
      for text in Self.archives(in: String(decoding: bytes, as: UTF8.self)) {
        let archive = try #require(Base64.bytes(text))
        let expression = try ExpressionArchive.decode(archive)
        let printed = expression.description
        #expect(try Expression(format: printed) == expression, "\(printed)")
        counts[String(printed.prefix(while: { $0.isUppercase || $0 == "$" })), default: 0] += 1
      }
    }
    print("Value expressions of public mapping models: \(counts.values.reduce(0, +)), \(counts)")
    #expect(counts.values.reduce(0, +) >= 42)
  }

  @Test(.enabled(if: Corpus.isPresent))
  func `all expressions of a compiled mapping model print and parse`() throws {
    var count = 0
    for path in Corpus.files(where: { $0.hasSuffix(".cdm") }) {
      let archive = try KeyedArchive(#require(TemporaryFolder.bytes(of: path)))
      for mapping in try #require(archive.root["NSEntityMappings"]?.elements) {
        let mapping = try #require(mapping.object)
        var parts = [mapping["NSSourceExpression"]?.object]
        for key in ["NSAttributeMappings", "NSRelationshipMappings"] {
          parts += mapping[key]?.elements?.map { $0.object?["NSValueExpression"]?.object } ?? []
        }
        for part in parts.compactMap({ $0 }) {
          let expression = try ExpressionArchive.decode(part)
          #expect(try Expression(format: expression.description) == expression)
          count += 1
        }
      }
    }
    print("Expressions of compiled mapping models: \(count)")
    #expect(count > 20)
  }

  /// The base64 texts of the value expressions of an XML mapping model.
  private static func archives(in xml: String) -> [Substring] {
    xml.split(separator: "<attribute name=\"valueexpressiondata\"").dropFirst().compactMap {
      guard let start = $0.firstIndex(of: ">"), let end = $0.firstIndex(of: "<") else { return nil }
      return $0[$0.index(after: start)..<end]
    }
  }

  /// The shapes of all value expressions that were seen in mapping models of public apps.
  @Test(arguments: [
    "$source.a", "FUNCTION($entityPolicy, \"s:\", $source.a)",
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"x\", $source.a)",
    "12", "2.5", "FUNCTION($entityPolicy, \"s:t:\", $source, $manager)",
    "FUNCTION($entityPolicy, \"s:t:\", $source.a, $source.b)", "\"text\"",
    "FUNCTION($entityPolicy, \"s\")", "FUNCTION($entityPolicy, \"s:t:\", $source.a, $manager)",
    "YES", "NO", "FUNCTION($entityPolicy, \"s:\", $source)",
    "FUNCTION($entityPolicy, \"s:\", $destination)", "a",
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", \"x\", $source.a)",
    "$source.a.b * 2", "$source.a * 0.5",
    "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"x\", $source)",
    "now()", "$source.a.b", "nil", "CAST(\"1.5\", \"NSDecimalNumber\")", "CAST(5.5, \"NSDate\")",
    "CAST(\"NSDate\", \"Class\")", "SELF", "$source",
    "FETCH(FUNCTION($manager, \"r:p:\", \"Car\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)",
    "CAST($source.a, \"NSString\")", "{1, \"a\"}", "FUNCTION(\"a\", \"length\")",
  ])
  func `every shape that was seen decodes to what its text says`(text: String) throws {
    let expression = try Expression(format: text)
    let bytes = try #require(MeasuredArchive.archive(expression), "\(text)")
    let decoded = try ExpressionArchive.decode(bytes)
    #expect(decoded == expression)
    #expect(decoded.description == text)
  }

  @Test func `forms without a measured archive are told by their parts`() throws {
    let expression = ["NSExpression", "NSObject"]
    let bytes = archive { writer in
      let one = writer.scalar(.integer(1))
      let constant = writer.object(
        hierarchy: ["NSConstantValueExpression"] + expression,
        ["NSExpressionType": .integer(0), "NSConstantValue": one.value]
      )
      let members = writer.array([constant, constant])
      let list = writer.object(
        hierarchy: ["NSAggregateExpression"] + expression,
        ["NSCollection": members.value]
      )
      let truth = writer.object(hierarchy: ["NSTruePredicate", "NSPredicate", "NSObject"], [:])
      let name = writer.string("x")
      let variable = writer.object(
        hierarchy: ["NSVariableExpression"] + expression,
        ["NSVariable": name.value]
      )
      let subquery = writer.object(
        hierarchy: ["NSSubqueryExpression"] + expression,
        [
          "NSCollection": list.value, "NSVariableExpression": variable.value,
          "NSPredicate": truth.value,
        ]
      )
      let ternary = writer.object(
        hierarchy: ["NSTernaryExpression"] + expression,
        [
          "NSPredicate": truth.value, "NSTrueExpression": subquery.value,
          "NSFalseExpression": constant.value,
        ]
      )
      return writer.object(
        hierarchy: ["NSMinusSetExpression"] + expression,
        ["NSLeftExpression": ternary.value, "NSRightExpression": list.value]
      )
    }
    #expect(
      try ExpressionArchive.decode(bytes).description
        == "TERNARY(TRUEPREDICATE, SUBQUERY({1, 1}, $x, TRUEPREDICATE), 1) MINUS {1, 1}"
    )
  }

  @Test(arguments: [
    ("NSBlockExpression", "An expression of class NSBlockExpression is not known."),
    ("NSAggregateExpression", "has not the parts that are known, but NSOther"),
    ("NSVariableExpression", "has not the parts that are known"),
    ("NSSubqueryExpression", "has not the parts that are known"),
    ("NSFunctionExpression", "has not the parts that are known"),
  ])
  func `other forms are refused by name`(name: String, message: String) {
    let bytes = archive { writer in
      writer.object(hierarchy: [name, "NSExpression", "NSObject"], ["NSOther": .integer(1)])
    }
    do {
      _ = try ExpressionArchive.decode(bytes)
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == .unsupported)
      #expect(error.message.contains(message))
    }
  }

  @Test(arguments: [("random:", 2), ("frobnicate:", 1)])
  func `unknown functions and missing arguments are refused`(selector: String, count: Int) {
    let expression = ["NSExpression", "NSObject"]
    let bytes = archive { writer in
      let library = writer.string("_NSPredicateUtilities")
      let operand = writer.object(
        hierarchy: ["NSConstantValueExpression"] + expression,
        ["NSConstantValueClassName": library.value]
      )
      let name = writer.string(selector)
      let arguments = writer.array(Array(repeating: operand, count: count))
      return writer.object(
        hierarchy: ["NSFunctionExpression"] + expression,
        [
          "NSOperand": operand.value, "NSSelectorName": name.value,
          "NSArguments": arguments.value,
        ]
      )
    }
    #expect(throws: ModelCodingError.self) { try ExpressionArchive.decode(bytes) }
  }

  @Test func `an expression that is a part of itself is refused`() {
    let bytes = archive { writer in
      let itself = writer.reserve()
      let members = writer.array([itself, itself])
      writer.fill(
        itself,
        hierarchy: ["NSAggregateExpression", "NSExpression", "NSObject"],
        ["NSCollection": members.value]
      )
      return itself
    }
    #expect(throws: ModelCodingError.self) { try ExpressionArchive.decode(bytes) }
    #expect(throws: ModelCodingError.self) { try ExpressionArchive.decode([]) }
    #expect(throws: ModelCodingError.self) { try ExpressionArchive.decodePredicate([1, 2]) }
  }

  @Test(arguments: Trials.some(of: 8 as UInt64))
  func `damaged archives are read or refused`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let texts = [
      "FUNCTION($entityPolicy, \"s:t:\", $source.a, {1, nil, \"x\"})",
      "FETCH(FUNCTION($manager, \"r:p:\", \"Car\", \"TRUEPREDICATE\"), $manager.sourceContext, NO)",
      "CAST($source.a.b * 2.5 + now(), \"NSString\")",
    ]
    var readable = 0
    for count in 0..<400 {
      let expression = try Expression(format: texts[count % texts.count])
      var bytes = try #require(MeasuredArchive.archive(expression))
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      guard let decoded = try? ExpressionArchive.decode(bytes) else { continue }
      readable += 1
      let printed = decoded.description
      #expect(try Expression(format: printed) == decoded, "\(printed)")
    }
    #expect(readable > 0 && readable < 400)
  }
}
