/// The elements and attributes of `contents` files, and the reader's use of it.
///
/// Apple documents none of this; the table lists what Xcode 4.3 to 16 wrote in 620 models of public
/// apps, and the few further attributes that Xcode's model editor is known to write.
enum XMLVocabulary {
  /// The use that the reader makes of an attribute.
  enum Meaning: Hashable {
    /// The attribute becomes part of the model.
    case modelled
    /// The attribute is left out on purpose, for this reason.
    case ignored(String)
  }

  /// An element: its possible parents, and its attributes.
  struct Element {
    let parents: Set<String>
    let attributes: [String: Meaning]
    /// Whether the contents are left out with it.
    var isIgnored = false
  }

  private static let noEffect = "a setting of Xcode's editor, without effect on the model"
  private static let shown = "a copy of the value for people; the interval beside it counts"

  private static func modelled(
    _ names: String...,
    ignored: [String: String] = [:]
  ) -> [String: Meaning] {
    var result = ignored.mapValues(Meaning.ignored)
    for name in names { result[name] = .modelled }
    return result
  }

  /// The table, by name of element; the parent of the root is the empty name.
  static let elements: [String: Element] = [
    "model": Element(
      parents: [""],
      attributes: modelled(
        "userDefinedModelVersionIdentifier",
        "usedWithCloudKit",
        ignored: [
          "name": "always empty",
          "type": "checked to be the data modeler's; nothing else is known",
          "documentVersion": noEffect, "lastSavedToolsVersion": noEffect,
          "systemVersion": noEffect, "minimumToolsVersion": noEffect,
          "sourceLanguage": noEffect, "macOSVersion": noEffect, "iOSVersion": noEffect,
          "usedWithSwiftData": noEffect,
        ]
      )
    ),
    "entity": Element(
      parents: ["model"],
      attributes: modelled(
        "name",
        "representedClassName",
        "parentEntity",
        "isAbstract",
        "elementID",
        "versionHashModifier",
        "syncable",
        "codeGenerationType",
        ignored: ["coreSpotlightDisplayNameExpression": "Spotlight's, without effect on stores"]
      )
    ),
    "attribute": Element(
      parents: ["entity", "composite"],
      attributes: modelled(
        "name",
        "attributeType",
        "optional",
        "transient",
        "indexed",
        "elementID",
        "versionHashModifier",
        "defaultValueString",
        "defaultDateTimeInterval",
        "minValueString",
        "maxValueString",
        "minDateTimeInterval",
        "maxDateTimeInterval",
        "regularExpressionString",
        "derived",
        "derivationExpression",
        "valueTransformerName",
        "customClassName",
        "usesScalarValueType",
        "allowsExternalBinaryDataStorage",
        "allowsCloudEncryption",
        "preserveAfterDeletion",
        "spotlightIndexingEnabled",
        "storedInTruthFile",
        "composite",
        ignored: ["syncable": "Sync Services ended with OS X 10.7"]
      )
    ),
    "relationship": Element(
      parents: ["entity"],
      attributes: modelled(
        "name",
        "optional",
        "transient",
        "toMany",
        "ordered",
        "minCount",
        "maxCount",
        "deletionRule",
        "destinationEntity",
        "inverseName",
        "inverseEntity",
        "indexed",
        "elementID",
        "versionHashModifier",
        "spotlightIndexingEnabled",
        "storedInTruthFile",
        ignored: ["syncable": "Sync Services ended with OS X 10.7"]
      )
    ),
    "fetchedProperty": Element(
      parents: ["entity"],
      attributes: modelled(
        "name",
        "optional",
        "elementID",
        ignored: ["syncable": "Sync Services ended with OS X 10.7"]
      )
    ),
    "fetchRequest": Element(
      parents: ["model", "fetchedProperty"],
      attributes: modelled(
        "name",
        "entity",
        "predicateString",
        "resultType",
        "fetchLimit",
        "fetchBatchSize",
        "includeSubentities",
        "includePropertyValues",
        "includesPendingChanges",
        "returnObjectsAsFaults",
        "returnDistinctResults"
      )
    ),
    "uniquenessConstraints": Element(parents: ["entity"], attributes: [:]),
    "uniquenessConstraint": Element(parents: ["uniquenessConstraints"], attributes: [:]),
    "constraint": Element(parents: ["uniquenessConstraint"], attributes: modelled("value")),
    "fetchIndex": Element(
      parents: ["entity"],
      attributes: modelled("name", "partialIndexPredicate")
    ),
    "fetchIndexElement": Element(
      parents: ["fetchIndex"],
      attributes: modelled(
        "property",
        "expression",
        "type",
        "order",
        ignored: ["expressionType": "the result type, which SQLite does not need"]
      )
    ),
    "compoundIndexes": Element(parents: ["entity"], attributes: [:]),
    "compoundIndex": Element(parents: ["compoundIndexes"], attributes: [:]),
    "index": Element(parents: ["compoundIndex"], attributes: modelled("value")),
    "configuration": Element(
      parents: ["model"],
      attributes: modelled("name", "usedWithCloudKit")
    ),
    "memberEntity": Element(parents: ["configuration"], attributes: modelled("name")),
    "composite": Element(parents: ["model"], attributes: modelled("name")),
    "userInfo": Element(
      parents: ["entity", "attribute", "relationship", "fetchedProperty"],
      attributes: [:]
    ),
    "entry": Element(parents: ["userInfo"], attributes: modelled("key", "value")),
    // Where Xcode's diagram draws each entity.
    "elements": Element(parents: ["model"], attributes: [:], isIgnored: true),
  ]
}
