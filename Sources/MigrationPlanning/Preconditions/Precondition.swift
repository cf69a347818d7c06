package import ObjectModel

/// A question to the rows of one version: a condition under which a step is lossless.
///
/// It names entities and properties of the version that it asks, and never a value of a row.
package struct Precondition: Hashable, Sendable {
  /// The condition that each row must meet.
  package enum Kind: Hashable, Sendable {
    /// There is no such row.
    case noRows
    /// There is no row that a filter leaves out.
    case noneLeftOut
    /// The row has no value.
    case noValues
    /// The row has a value.
    case present
    /// The value is stored as a value of a type, and text is UTF-8. Only code reads a decimal that is not a
    /// number.
    case readable(AttributeType, byCode: Bool = false)
    /// A row that has the first value has one of the others, which expressions make of it.
    case kept
    /// A row that has the first value has an equal one among the others, which expressions make of it.
    case returned
    /// An expression can be computed with its values.
    case computable
    /// The row has no text with empty parts, which a split leaves out.
    case noEmptyParts(separator: String)
    /// The row has a text that a split makes objects from.
    case hasParts(separator: String, trimsBlanks: Bool)
    /// The decimal number that an expression gives is stored with all its digits.
    case keepsDigits
    /// Validation accepts its value.
    case within(AttributeDescription.Bound)
    /// The number that an expression gives is one of a type, and the texts behind it, which the
    /// expression reads as numbers, are read as just these.
    case holds(AttributeType)
    /// The number is a value of another type, too.
    case fits(from: AttributeType, to: AttributeType)
    /// The row shares its values with no other row; a row that lacks one of them equals no other.
    case unique
    /// The row shares its first `keys` values only with rows whose other values are the same.
    case alike(keys: Int)
    /// The row has no link.
    case noLinks
    /// The row has no link to one of these rows.
    case noLinksTo([Subject], LinkLoss)
    /// The row has one link at most.
    case atMostOneLink
    /// The row is linked to no object to which another row is linked.
    case noSharedObjects
    /// The row's number of links to existing rows is in this range, or zero where that is allowed.
    case linkCount(least: Int, greatest: Int, orNone: Bool = false)
    /// The row's links are the same as those of the inverse relationship.
    case sameLinks(entity: String, property: String)
    /// The row has no two links that become one when the rows at their ends become one: rows of these
    /// have a group of their own for each combination of their values.
    case distinctLinks(owners: [Subject], others: [Subject])
    /// A row at one of these places has the value; a row without a value finds none, which counts where
    /// a result is needed.
    case found([LookupPlace], isNeeded: Bool)
    /// The value is in the form of external storage and its file exists, or it is plain bytes, which
    /// move there.
    case filesPresent(isLeaving: Bool)
    /// The row, after rows of these are merged, shares no linked object with another row, and has no
    /// second link where it may hold only one.
    case room(owners: [Subject], others: [Subject], isToOne: Bool)
    /// The row that its key names is there.
    case referencesExist(entity: String)
    /// Each row that keeps a link of the relationship leads from an object to an object; asked of these rows
    /// and not of those of the entity.
    case linksExist
  }

  /// The rows of exactly one entity, or some of them, and the values of them that are asked for.
  package struct Subject: Hashable, Sendable {
    /// The entity.
    package var entity: String
    /// The values, one for most questions.
    package var values: [ValueOrigin]
    /// The conditions that select the rows.
    package var predicates: [Predicate]
    /// The parts of each row, whose objects are asked instead of the row; nil where the row is asked.
    package var pieces: EntityMapping.Pieces?
    /// Whether some of these rows may not count, and it is not known which: rows that become one with
    /// others, or that a mapping does not take.
    package var isShared: Bool

    /// Some rows and values.
    package init(
      _ entity: String,
      _ values: [ValueOrigin] = [],
      predicates: [Predicate] = [],
      pieces: EntityMapping.Pieces? = nil,
      isShared: Bool = false
    ) {
      self.entity = entity
      self.values = values
      self.predicates = predicates
      self.pieces = pieces
      self.isShared = isShared
    }
  }

  /// The reason why links to some rows are lost.
  package enum LinkLoss: Hashable, Sendable {
    /// The rows become objects to which the relationship cannot lead.
    case leadsElsewhere
    /// The rows are dropped.
    case targetDropped
    /// The rows are dropped, and the owner needs its one link.
    case neededTargetDropped
  }

  /// An entity and an attribute in which objects are looked up by a key.
  package struct LookupPlace: Hashable, Sendable {
    /// The entity whose rows are searched.
    package var entity: String
    /// The attribute that has the key.
    package var key: String
    /// The attribute that must have a value too; nil where the row is enough.
    package var value: String?
    /// Whether rows of subentities are searched, too.
    package var isWithSubentities: Bool
  }

  /// The rule whose finding it decides.
  package var code: FindingCode
  /// The entity where the finding is.
  package var entity: String
  /// The property where the finding is; nil where that is about an entity.
  package var property: String?
  /// The condition that each row must meet.
  package var kind: Kind
  /// The rows that are asked; empty where no row can be concerned.
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

  /// Whether it asks about the result of an expression, or of a path to other objects.
  var isOfExpressions: Bool {
    subjects.contains { subject in
      subject.values.contains { !$0.isOfStoredValue }
    }
  }

  /// Whether a run that finds it refuted stops, because the step would fail or change values.
  package var isRequired: Bool {
    if code == .linksDropped, case .noLinksTo(_, .neededTargetDropped) = kind { return true }
    return code.has(.stopsRun)
  }

  /// Whether the run itself finds violating rows, where the rows cannot be asked before.
  package var isSeenByRuns: Bool {
    switch kind {
    case .kept, .holds, .room, .computable, .unique: true
    default: false
    }
  }

  /// The reason why violating rows leave the answer unknown; nil where they refute it.
  var doubt: String? {
    code == .transformerChanged ? "whether values can be read, only the new transformer says" : nil
  }

  /// Whether the user may let the run continue where it is refuted, and change the values that do not
  /// fit.
  package var canBeAccepted: Bool {
    if code == .unreadableValue, case .fits = kind { return true }
    return code.has(.acceptable)
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

  /// The fault of violating rows, in words that follow a number of rows.
  package var complaint: String {
    switch self {
    case .noRows: "are there"
    case .noneLeftOut: "are left out"
    case .noValues: "have a value"
    case .present: "have no value"
    case .readable(.string, _), .readable(.uri, _): "have a value that is not text in UTF-8"
    case .readable(.decimal, _): "have a value that is no number"
    case .readable(let type, _): "have a value that is no \(type)"
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
    case .fits(.double, .decimal), .fits(.float, .decimal):
      "have a value that is no number, or that no decimal number holds"
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
