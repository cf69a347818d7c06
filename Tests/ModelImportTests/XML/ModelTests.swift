import ModelImport
import ObjectModel
import Testing

@Suite struct ModelTests {
  @Test func `an entity keeps all that is said of it`() throws {
    let imported = try Sample.read(
      """
      <entity name="P" isAbstract="YES"/>
      <entity name="E" representedClassName="C" parentEntity="P" elementID="Old" \
      versionHashModifier="m" syncable="YES" codeGenerationType="class">
        <attribute name="b" attributeType="String"/><attribute name="a" attributeType="String"/>
        <userInfo><entry key="k" value="v &amp; w"/></userInfo>
        <fetchIndex name="i" partialIndexPredicate="a != nil">
          <fetchIndexElement property="a" type="Binary" order="descending"/>
          <fetchIndexElement property="b" type="RTree" order="ascending"/>
          <fetchIndexElement expression="lowercase:(b)" type="Binary" order="ascending"/>
        </fetchIndex>
        <compoundIndexes><compoundIndex><index value="b"/><index value="a"/></compoundIndex>
        </compoundIndexes>
        <uniquenessConstraints><uniquenessConstraint><constraint value="b"/><constraint value="a"/>
        </uniquenessConstraint><uniquenessConstraint><constraint value="a"/>
        </uniquenessConstraint></uniquenessConstraints>
      </entity>
      """
    )
    let entity = try #require(imported.model["E"])
    #expect(imported.findings == [])
    #expect(imported.model["P"]?.isAbstract == true)
    #expect(entity.managedObjectClassName == "C")
    #expect(entity.superentityName == "P")
    #expect(entity.renamingIdentifier == "Old")
    #expect(entity.versionHashModifier == "m")
    #expect(entity.isSyncable == true)
    #expect(entity.codeGenerationType == "class")
    #expect(entity.userInfo == ["k": "v & w"])
    #expect(entity.attributes.map(\.name) == ["a", "b"])
    #expect(entity.compoundIndexes == [["b", "a"]])
    #expect(entity.uniquenessConstraints == [["b", "a"], ["a"]])
    let index = try #require(entity.indexes.first)
    #expect(index.partialIndexPredicate == "a != nil")
    #expect(index.elements.map(\.propertyName) == ["a", "b", "lowercase:(b)"])
    #expect(index.elements.map(\.isAscending) == [false, true, true])
    #expect(index.elements.map(\.collation) == [.binary, .rTree, .binary])
    #expect(index.elements.map(\.isExpression) == [false, false, true])
  }

  @Test func `a silent relationship is to one, and its counts are 0 and 1`() throws {
    let imported = try Sample.read(
      """
      <entity name="E"><relationship name="r" deletionRule="No Action" destinationEntity="E"/>
      <relationship name="s" toMany="YES" deletionRule="Deny" destinationEntity="E"/></entity>
      """
    )
    let relationships = imported.model.relationships(of: "E")
    #expect(relationships.map(\.minCount) == [0, 0])
    #expect(relationships.map(\.maxCount) == [1, 0])
    #expect(relationships.map(\.isToMany) == [false, true])
    #expect(relationships.map(\.deletionRule) == [.noAction, .deny])
    #expect(relationships.map(\.isOptional) == [false, false])
    #expect(imported.findings == [])
  }

  @Test func `a relationship keeps all that is said of it`() throws {
    let imported = try Sample.read(
      """
      <entity name="E"><relationship name="r" optional="YES" transient="YES" toMany="YES" \
      ordered="YES" minCount="1" maxCount="9" deletionRule="Cascade" destinationEntity="F" \
      inverseName="s" inverseEntity="F" indexed="YES" elementID="old" versionHashModifier="2" \
      spotlightIndexingEnabled="YES" storedInTruthFile="YES" syncable="YES"/></entity>
      <entity name="F"><relationship name="s" maxCount="1" deletionRule="Nullify" \
      destinationEntity="E" inverseName="r" inverseEntity="E"/></entity>
      """
    )
    var expected = RelationshipDescription(name: "r", destinationEntityName: "F")
    expected.isOptional = true
    expected.isTransient = true
    expected.isOrdered = true
    expected.minCount = 1
    expected.maxCount = 9
    expected.deletionRule = .cascade
    expected.inverseName = "s"
    expected.inverseEntityName = "F"
    expected.isIndexed = true
    expected.renamingIdentifier = "old"
    expected.versionHashModifier = "2"
    expected.isIndexedBySpotlight = true
    expected.isStoredInExternalRecord = true
    #expect(imported.model["E"]?.relationships == [expected])
    #expect(imported.model["F"]?.relationships.first?.deletionRule == .nullify)
    #expect(imported.findings == [])
  }

