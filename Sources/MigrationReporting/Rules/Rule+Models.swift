internal import ObjectModel

extension Rule {
  /// Rules about models themselves.
  static let models: [FindingCode: Rule] = [
    .equalVersions: Rule(
      "Two versions have the same hashes, so that a store is of both.",
      why:
        "Core Data finds a store's version by its entities' hashes. Versions that differ only in "
        + "what hashes leave out, or in nothing, are one version to it: no migration runs between "
        + "them.",
      example: [
        "v4  <attribute name=\"title\" attributeType=\"String\" defaultValueString=\"\"/>",
        "v5  <attribute name=\"title\" attributeType=\"String\" defaultValueString=\"New\"/>",
      ],
      fix: "Nothing, if stores need not follow. Else set a hash modifier on what differs."
    ),
    .ambiguousCanonicalName: Rule(
      "Two entities, or two properties of one entity, match the same earlier one.",
      why:
        "Core Data matches versions by Renaming ID, else by name. Where two match one, nothing says "
        + "which of them gets the data, and Waystone does not guess.",
      example: [
        "<attribute name=\"title\" …/>", "<attribute name=\"heading\" elementID=\"title\" …/>",
      ],
      fix: "Give the Renaming ID to only one of them. No version hash changes."
    ),
    .renamingIdentifierNamesOldName: Rule(
      "A Renaming ID is the last name of what already had a Renaming ID.",
      why:
        "Apple documents that the Renaming ID stays with a property through all its names. Core Data "
        + "compares the two Renaming IDs, finds them different, and may drop the data.",
      example: [
        "v1  name=\"a\"", "v2  name=\"b\" elementID=\"a\"",
        "v3  name=\"c\" elementID=\"b\"    ← should be elementID=\"a\"",
      ],
      fix: "Keep the Renaming ID that the earlier version has. No version hash changes."
    ),
    .missingInverse: Rule(
      "A relationship has no inverse.",
      why:
        "A to-one without an inverse leads to a row that is gone where the object at the other end is "
        + "deleted. A to-many without an inverse cannot share objects: a store keeps one owner for each of "
        + "them. Xcode warns of it too.",
      example: [
        "<relationship name=\"owner\" maxCount=\"1\" destinationEntity=\"Person\" …/>"
      ],
      fix: "In a version that has not shipped, add an inverse relationship, such as Person.notes."
    ),
    .unprovenHash: Rule(
      "A version hash contains a form that no measured store has.",
      why: "Hashes are computed as Core Data was seen to compute them. For this form nothing was "
        + "seen, so a store of this version may not be recognised.",
      example: ["derivationExpression=\"uppercase:(canonical:(name))\""],
      fix: "Compare `waystone inspect` of a store that the app made at this version."
    ),
    .canonicalNamesDisagree: Rule(
      "An entity or property keeps its name and changes its Renaming ID.",
      why:
        "The Renaming ID was set, changed or cleared without a rename. Core Data compares Renaming IDs, "
        + "or names where there is none, so it may see one thing dropped and another added.",
      example: ["v2  name=\"heading\" elementID=\"title\"", "v3  name=\"heading\""],
      fix: "Keep the Renaming ID in all later versions. No version hash changes."
    ),
    .unseenEdit: Rule(
      "A validation changes without any effect on the hash.",
      why: "Core Data sees no new version of the entity: rows that exist are not migrated, and may "
        + "break the new rule.",
      example: [
        "v4  <attribute name=\"count\" minValueString=\"0\" …/>",
        "v5  <attribute name=\"count\" minValueString=\"1\" …/>",
      ],
      fix: "Nothing, if old rows may stay as they are. Else set a hash modifier and convert them."
    ),
    .renamingIdentifierNamesNothing: Rule(
      "A Renaming ID names nothing in an earlier version.",
      why:
        "The item then counts as new, and what it was meant to be renamed from is dropped. It is "
        + "mostly a typing error, or the name of something that was gone before.",
      example: ["v1  name=\"title\"", "v2  name=\"heading\" elementID=\"titel\""],
      fix: "Set it to the name, or to the Renaming ID, that it had in the last version."
    ),
    .suspectedRename: Rule(
      "Something is dropped, and something like it is new, without a Renaming ID.",
      why: "If it was a rename, every row's value is dropped: only the Renaming ID says that both "
        + "are one. One attribute that goes and one that comes with the same type are always taken for "
        + "a rename.",
      example: ["v1  <attribute name=\"pinned\" …/>", "v2  <attribute name=\"isPinned\" …/>"],
      fix: "Set the Renaming ID (elementID=\"pinned\"), or accept the finding if they are not one."
    ),
    .hashModifierNeedless: Rule(
      "A hash modifier is set in a version in which the hash changes anyhow.",
      why: "It does no harm, but it has to be kept for ever: without it the hash changes again.",
      example: ["v2  <attribute name=\"count\" attributeType=\"Integer 64\" versionHashModifier=…"],
      fix: "Leave it out before the version ships; afterwards keep it."
    ),
    .inverseLeadsElsewhere: Rule(
      "A relationship's inverse does not lead back to it.",
      why:
        "Core Data reads and hashes such a model, and keeps the two relationships apart: setting "
        + "one does not set the other.",
      example: [
        "Chat.last      → Message, inverse chat",
        "Message.chat   → Chat, inverse messages",
      ],
      fix: "In a version that has not shipped, give each relationship an inverse of its own."
    ),
    .renameUnseen: Rule(
      "A Renaming ID names something that the version before has too, and no hash changes.",
      why:
        "Two names change places by it, but hashes hold names and not Renaming IDs: Core Data finds "
        + "stores of the older version compatible and migrates none, so that each name keeps its values.",
      example: [
        "v1  name=\"first\", name=\"last\"",
        "v2  name=\"first\" elementID=\"last\", name=\"last\" elementID=\"first\"",
      ],
      fix: "Set a hash modifier on what is renamed. Then stores of the older version are migrated."
    ),
    .unknownPlace: Rule(
      "Waystone migrates no store of a version.",
      why:
        "No measured store shows where a part of the version is kept, so that its place would be a guess: two "
        + "entities whose names differ in case alone want one table, for example. Or the version has more than "
        + "2,000 tables of entities, for which a run would take too long.",
      example: ["<entity name=\"Item\" …/>", "<entity name=\"ITEM\" …/>"],
      fix:
        "Change or remove that part in a version that has not shipped. Stores of shipped versions are left to "
        + "the app."
    ),
  ]
}
