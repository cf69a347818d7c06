internal import ObjectModel

extension Rule {
  /// Rules about models whose stores CloudKit mirrors.
  static let cloudKit: [FindingCode: Rule] = [
    .mirroredUniqueness: Rule(
      "An entity that CloudKit mirrors has a uniqueness constraint.",
      why:
        "Devices save at the same time without knowing of each other, so that CloudKit supports no "
        + "uniqueness. The framework refuses to open the store: \"CloudKit integration does not "
        + "support unique constraints\".",
      example: ["@Attribute(.unique) var id: UUID = UUID()"],
      fix: "Remove the constraint, and merge duplicates in the app. \(other)"
    ),
    .mirroredRequiredRelationship: Rule(
      "A relationship that CloudKit mirrors is required.",
      why:
        "CloudKit may save the two ends at different times. The framework refuses to open the "
        + "store: \"CloudKit integration requires that all relationships be optional\".",
      example: [
        "var items: [Item]          // required", "var items: [Item]? = []    // optional",
      ],
      fix: "Make it optional. \(other)"
    ),
    .mirroredMissingInverse: Rule(
      "A relationship that CloudKit mirrors has no inverse.",
      why:
        "Records arrive in any order, and the inverse is what joins them. The framework refuses "
        + "to open the store: \"CloudKit integration requires that all relationships have an "
        + "inverse\".",
      fix: "Add an optional relationship that leads back, and make the two the inverse of each "
        + "other. \(other)"
    ),
    .mirroredDeny: Rule(
      "A relationship that CloudKit mirrors has the deletion rule Deny.",
      why: "Apple documents that CloudKit does not support it: another device may delete the "
        + "object anyway.",
      fix: "Set it to Nullify, and let the app refuse the deletion. \(other)"
    ),
    .mirroredOrder: Rule(
      "A relationship that CloudKit mirrors is ordered.",
      why:
        "Records have no order among each other. The framework refuses to open the store: "
        + "\"CloudKit integration does not support ordered relationships\".",
      fix: "Clear Ordered, and keep the order in an attribute of the destination. \(other)"
    ),
    .mirroredRequiredAttribute: Rule(
      "An attribute that CloudKit mirrors is required and has no default.",
      why:
        "A record of an older version may lack the field. The framework refuses to open the store: "
        + "\"CloudKit integration requires that all attributes be optional, or have a default "
        + "value set\". Derived and composite attributes are not judged.",
      example: ["var title: String          // no default", "var title: String = \"\""],
      fix: "Make it optional, or give it a default value. \(other)"
    ),
    .mirroredType: Rule(
      "An attribute that CloudKit mirrors is of the type Undefined or object ID.",
      why: "Apple documents that CloudKit does not support these types: no field can keep their "
        + "values.",
      fix: "Give it another type, or make it transient. \(other)"
    ),
    .mirroredDestinationElsewhere: Rule(
      "A relationship that CloudKit mirrors leads to an entity of another configuration.",
      why:
        "Each configuration is a store of its own, and no relationship leads from one store to "
        + "another.",
      example: ["configuration Cloud { Note }", "Note.author: Author       // not in Cloud"],
      fix: "Add the destination to the configuration, or keep its identifier in an attribute."
    ),
    .recordPartDropped: Rule(
      "A record type or field that users' devices sync has no entity or property any more.",
      why:
        "A deployed schema of CloudKit keeps it. Devices with an older version of the app go on "
        + "to read and write it, and the new version does not see what they write.",
      fix:
        "Keep it in the model until no device has the older version, or accept it with a reason. "
        + "\(other)"
    ),
    .recordPartRenamed: Rule(
      "An entity or property has another name than its deployed record type or field.",
      why:
        "Renaming IDs carry the values of the store on the device. CloudKit renames nothing: to "
        + "it the new name is a new field, so that devices with the old and the new version do not "
        + "see each other's "
        + "values. Core Data is reported not to migrate the store where an entity is renamed: \"CloudKit "
        + "integration forbids renaming\".",
      example: [
        "v1, deployed:  Note { title: String }        // field CD_title",
        "v2:            Note { heading: String }      // field CD_heading; Renaming ID title",
      ],
      fix: "Keep the name in the model, and give the class or a computed property the new one. "
        + "\(other)"
    ),
    .recordFieldRetyped: Rule(
      "A property has another type than its deployed field.",
      why:
        "CloudKit changes no deployed field, and refuses records with a value of another type or "
        + "another encryption. A field of a dropped property stays, too.",
      example: [
        "v1, deployed:  Note { rank: String }", "v2:            Note { rank: Integer 64 }",
      ],
      fix: "Keep the property, and add one of another name. \(other)"
    ),
  ]

  /// The remedy where CloudKit is not used.
  private static let other =
    "Where CloudKit does not mirror the store: `cloudKit: false` in waystone.yml."
}