  @Test func `fetches, configurations, composites and identifiers arrive`() throws {
    let imported = try Sample.read(
      """
      <entity name="E"><attribute name="c" attributeType="Composite" composite="Point"/>
        <fetchedProperty name="f" optional="YES" elementID="g"><fetchRequest name="r" entity="E" \
      predicateString="x == 1"/></fetchedProperty></entity>
      <fetchRequest name="All" entity="E" resultType="2" fetchLimit="100" fetchBatchSize="10" \
      includeSubentities="YES" includePropertyValues="NO" includesPendingChanges="YES" \
      returnObjectsAsFaults="NO" returnDistinctResults="YES"/>
      <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="E"/></configuration>
      <composite name="Point"><attribute name="y" attributeType="Double"/>
        <attribute name="x" attributeType="Double"/></composite>
      <elements><element name="E" positionX="0"/></elements>
      """,
      attributes: " usedWithCloudKit=\"YES\" lastSavedToolsVersion=\"1\""
    )
    let model = imported.model
    #expect(imported.findings == [])
    #expect(model.versionIdentifiers == ["7"])
    #expect(model.configurations == ["Cloud": ["E"]])
    #expect(model.composites.map(\.name) == ["Point"])
    #expect(model.composites.first?.attributes.map(\.name) == ["y", "x"], "as declared")
    #expect(model["E"]?.attributes.first?.compositeName == "Point")
    let property = try #require(model["E"]?.fetchedProperties.first)
    #expect(property.isOptional)
    #expect(property.renamingIdentifier == "g")
    #expect(property.fetchRequest.predicate == "x == 1")
    let template = try #require(model.fetchRequestTemplates.first)
    #expect(template.resultType == .dictionaries)
    #expect(template.fetchLimit == 100)
    #expect(template.fetchBatchSize == 10)
    #expect(template.includesSubentities == true)
    #expect(template.includesPropertyValues == false)
    #expect(template.includesPendingChanges == true)
    #expect(template.returnsObjectsAsFaults == false)
    #expect(template.returnsDistinctResults == true)
  }

  @Test func `an unknown attribute of the file is a note, and no advice removes anything`() throws {
    let root = try Sample.read("<entity name=\"E\"/>", attributes: " usedWithFuture=\"YES\"")
    #expect(root.findings.map(\.severity) == [.note])
    let entity = try Sample.read("<entity name=\"E\" future=\"YES\"/>")
    #expect(entity.findings.map(\.severity) == [.warning])
    #expect(!(root.findings + entity.findings).contains { $0.remedy.contains("remove") })
  }

  @Test(arguments: [
    ("<entity name=\"E\" isSpecial=\"YES\"/>", FindingCode.unknownAttribute),
    ("<future><entity name=\"E\"/></future>", .unknownElement),
    ("<attribute name=\"a\"/>", .unknownElement),
    ("<configuration name=\"C\"><memberEntity name=\"Gone\"/></configuration>", .unusableValue),
  ])
  func `what is unknown is told with its line`(body: String, code: FindingCode) throws {
    let imported = try Sample.read("\n\(body)")
    #expect(imported.findings.map(\.code) == [code])
    #expect(imported.findings.first?.place.line == 4)
    #expect(imported.findings.first?.place.file == "contents")
  }

  @Test(arguments: [
    (
      "<relationship name=\"r\" destinationEntity=\"Gone\"/>", ModelError.Code.missingDestination,
      4
    ),
    ("<attribute name=\"r\"/><attribute name=\"r\"/>", .duplicateName, 4),
    (
      "<attribute name=\"r\" attributeType=\"Composite\" composite=\"Gone\"/>", .missingComposite, 4
    ),
    (
      """
      <uniquenessConstraints><uniquenessConstraint><constraint value="Gone"/>
      </uniquenessConstraint></uniquenessConstraints>
      """, .missingProperty, 3
    ),
  ])
  func `parts that do not fit are an error at their line`(
    body: String,
    code: ModelError.Code,
    line: Int
  ) {
    let error = Sample.error("<entity name=\"E\">\n\(body)</entity>")
    #expect(error?.code == .inconsistentModel(code))
    #expect(error?.line == line)
    #expect(error?.file == "contents")
  }

  @Test(arguments: [
    ("<entity name=\"A\" parentEntity=\"A\"/>", ModelError.Code.parentCycle),
    (
      "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>", .parentCycle
    ),
    ("<entity name=\"A\" parentEntity=\"Gone\"/>", .missingParent),
    ("<entity name=\"A\"/><entity name=\"A\"/>", .duplicateName),
  ])
  func `a hierarchy that is none is an error`(body: String, code: ModelError.Code) {
    #expect(Sample.error(body)?.code == .inconsistentModel(code))
    #expect(Sample.error(body)?.line == 3)
  }
}
