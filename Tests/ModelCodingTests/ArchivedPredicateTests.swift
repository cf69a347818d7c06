import ModelCoding
import ObjectModel
import Testing

/// Predicates and expressions, each sent through an archive and back.
@Suite struct `Archived predicates` {
  private func entity(_ change: (inout EntityDescription) -> Void) throws -> ManagedObjectModel {
    var entity = EntityDescription(name: "Note")
    entity.attributes = [AttributeDescription(name: "a", attributeType: .string)]
    change(&entity)
    return try ManagedObjectModel(entities: [entity])
  }

  /// The predicate of a partial index after it was archived and read back.
  private func archived(_ text: String) throws -> String? {
    let model = try entity { entity in
      var index = FetchIndexDescription(name: "i", elements: [.init(propertyName: "a")])
      index.partialIndexPredicate = text
      entity.indexes = [index]
    }
    let decoded = try ModelArchiveDecoder.decode(ModelArchiveEncoder.encode(model))
    #expect(decoded.findings.isEmpty)
    return decoded.model["Note"]?.indexes.first?.partialIndexPredicate
  }

  @Test(arguments: [
    ("timestamp != nil", "timestamp != nil"),
    ("a = 1", "a == 1"), ("a<>-1", "a != -1"), ("a =< 1.5", "a <= 1.5"),
    ("a => 1e-3", "a >= 0.001"),
    ("true == YES", "YES == YES"), ("a == FALSE", "a == NO"), ("a == NULL", "a == nil"),
    ("SELF == 'it\\'s'", "SELF == \"it's\""), ("a == \"x \\\" \\\\ y\"", "a == \"x \\\" \\\\ y\""),
    ("a.b.@count > 0", "a.b.@count > 0"), ("SELF.a == $V", "a == $V"),
    ("a CONTAINS[cd] 'x'", "a CONTAINS[cd] \"x\""), ("a in $LIST.names", "a IN $LIST.names"),
    ("ANY a.b == 1", "ANY a.b == 1"), ("some a == 1", "ANY a == 1"), ("ALL a < 1", "ALL a < 1"),
    ("a MATCHES \"\\\\d+\"", "a MATCHES \"\\\\d+\""),
    ("a == 1 && b == 2 || c == 3", "(a == 1 AND b == 2) OR c == 3"),
    ("a == 1 AND (b == 2 OR c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
    ("((a == 1))", "a == 1"), ("!a == 1", "NOT (a == 1)"), ("NOT NOT a == 1", "NOT (NOT (a == 1))"),
    ("TRUEPREDICATE", "TRUEPREDICATE"), ("NOT FALSEPREDICATE", "NOT (FALSEPREDICATE)"),
    ("a > CAST(12.5, \"NSDate\")", "a > CAST(12.5, \"NSDate\")"),
    ("größe == 1", "größe == 1"),
  ])
  func `a format string comes back in plain form`(text: String, plain: String) throws {
    #expect(try archived(text) == plain)
    #expect(try archived(plain) == plain)
  }

  @Test(arguments: [
    "", "a", "a ==", "== 1", "a == 1 AND", "(a == 1", "a == 1)", "a == 1 b", "a ==[x] 1", "a ~ 1",
    "a == 'open", "a.. == 1", "$ == 1", "a BETWEEN {1, 2}", "a BEGINSWITH 'x'", "f(a) == 1",
    "a == %@", "a == 'x\\q'", String(repeating: "(", count: 10_000) + "a == 1",
    String(repeating: "NOT ", count: 10_000) + "a == 1",
  ])
  func `what has no known archived form is refused`(text: String) {
    #expect(throws: ModelCodingError.self) { try archived(text) }
  }

  @Test(arguments: [
    "now()", "title", "category.name", "canonical:(title)", "uppercase:(a.b)", "articles.@count",
    "articles.@sum.price",
  ])
  func `a derivation comes back`(text: String) throws {
    let model = try entity { entity in
      var derived = AttributeDescription(name: "derived", attributeType: .string)
      derived.derivationExpression = DerivationExpression(parsing: text)
      entity.attributes.append(derived)
    }
    let decoded = try ModelArchiveDecoder.decode(ModelArchiveEncoder.encode(model)).model
    #expect(decoded == model)
    let derived = decoded["Note"]?.attributes.first { $0.name == "derived" }
    #expect(derived?.derivationExpression?.description == text)
  }

  @Test(arguments: AttributeType.allCases)
  func `the bounds of every type of value come back`(type: AttributeType) throws {
    let bound: AttributeValue? =
      switch type {
      case .integer16, .integer32, .integer64, .string: .integer(3)
      case .double, .float: .real(2)
      case .decimal: .decimal("2.5")
      case .date: .date(1_000)
      default: nil
      }
    guard let bound else { return }
    let model = try entity { entity in
      var attribute = AttributeDescription(name: "b", attributeType: type)
      attribute.validation.minimum = bound
      attribute.validation.maximum = bound
      entity.attributes.append(attribute)
    }
    let decoded = try ModelArchiveDecoder.decode(ModelArchiveEncoder.encode(model))
    #expect(decoded.model == model)
    #expect(decoded.findings.isEmpty)
  }

  @Test func `a fetch request says only what differs from Core Data's standard`() throws {
    for kind: FetchRequestTemplate.ResultType in [
      .managedObjects, .managedObjectIDs, .dictionaries, .count,
    ] {
      var request = FetchRequestTemplate(name: "r", entityName: "Note")
      request.resultType = kind
      var changed = request
      changed.name = "s"
      changed.includesSubentities = false
      changed.returnsObjectsAsFaults = false
      changed.returnsDistinctResults = true
      changed.includesPropertyValues = kind == .managedObjectIDs
      changed.includesPendingChanges = kind == .dictionaries
      let model = try ManagedObjectModel(
        entities: [EntityDescription(name: "Note")],
        fetchRequestTemplates: [request, changed]
      )
      let decoded = try ModelArchiveDecoder.decode(ModelArchiveEncoder.encode(model)).model
      #expect(decoded.fetchRequestTemplates == [request, changed])
    }
  }
}
