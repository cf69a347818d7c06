package import ObjectModel

/// A question to the data of one version, whether any row stands against a step being lossless.
///
/// It names entities and properties of the version that it asks, and never a value of a row.
package struct Precondition: Hashable, Sendable {
  /// What is asked of each row.
  package enum Kind: Hashable, Sendable {
    /// There is none.
    case noRows
    /// There is none that a filter leaves out.
    case noneLeftOut
    /// It has no value.
    case noValues
    /// It has a value.
    case present
    /// It is stored as a value of a type, and text is UTF-8.
    case readable(AttributeType)
    /// Where it has the first value, it has one of the others, which expressions make of it.
    case kept
    /// Where it has the first value, one of the others, which expressions make of it, is equal to it.
    case returned
    /// An expression can be computed with its values.
    case computable
    /// It has no text with empty parts, of which a split makes nothing.
    case noEmptyParts(separator: String)
    /// It has a text with a part of which a split makes an object.
    case hasParts(separator: String, trimsBlanks: Bool)
    /// The decimal number that an expression gives is stored with all its digits.
    case keepsDigits
    /// Validation accepts its value.
    case within(Bound)
    /// The number that an expression gives is one of a type, and the texts behind it, which the
    /// expression reads as numbers, are read as just these.
    case holds(AttributeType)
    /// Its number is one of another type.
    case fits(from: AttributeType, to: AttributeType)
    /// No other row has the same values; a row that lacks one of them is like no other.
    case unique
    /// No other row with the same first values, so many, has other values behind them.
    case alike(keys: Int)
    /// It has no link.
    case noLinks
    /// It has no link to one of these rows.
    case noLinksTo([Subject], LinkLoss)
    /// It has one link at most.
    case atMostOneLink
    /// No other row has a link to an object that it has one to.
    case noSharedObjects
    /// It has so many links to rows that exist, or none where it may have none.
    case linkCount(least: Int, greatest: Int, orNone: Bool = false)
    /// Its links are those that a relationship leads back by.
    case sameLinks(entity: String, property: String)
    /// No two of its links become one, as rows at their ends become one: rows of these have a group of
    /// their own for each combination of their values.
    case distinctLinks(owners: [Subject], others: [Subject])
    /// Some row at one of these places has its value; what has none finds nothing, which counts where
    /// something is needed.
    case found([LookupPlace], isNeeded: Bool)
    /// Its value is in the form of external storage, and its file is there; or it is plain bytes, which
    /// move there.
    case filesPresent(isLeaving: Bool)
    /// No other row, as rows of these become one, has a link to an object that it has one to, as those
    /// become one; nor has it several, where it holds one.
    case room(owners: [Subject], others: [Subject], isToOne: Bool)
    /// The row that its key names is there.
    case referencesExist(entity: String)
    /// Each row that keeps a link of the relationship leads from an object to an object; asked of these rows
    /// and not of those of the entity.
    case linksExist
  }

  /// What validation asks of a value.
  package enum Bound: Hashable, Sendable {
    /// It is a number, or a date, not below one.
    case least(AttributeValue)
    /// It is a number, or a date, not above one.
    case greatest(AttributeValue)
    /// It is a text of so many UTF-16 units or more.
    case shortest(Int64)
    /// It is a text of so many UTF-16 units or fewer.
    case longest(Int64)
    /// It is a text that a regular expression matches as a whole.
    case pattern(String)

    /// The rule that a value breaks.
    package var code: FindingCode {
      switch self {
      case .least: .valueTooSmall
      case .greatest: .valueTooGreat
      case .shortest: .textTooShort
      case .longest: .textTooLong
      case .pattern: .patternNotMatched
      }
    }
  }

  /// The rows of exactly one entity, or some of them, and which of their values are asked for.
  package struct Subject: Hashable, Sendable {
    /// The entity.
    package var entity: String
    /// The values, one for most questions.
    package var values: [ValueOrigin]
    /// What must hold of a row for it to be asked at all.
    package var predicates: [Predicate]
    /// Whether some of these rows stand for others, and it is not known which.
    package var isShared: Bool

    /// Some rows and values.
    package init(
      _ entity: String,
      _ values: [ValueOrigin] = [],
      predicates: [Predicate] = [],
      isShared: Bool = false
    ) {
      self.entity = entity
      self.values = values
      self.predicates = predicates
      self.isShared = isShared
    }
  }

  /// Why links to some rows do not go over.
  package enum LinkLoss: Hashable, Sendable {
    /// The rows become objects to which the relationship cannot lead.
    case leadsElsewhere
    /// The rows are dropped.
    case targetDropped
    /// The rows are dropped, and the owner needs its one link.
    case neededTargetDropped
  }

  /// Where objects are looked up by a key.
  package struct LookupPlace: Hashable, Sendable {
    /// The entity whose rows are looked at.
    package var entity: String
    /// The attribute that has the key.
    package var key: String
    /// The attribute that must have a value too; nil where the row is enough.
    package var value: String?
    /// Whether rows of subentities are looked at too.
    package var isWithSubentities: Bool
  }

  /// The rule whose finding it decides.
  package var code: FindingCode
  /// The entity where the finding is.
  package var entity: String
  /// The property where the finding is; nil where that is about an entity.
  package var property: String?
  /// What is asked.
  package var kind: Kind
  /// Which rows are asked; none where no row can be concerned.
  package var subjects: [Subject]

  /// A question.
  package init(
    _ code: FindingCode,
    entity: String,
    property: String? = nil,
    _ kind: Kind,
    _ subjects: [Subject]
  ) {
    self.code = code
    self.entity = entity
    self.property = property
    self.kind = kind
    self.subjects = subjects
  }

  /// `Entity.property`, as messages name it.
  package var place: String { property.map { "\(entity).\($0)" } ?? entity }

  /// Whether it asks what an expression or a path to other objects gives.
  var isOfExpressions: Bool {
    subjects.contains { subject in
      subject.values.contains { !$0.isOfStoredValue }
    }
  }

  /// Whether a run that finds it refuted stops, because the step would fail or change values.
  package var isRequired: Bool {
    switch code {
    case .requiredWithoutDefault, .typeNarrowed, .becomesToOne, .uniquenessAdded, .becomesAbstract,
      .unreadableValue, .inverseChanged, .inverseDisagrees,
      .destinationChanged, .expressionGivesNothing, .expressionDoesNotFit, .expressionFails,
      .externalStorageToggled:
      return true
    case .linksDropped:
      if case .noLinksTo(_, .neededTargetDropped) = kind { return true }
      return false
    default: return false
    }
  }

  /// Whether the run itself finds what stands against it, where nobody can ask the rows.
  package var isSeenByRuns: Bool {
    switch kind {
    case .kept, .holds, .room, .computable, .unique: true
    default: false
    }
  }

  /// Why rows that stand against it leave it open; nil where they refute it.
  var doubt: String? {
    code == .transformerChanged ? "whether values can be read, only the new transformer says" : nil
  }

  /// Whether a person may let the run go on where it is refuted, and change what does not fit.
  package var canBeAccepted: Bool {
    switch code {
    case .typeNarrowed, .becomesToOne, .inverseDisagrees, .destinationChanged, .linksDropped,
      .expressionGivesNothing:
      true
    case .unreadableValue:
      if case .fits = kind { true } else { false }
    default: false
    }
  }
}

