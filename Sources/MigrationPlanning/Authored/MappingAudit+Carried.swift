import ObjectModel

extension MappingAudit {
  /// Adds the findings on properties that the mapping carries unchanged and whose values may not fit.
  mutating func checkCarried() {
    for precondition in deduction.preconditions() {
      let place = precondition.place
      let at = Finding.Place(entity: precondition.entity, property: precondition.property)
      switch (precondition.code, precondition.kind) {
      case (.typeNarrowed, .fits(let from, let to)):
        let conversion = NumericConversion(source: from, destination: to)
        collector.add(
          .typeNarrowed,
          .warning,
          .conditional,
          at: at,
          "\(subject: place) \(.changes) from \(from) to \(to); \(conversion.condition).",
          remedy: "Make sure that the values fit, or convert them by an expression.",
          change: "\(from) to \(to)"
        )
      case (.becomesToOne, .room): break
      case (.becomesToOne, let kind):
        let condition: Finding.Text =
          switch kind {
          case .noSharedObjects:
            "\(subject: place) \(.is) to-one; where the mapping carries two links to the same object, only one is kept"
          case .noLinks, .noLinksTo:
            "\(subject: place) \(.is) to-one, and an object at one of \(.its) ends becomes several; only one of them gets "
              + "the link"
          default: "\(subject: place) \(.becomes) to-one; rows with several links lose all but one"
          }
        collector.add(
          .becomesToOne,
          .warning,
          .conditional,
          at: at,
          condition + ".",
          remedy: "Correct the rows with the app first, or choose the link by a policy."
        )
      case (.destinationChanged, .noLinksTo(let rows, _)):
        collector.add(
          .destinationChanged,
          .warning,
          .conditional,
          at: at,
          "\(subject: place) cannot lead to what becomes of \(rows.map(\.entity).joined(separator: " and ")): no object "
            + "may have such links.",
          remedy:
            "Let it lead to an entity above, or carry those links by a relationship of their own."
        )
      case (.linksDropped, .noLinksTo(let rows, let loss)):
        collector.addDroppedTargets(
          rows.map(\.entity),
          entity: precondition.entity,
          property: precondition.property ?? "",
          isNeeded: loss == .neededTargetDropped
        )
      case (.expressionGivesNothing, _):
        collector.add(
          .expressionGivesNothing,
          .note,
          .conditional,
          at: at,
          "\(subject: place) \(.is) read by expressions alone; where they give nothing, \(.its) value is lost.",
          remedy: "Let the expressions give a value for each value, or carry it as well."
        )
      case (.becomesUnordered, _):
        collector.addLostOrder(at: at)
      case (.inverseChanged, .sameLinks(let entity, let property)):
        collector.add(
          .inverseChanged,
          .warning,
          .conditional,
          at: at,
          "\(subject: place) and what the mapping makes of \(entity).\(property) become each other's inverse; no link "
            + "is lost if they agree, and the run stops where they do not.",
          remedy:
            "Correct the rows with the app first, or carry one side alone: it gives the other its links."
        )
      case (.externalStorageToggled, .filesPresent(let isLeaving)):
        collector.addToggledStorage(at: at, isLeaving: isLeaving)
      case (.valueUsed, _):
        collector.add(
          .valueUsed,
          .note,
          .unknown,
          at: at,
          "\(subject: place) \(.is) only an input of an expression. Waystone cannot tell whether \(.its) values are kept.",
          remedy: "If its values must stay, carry it as well."
        )
      case (.emptyPartsLeftOut, _):
        collector.add(
          .emptyPartsLeftOut,
          .note,
          .conditional,
          at: at,
          "\(subject: place) \(.is) split into parts; empty parts make no object.",
          remedy: "Nothing needs to be done, if an empty part means nothing."
        )
      case (.expressionDoesNotFit, .holds(let type)):
        collector.add(
          .expressionDoesNotFit,
          .note,
          .conditional,
          at: at,
          "\(subject: place) \(.is) computed by an expression; the run stops at a number that \(type) cannot hold.",
          remedy: "Let the expression give a number that fits, or leave such rows out by a filter."
        )
      case (.resultRounded, _):
        collector.add(
          .resultRounded,
          .note,
          .conditional,
          at: at,
          "\(subject: place) \(.is) computed by an expression. A store keeps a decimal number that is not whole as the "
            + "nearest double, of about 16 digits.",
          remedy:
            "Nothing needs to be done, if fewer digits are enough. Core Data rounds in the same way."
        )
      case (.requiredWithoutDefault, .found):
        collector.add(
          .requiredWithoutDefault,
          .warning,
          .conditional,
          at: at,
          "\(subject: place) \(.is) required and looked up by a key; objects for which nothing is found fail "
            + "validation.",
          remedy: "Correct the keys with the app first."
        )
      case (.lookupFindsNothing, _):
        collector.add(
          .lookupFindsNothing,
          .note,
          .conditional,
          at: at,
          "\(subject: place) is looked up by a key; it stays empty where nothing has the key.",
          remedy: "Correct the keys with the app first, if each is to find something."
        )
      case (.linksMerged, _):
        collector.add(
          .linksMerged,
          .note,
          .conditional,
          at: at,
          "\(subject: place) \(.loses) links that become equal: the mapping makes one object of several at one of \(.its) "
            + "ends.",
          remedy: "Nothing needs to be done, if the objects are to be one."
        )
      case (.requiredWithoutDefault, .present):
        collector.add(
          .requiredWithoutDefault,
          .warning,
          .conditional,
          at: at,
          "\(subject: place) \(.is) required and without a default; rows without a value fail validation.",
          remedy: giving(at: at)
        )
      case (.uniquenessAdded, _) where !deduction.wasUniqueBefore(precondition):
        collector.add(
          .uniquenessAdded,
          .warning,
          .conditional,
          at: at,
          "\(subject: place) \(.must) be unique among all rows from now on.",
          remedy: "Make sure that no two rows share them, or deduplicate by them."
        )
      default: break
      }
    }
  }
}
