import ModelImport
import ObjectModel
import Testing

@Suite struct AttributeTests {
  @Test(arguments: [
    ("Integer 16", AttributeType.integer16), ("Integer 32", .integer32),
    ("Integer 64", .integer64), ("Decimal", .decimal), ("Double", .double), ("Float", .float),
    ("String", .string), ("Boolean", .boolean), ("Date", .date), ("Binary", .binary),
    ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable), ("ObjectID", .objectID),
    ("Undefined", .undefined),
  ])
  func `every type has its name`(name: String, type: AttributeType) throws {
    let (attribute, findings) = try Sample.attribute("attributeType=\"\(name)\"")
    #expect(attribute?.attributeType == type)
    #expect(attribute?.isOptional == false)
    #expect(attribute?.defaultValue == nil)
    #expect(findings == [])
  }

  @Test(arguments: [
    ("Integer 16", "-32768", AttributeValue.integer(-32_768)),
    ("Integer 32", "0.0", .integer(0)),
    ("Integer 64", "9223372036854775807", .integer(.max)),
    ("Decimal", "-12.50", .decimal("-12.50")),
    ("Double", "-3.5", .real(-3.5)),
    ("Float", "1e3", .real(1000)),
    ("String", "", .string("")),
    ("String", "a &amp; b &lt;&#10;é&quot;", .string("a & b <\né\"")),
    ("String", "&#38;#38;amp;", .string("&#38;amp;")),
    ("Boolean", "YES", .boolean(true)),
    ("Boolean", "0", .boolean(false)),
    ("URI", "https://example.com/", .uri("https://example.com/")),
    (
      "UUID", "00112233-4455-6677-8899-aAbBcCdDeEfF",
      .uuid([0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255])
    ),
  ])
  func `a default has the attribute's type`(
    type: String,
    text: String,
    value: AttributeValue
  ) throws {
    let (attribute, findings) = try Sample.attribute(
      "attributeType=\"\(type)\" defaultValueString=\"\(text)\""
    )
    #expect(attribute?.defaultValue == value)
    #expect(findings == [])
  }

  @Test(arguments: [
    ("Integer 16", "32768"), ("Integer 64", "9223372036854775808"),
    ("Decimal", "1e5"), ("Decimal", "."), ("Double", "nan"),
    ("Double", "many"), ("UUID", "0011"), ("Binary", "AA=="),
    ("Date", "2013-04-23 12:00:00 +0000"), ("Transformable", "x"),
  ])
  func `a default that is no value of the type is left out and told`(
    type: String,
    text: String
  ) throws {
    let (attribute, findings) = try Sample.attribute(
      "attributeType=\"\(type)\" defaultValueString=\"\(text)\""
    )
    #expect(attribute?.defaultValue == nil)
    #expect(findings.map(\.code) == [.unusableValue])
    #expect(findings.first?.place.line == 3)
    #expect(findings.first?.place.entity == "E")
    #expect(findings.first?.place.property == "a")
  }

  @Test(arguments: [
    ("Integer 32", "NO", AttributeValue.integer(0)), ("Integer 32", "1.5", .integer(1)),
    ("Integer 16", "-12x", .integer(-12)), ("Integer 64", "", .integer(0)),
    ("Boolean", "0.0", .boolean(false)), ("Boolean", "Yup", .boolean(true)),
  ])
  func `a stale default is read as Xcode's compiler reads it`(
    type: String,
    text: String,
    value: AttributeValue
  ) throws {
    let (attribute, findings) = try Sample.attribute(
      "attributeType=\"\(type)\" defaultValueString=\"\(text)\""
    )
    #expect(attribute?.defaultValue == value)
    #expect(findings.map(\.severity) == [.note])
  }

  @Test func `dates count by their intervals`() throws {
    let (attribute, findings) = try Sample.attribute(
      """
      attributeType="Date" minDateTimeInterval="284000400" minValueString="2010-01-01 01:00:00" \
      maxDateTimeInterval="602395200" maxValueString="2020-02-03 04:00" \
      defaultDateTimeInterval="388411200.5" defaultValueString="2013-04-23 12:00:00 +0000"
      """
    )
    #expect(attribute?.defaultValue == .date(388_411_200.5))
    #expect(attribute?.validation.minimum == .date(284_000_400))
    #expect(attribute?.validation.maximum == .date(602_395_200))
    #expect(findings == [])
  }

  @Test func `a date that only people can read is left out and told`() throws {
    let (attribute, findings) = try Sample.attribute(
      "attributeType=\"Date\" minValueString=\"2010-01-01 01:00:00\""
    )
    #expect(attribute?.validation.isEmpty == true)
    #expect(findings.map(\.code) == [.unusableValue])
  }

  @Test func `bounds of text are lengths`() throws {
    let (attribute, findings) = try Sample.attribute(
      """
      attributeType="String" minValueString="2" maxValueString="5" \
      regularExpressionString="\\d{13}"
      """
    )
    #expect(attribute?.validation.minimum == .integer(2))
    #expect(attribute?.validation.maximum == .integer(5))
    #expect(attribute?.validation.regularExpression == "\\d{13}")
    #expect(findings == [])
  }

  @Test func `every flag and name arrives`() throws {
    let (attribute, findings) = try Sample.attribute(
      """
      optional="YES" transient="YES" attributeType="Transformable" elementID="old" \
      versionHashModifier="2" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES" \
      allowsCloudEncryption="YES" valueTransformerName="T" customClassName="C" \
      usesScalarValueType="NO" indexed="YES" spotlightIndexingEnabled="YES" \
      storedInTruthFile="YES" syncable="YES"
      """
    )
    var expected = AttributeDescription(name: "a", attributeType: .transformable)
    expected.isOptional = true
    expected.isTransient = true
    expected.renamingIdentifier = "old"
    expected.versionHashModifier = "2"
    expected.allowsExternalBinaryDataStorage = true
    expected.preservesValueInHistoryOnDeletion = true
    expected.allowsCloudEncryption = true
    expected.valueTransformerName = "T"
    expected.attributeValueClassName = "C"
    expected.usesScalarValueType = false
    expected.isIndexed = true
    expected.isIndexedBySpotlight = true
    expected.isStoredInExternalRecord = true
    #expect(attribute == expected)
    #expect(findings == [])
  }

  @Test(arguments: [
    ("now()", DerivationExpression.now), ("category.name", .keyPath(["category", "name"])),
    ("canonical:(name)", .function(name: "canonical", keyPath: ["name"])),
    ("articles.@count", .aggregate(keyPath: ["articles"], operation: "count", operand: [])),
  ])
  func `a derived attribute keeps its expression`(
    text: String,
    expression: DerivationExpression
  ) throws {
    let (attribute, findings) = try Sample.attribute(
      "attributeType=\"String\" derived=\"YES\" derivationExpression=\"\(text)\""
    )
    #expect(attribute?.derivationExpression == expression)
    #expect(findings == [])
  }

  @Test(arguments: [
    "attributeType=\"Integer 128\"", "attributeType=\"String\" optional=\"MAYBE\"",
    "attributeType=\"String\" derived=\"YES\"",
  ])
  func `what version hashes depend on is an error where it is wrong`(text: String) {
    let error = Sample.error("<entity name=\"E\">\n<attribute name=\"a\" \(text)/></entity>")
    #expect(error?.code == .badValue)
    #expect(error?.line == 4)
    #expect(error?.element == "attribute")
  }
}
