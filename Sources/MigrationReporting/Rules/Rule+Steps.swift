extension Rule {
  /// Rules about steps between versions.
  static let steps: [String: Rule] = [
    "WS301": Rule(
      "An entity is dropped with all its rows.",
      why: "The later version has no entity that it became.",
      fix: "If it has another name, set that entity's renaming identifier."
    ),
    "WS302": Rule(
      "An attribute is dropped.",
      why: "Its values are lost.",
      fix: "If it has another name, set the new attribute's renaming identifier."
    ),
    "WS303": Rule(
      "A relationship is dropped.",
      why: "What it connected is no longer connected.",
      fix: "If it has another name, set the new relationship's renaming identifier."
    ),
    "WS304": Rule(
      "An entity is new.",
      why: "It begins without rows.",
      fix: "Nothing needs to be done."
    ),
    "WS305": Rule(
      "An attribute is new.",
      why: "Rows that exist get its default, or nothing.",
      fix: "Nothing needs to be done."
    ),
    "WS306": Rule(
      "A relationship is new.",
      why: "Rows that exist lead nowhere by it.",
      fix: "Nothing needs to be done."
    ),
    "WS307": Rule(
      "An entity has another name.",
      why: "Its renaming identifier says so, and its rows go along.",
      fix: "Nothing needs to be done."
    ),
    "WS308": Rule(
      "A property has another name.",
      why: "Its renaming identifier says so, and its values go along.",
      fix: "Nothing needs to be done."
    ),
    "WS309": Rule(
      "A number's type becomes wider.",
      why: "Every value fits.",
      fix: "Nothing needs to be done."
    ),
    "WS310": Rule(
      "A number's type becomes narrower, or loses its fraction.",
      why: "Values that do not fit would change.",
      fix: "Check the values, or keep the wider type."
    ),
    "WS311": Rule(
      "An attribute's type changes in a way that cannot be inferred.",
      why: "No conversion follows from the models.",
      fix: "Write a mapping with an expression, or add a new attribute."
    ),
    "WS312": Rule(
      "An optional attribute becomes required; rows without a value get the default.",
      why: "What was missing can no longer be told from the default.",
      fix: "Keep it optional if that matters."
    ),
    "WS313": Rule(
      "An attribute is required and has no default, and rows may lack a value.",
      why: "Such rows would be invalid.",
      fix: "Give it a default, or make it optional."
    ),
    "WS314": Rule(
      "A uniqueness constraint is new.",
      why: "Rows that share the values would violate it.",
      fix: "Remove duplicates first."
    ),
    "WS315": Rule(
      "The bounds of a relationship's count become tighter.",
      why: "Objects beyond the bounds would be invalid.",
      fix: "Check the counts first."
    ),
    "WS316": Rule(
      "A to-one relationship becomes a to-many.",
      why: "The one destination becomes a set of one.",
      fix: "Nothing needs to be done."
    ),
    "WS317": Rule(
      "A to-many relationship becomes a to-one.",
      why: "All but one destination would be lost.",
      fix: "Check that no owner has several."
    ),
    "WS318": Rule(
      "A relationship gains an order.",
      why: "The order of what exists is arbitrary at first.",
      fix: "Let the app set the order."
    ),
    "WS319": Rule(
      "A relationship loses its order.",
      why: "The order that was kept is lost.",
      fix: "Keep it ordered if the order matters."
    ),
    "WS320": Rule(
      "An entity has another parent.",
      why: "It inherits other properties, and its rows may move to another table.",
      fix: "Nothing needs to be done where the step is inferred."
    ),
    "WS321": Rule(
      "Entities without a common ancestor get one.",
      why: "Core Data refuses to infer it: their rows would share a table and its keys.",
      fix: "Write a mapping, or keep the hierarchies apart."
    ),
    "WS322": Rule(
      "An entity becomes abstract while it may have rows.",
      why: "Its rows would belong to no entity.",
      fix: "Keep it concrete, or write a mapping that moves its rows."
    ),
    "WS323": Rule(
      "Large values move into or out of files beside the store.",
      why: "The values stay, but where they lie changes.",
      fix: "Copy the folder _SUPPORT with the store."
    ),
    "WS324": Rule(
      "An attribute becomes a relationship or the reverse.",
      why: "No conversion follows from the models.",
      fix: "Write a mapping, or add a new property."
    ),
    "WS325": Rule(
      "A relationship leads to an entity that does not follow from the one it led to.",
      why: "What it leads to is not there any more.",
      fix: "Write a mapping, or add a new relationship."
    ),
    "WS326": Rule(
      "A property becomes transient, or stops to be.",
      why: "Stores stop or begin to keep its values.",
      fix: "Nothing, if the values may go."
    ),
    "WS327": Rule(
      "A property moves to an ancestor or descendant that declares it from now on.",
      why: "Its values go along wherever the entities still have it.",
      fix: "Nothing needs to be done."
    ),
    "WS328": Rule(
      "An attribute becomes derived, or stops to be.",
      why: "Its values are computed from now on, or no longer.",
      fix: "Nothing needs to be done where it derives what it held."
    ),
    "WS329": Rule(
      "A relationship has an inverse that does not follow from the one it had.",
      why: "The two sides would disagree.",
      fix: "Write a mapping, or keep the inverse."
    ),
    "WS335": Rule(
      "An abstract entity stops to be abstract.",
      why:
        "It begins without rows of its own. Whether Core Data infers the step is not documented.",
      fix: "Try the app on a store of the version before."
    ),
    "WS336": Rule(
      "A composite attribute has other parts.",
      why:
        "No conversion follows from the models, and whether Core Data infers one is not documented.",
      fix: "Write a mapping with an expression, or add a new attribute."
    ),
  ]
}
