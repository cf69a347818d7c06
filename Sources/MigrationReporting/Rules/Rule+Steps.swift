internal import ObjectModel

extension Rule {
  /// Rules about steps between versions.
  static let steps: [FindingCode: Rule] = [
    .entityDropped: Rule(
      "An entity is dropped with all its rows.",
      why: "The later version has no entity that it became.",
      fix: "If it was renamed, set the Renaming ID of the new entity to the old name."
    ),
    .attributeDropped: Rule(
      "An attribute is dropped.",
      why: "Its values are lost.",
      fix: "If it was renamed, set the Renaming ID of the new attribute to the old name."
    ),
    .relationshipDropped: Rule(
      "A relationship is dropped.",
      why: "What it connected is no longer connected.",
      fix: "If it was renamed, set the Renaming ID of the new relationship to the old name."
    ),
    .entityAdded: Rule(
      "An entity is new.",
      why: "It begins without rows.",
      fix: "Nothing needs to be done."
    ),
    .attributeAdded: Rule(
      "An attribute is new.",
      why: "Existing rows get its default, or nothing.",
      fix: "Nothing needs to be done."
    ),
    .relationshipAdded: Rule(
      "A relationship is new.",
      why:
        "Existing rows have no links in it. Where it is required, they fail validation when the app saves "
        + "them.",
      fix: "Where it is required, let the app set it on existing rows before it saves them."
    ),
    .entityRenamed: Rule(
      "An entity has another name.",
      why: "Its Renaming ID says so, and its rows stay.",
      fix: "Nothing needs to be done."
    ),
    .propertyRenamed: Rule(
      "A property has another name.",
      why: "Its Renaming ID says so, and its values stay.",
      fix: "Nothing needs to be done."
    ),
    .typeWidened: Rule(
      "A number's type becomes wider.",
      why: "Every value fits.",
      fix: "Nothing needs to be done."
    ),
    .typeNarrowed: Rule(
      "A number's type becomes narrower, or loses its fraction.",
      why:
        "Values that do not fit would change. Core Data writes a decimal as a double, so whole numbers "
        + "beyond ±9,007,199,254,740,992 fit neither.",
      fix: "Check the values. In a version that has not shipped, keep the wider type."
    ),
    .typeConverted: Rule(
      "An attribute's type changes in a way that cannot be inferred.",
      why: "No conversion follows from the models.",
      fix:
        "Write a mapping with an expression. In a version that has not shipped, add a new attribute."
    ),
    .becomesRequired: Rule(
      "An optional attribute becomes required; rows without a value get the default.",
      why: "What was missing can no longer be told from the default.",
      fix: "If that matters, keep it optional in a version that has not shipped."
    ),
    .requiredWithoutDefault: Rule(
      "An attribute is required and has no default, and rows may lack a value.",
      why: "Such rows would be invalid. A store without rows has none, and is migrated.",
      fix: "Give it a default in the model (no version hash changes), or a value expression in a "
        + "mapping."
    ),
    .uniquenessAdded: Rule(
      "A uniqueness constraint is new.",
      why: "Rows that share the values would violate it.",
      fix: "Remove duplicates first."
    ),
    .countsTightened: Rule(
      "The bounds of a relationship's count become tighter.",
      why: "Objects beyond the bounds would be invalid.",
      fix: "Check the counts first."
    ),
    .becomesToMany: Rule(
      "A to-one relationship becomes to-many.",
      why: "The one destination becomes a set of one.",
      fix: "Nothing needs to be done."
    ),
    .becomesToOne: Rule(
      "A to-many relationship becomes to-one.",
      why: "Rows with several links lose all but one.",
      fix: "Count such rows with `waystone plan STORE`, and correct them with the app first."
    ),
    .becomesOrdered: Rule(
      "A relationship gains an order.",
      why: "The order of what exists is arbitrary at first.",
      fix: "Let the app set the order."
    ),
    .becomesUnordered: Rule(
      "A relationship loses its order.",
      why: "The order that was kept is lost.",
      fix: "If the order matters, keep it in an attribute."
    ),
    .entityMoved: Rule(
      "An entity has another parent.",
      why: "It inherits other properties, and its rows may move to another table.",
      fix: "Nothing needs to be done where the step is inferred."
    ),
    .hierarchiesMerged: Rule(
      "Entities without a common ancestor get one.",
      why: "Core Data refuses to infer it: their rows would share a table and its keys.",
      fix: "Write a mapping. In a version that has not shipped, keep the hierarchies apart."
    ),
    .becomesAbstract: Rule(
      "An entity becomes abstract while it may have rows.",
      why: "Its rows would belong to no entity.",
      fix:
        "Write a mapping that moves its rows. In a version that has not shipped, keep it concrete."
    ),
    .externalStorageToggled: Rule(
      "Large values move into or out of files beside the store.",
      why: "The values stay, but where they lie changes.",
      fix: "Copy the folder _SUPPORT with the store."
    ),
    .propertyKindChanged: Rule(
      "An attribute becomes a relationship or the reverse.",
      why: "No conversion follows from the models.",
      fix: "Write a mapping. In a version that has not shipped, add a new property."
    ),
    .destinationChanged: Rule(
      "A relationship leads to an entity that does not follow from the one it led to.",
      why: "What it leads to is not there any more.",
      fix: "Write a mapping. In a version that has not shipped, add a new relationship."
    ),
    .transienceChanged: Rule(
      "A property becomes transient, or ceases to be.",
      why: "Stores stop or begin to keep its values.",
      fix: "Nothing, if the values may go."
    ),
    .propertyMoved: Rule(
      "A property moves to an ancestor or descendant that declares it from now on.",
      why: "Its values go along wherever the entities still have it.",
      fix: "Nothing needs to be done."
    ),
    .derivationChanged: Rule(
      "An attribute becomes derived, or ceases to be.",
      why: "Its values are computed from now on, or no longer.",
      fix: "Nothing needs to be done where it derives what it held."
    ),
    .inverseChanged: Rule(
      "A relationship has an inverse that does not follow from the one it had.",
      why: "The two sides would disagree.",
      fix: "Write a mapping. In a version that has not shipped, keep the inverse."
    ),
    .becomesConcrete: Rule(
      "An abstract entity is no longer abstract.",
      why:
        "It begins without rows of its own. Whether Core Data infers the step is not documented.",
      fix: "Try the app on a store of the version before."
    ),
    .compositeChanged: Rule(
      "A composite attribute of a form that no store has shown has other elements.",
      why:
        "The elements of other composites come, go and change as attributes do. Where stores keep those "
        + "of a composite in a composite is not known.",
      fix:
        "Write a mapping with an expression. In a version that has not shipped, add a new attribute."
    ),
    .linksDropped: Rule(
      "A relationship leads to objects that a step drops.",
      why:
        "Links to a dropped object are dropped with it. The plan for a store counts the rows that "
        + "lose a link; where the relationship is required and to-one, a run refuses them.",
      fix: "Keep the entity, write a mapping that carries its objects, or correct the rows first."
    ),
    .compositeReadsOther: Rule(
      "A composite attribute reads what another one held.",
      why:
        "The name of a composite attribute is in no version hash. Versions that differ in such names alone "
        + "are one to Core Data: it migrates no store, and finds the values by the order of the names.",
      example: [
        "v1  end: Place?; start: Place?", "v2  begin: Place? (was start); finish: Place? (was end)",
      ],
      fix:
        "Keep the names, or change the entity's hash, as by a hash modifier on another attribute."
    ),
    .derivedColumnDiffers: Rule(
      "A derived attribute has another name or type, and no version hash sees it.",
      why:
        "Only the expression of a derived attribute is in a version hash. Versions that differ in its name or "
        + "type alone are one to Core Data: it migrates no store, and the app asks for a column that old stores "
        + "lack.",
      example: [
        "v1  folded: String = canonical:(title)", "v2  search: String = canonical:(title)",
      ],
      fix:
        "Keep the name and the type, or change the entity's hash, as by a hash modifier on another attribute."
    ),
    .defaultComputed: Rule(
      "A new attribute has a default that the app computes, and that Waystone does not know.",
      why:
        "The app gives rows that exist its default. Waystone reads sources and runs none of them.",
      example: ["var tags: [String] = []", "var color: Data = Self.initial"],
      fix:
        "If the app migrates its stores, nothing needs to be done. If Waystone does, give the value by an "
        + "expression in a hop file: `waystone init --hop V W`."
    ),
  ]
}