extension FindingCode {
  /// Whether rows that stand against a step are changed by it as its author wrote, and a run says how
  /// many there are.
  package var isCountedByRuns: Bool {
    [
      .lookupFindsNothing, .linksMerged, .linksDropped, .valueUsed, .emptyPartsLeftOut,
      .resultRounded,
    ]
    .contains(self)
  }
}

extension Precondition.Kind {
  /// Whether links rather than rows are asked for.
  package var isAboutLinks: Bool {
    switch self {
    case .noLinks, .noLinksTo, .atMostOneLink, .noSharedObjects, .linkCount, .sameLinks,
      .distinctLinks, .room, .linksExist:
      true
    default: false
    }
  }

  /// Whether each row answers on its own, by its values.
  package var isAboutEachRow: Bool {
    switch self {
    case .noRows, .noneLeftOut, .noValues, .present, .readable, .kept, .returned, .noEmptyParts,
      .hasParts, .keepsDigits, .within, .holds, .fits, .referencesExist, .found:
      true
    case .unique, .alike, .noLinks, .noLinksTo, .atMostOneLink, .noSharedObjects, .linkCount,
      .sameLinks, .distinctLinks, .room, .filesPresent, .computable, .linksExist:
      false
    }
  }

  /// What is so with a row that stands against it, in words that follow a number of rows.
  package var complaint: String {
    switch self {
    case .noRows: "are there"
    case .noneLeftOut: "are left out"
    case .noValues: "have a value"
    case .present: "have no value"
    case .readable(.string), .readable(.uri): "have a value that is not text in UTF-8"
    case .readable(let type): "have a value that is no \(type)"
    case .kept: "have a value that the mapping cannot convert"
    case .within(.least): "have a value below the minimum"
    case .within(.greatest): "have a value above the maximum"
    case .within(.shortest): "have text that is too short"
    case .within(.longest): "have text that is too long"
    case .within(.pattern): "have text that the regular expression does not match"
    case .returned: "have a value that does not come back as it is"
    case .computable: "have values with which the expression cannot be computed"
    case .noEmptyParts: "have empty parts, of which nothing is made"
    case .hasParts: "have no part, and are dropped"
    case .keepsDigits: "give a decimal number of more digits than a column keeps"
    case .holds(let type): "give a number that \(type) cannot hold"
    case .fits(let type, .decimal) where type.isInteger:
      "have a value that is no \(type), or that is rounded when the app saves it"
    case .fits(_, .decimal): "have a value that is rounded when the app saves it"
    case .fits(_, let type): "have a value that \(type) cannot hold"
    case .unique: "share what is to be unique"
    case .alike: "become one object with others that have other values"
    case .noLinks: "have links"
    case .noLinksTo(_, .leadsElsewhere): "have links that cannot go over"
    case .noLinksTo(_, .targetDropped): "have links to objects that are dropped"
    case .noLinksTo(_, .neededTargetDropped): "lose the link that they need"
    case .atMostOneLink: "have more than one link"
    case .noSharedObjects: "share a linked object with another row"
    case .linkCount(_, .max, _): "have too few links"
    case .linkCount(0, _, _): "have too many links"
    case .linkCount: "have too few or too many links"
    case .sameLinks: "have links that the other side does not have"
    case .distinctLinks: "have links that become one"
    case .found(_, isNeeded: true): "find nothing"
    case .found: "have a key that nothing has"
    case .filesPresent(isLeaving: true): "have a value whose file is missing, or of unknown form"
    case .filesPresent: "have a value that is no bytes"
    case .room: "have links for which an end has no room"
    case .referencesExist: "lead to an object that is not there"
    case .linksExist: "lead from or to an object that is not there"
    }
  }
}
