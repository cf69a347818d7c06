internal import ObjectModel

extension Rule {
  /// The rules about changes of a step that touch no row.
  static let unseenSteps: [FindingCode: Rule] = [
    .deletionRuleChanged: Rule(
      "The delete rule of a relationship changes.",
      why: "No version hash sees it and no row changes, but what the app deletes from now on does: "
        + "cascade takes the destinations along, which may be all of a user's data, and deny makes "
        + "deletions fail that went through before.",
      example: [
        "v4  <relationship name=\"notes\" deletionRule=\"Nullify\" …/>",
        "v5  <relationship name=\"notes\" deletionRule=\"Cascade\" …/>",
      ],
      fix: "Make sure that it is meant, and that nothing else relies on the destinations."
    ),
    .transformerChanged: Rule(
      "Stored values get another transformer, or another class in memory.",
      why: "A step copies the bytes as they are. If the new transformer cannot read what the old "
        + "one wrote, the value is lost to the app, or the app ends when it is read. The hash sees "
        + "it only where a hash modifier was set.",
      example: [
        "v4  valueTransformerName=\"ColorTransformer\"",
        "v5  valueTransformerName=\"NSSecureUnarchiveFromData\"",
      ],
      fix: "Let the new transformer read both, or convert the values by a mapping with a policy. "
        + "Where no hash changes, Core Data migrates no store: set a hash "
        + "modifier on the attribute."
    ),
    .defaultChanged: Rule(
      "An attribute gets another default.",
      why:
        "Only objects made from now on get it: existing rows keep their value. An attribute "
        + "that becomes required in the same step is filled with the new default.",
      example: [
        "v4  <attribute name=\"count\" defaultValueString=\"0\" …/>",
        "v5  <attribute name=\"count\" defaultValueString=\"1\" …/>",
      ],
      fix: "Nothing, if old rows may keep the old value. Else convert them by a mapping."
    ),
    .indexesChanged: Rule(
      "Nothing but the indexes of an entity change.",
      why: "No version hash sees indexes, so Core Data migrates no store for them: it gets the new "
        + "index only when something else is migrated too, and queries stay slow until then.",
      example: [
        "v5  <fetchIndex name=\"byDate\"><fetchIndexElement property=\"date\" …/></fetchIndex>"
      ],
      fix: "Set a hash modifier on the entity if stores must get the index at once."
    ),
    .configurationChanged: Rule(
      "An entity leaves a configuration.",
      why: "Where an app keeps each configuration in a store of its own, the store of the one that "
        + "the entity left is migrated without it: Core Data drops the rows there, and the store "
        + "of the other configuration begins without any. Where it opens each store with all entities, "
        + "nothing is lost. `check` asks once for a model, unless `configurations:` in waystone.yml, a "
        + "sample store or the app's sources give the answer.",
      example: [
        "v4  <configuration name=\"Local\"><memberEntity name=\"Draft\"/></configuration>",
        "v5  <configuration name=\"Cloud\"><memberEntity name=\"Draft\"/></configuration>",
      ],
      fix:
        "If the app opens each store with all entities, write `configurations: none` in waystone.yml. "
        + "If not, write `configurations: used`, and keep the entity in both until the app has copied the "
        + "rows from one store to the other."
    ),
  ]
}
