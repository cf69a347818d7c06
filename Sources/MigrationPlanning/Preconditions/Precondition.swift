package import ObjectModel

/// A question to the data of one version, whether any row stands against a step being lossless.
///
/// It names entities and properties of the version that it asks, and never a value of a row.
package struct Precondition: Hashable, Sendable {
  /// What is asked of each row.
  package enum Kind: Hashable, Sendable {
    /// There is none.
    case noRows
    /// It has no value.
    case noValues
    /// It has a value.
    case present
    /// It is stored as a value of a type, and text is UTF-8.
    case readable(AttributeType)
    /// Its number is one of another type.
    case fits(from: AttributeType, to: AttributeType)
    /// No other row has the same values; a row that lacks one of them is like no other.
    case unique
    /// No other row with the same first values, so many, has other values behind them.
    case alike(keys: Int)
    /// It has no link.
    case noLinks
    /// It has no link to one of these rows.
    case noLinksTo([Subject])
    /// It has one link at most.
    case atMostOneLink
    /// No other row has a link to an object that it has one to.
    case noSharedObjects
    /// It has so many links to rows that exist.
    case linkCount(least: Int, greatest: Int)
    /// Its links are those that a relationship leads back by.
    case sameLinks(entity: String, property: String)
    /// No two of its links become one, as rows at their ends become one: rows of these have a group of
    /// their own for each combination of their values.
    case distinctLinks(owners: [Subject], others: [Subject])
    /// Some row at one of these places has its value; what has none finds nothing, which counts where
    /// something is needed.
    case found([LookupPlace], isNeeded: Bool)
    /// The file of its value is there.
    case filesPresent
    /// The row that its key names is there.
    case referencesExist(entity: String)
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

  /// Whether a run that finds it refuted stops, because the step would fail or change values.
  package var isRequired: Bool {
    switch code {
    case .requiredWithoutDefault, .typeNarrowed, .becomesToOne, .uniquenessAdded, .becomesAbstract,
      .unreadableValue, .typeWidened, .inverseChanged, .inverseDisagrees,
      .destinationChanged:
      true
    default: false
    }
  }

  /// Why rows that stand against it leave it open; nil where they refute it.
  var doubt: String? {
    code == .transformerChanged ? "whether values can be read, only the new transformer says" : nil
  }

  /// Whether a person may let the run go on where it is refuted, and change what does not fit.
  package var canBeAccepted: Bool { code.isAcceptableChange }
}

extension FindingCode {
  /// Whether rows that stand against a step are changed by it as its author wrote, and a run says how
  /// many there are.
  package var isCountedByRuns: Bool { self == .lookupFindsNothing || self == .linksMerged }

  /// Whether a person may let values and links change as the finding says.
  package var isAcceptableChange: Bool {
    switch self {
    case .typeNarrowed, .typeWidened, .becomesToOne, .inverseDisagrees, .destinationChanged:
      true
    default: false
    }
  }
}

extension Precondition.Kind {
  /// Whether links rather than rows are asked for.
  package var isAboutLinks: Bool {
    switch self {
    case .noLinks, .noLinksTo, .atMostOneLink, .noSharedObjects, .linkCount, .sameLinks,
      .distinctLinks:
      true
    default: false
    }
  }

  /// Whether each row answers on its own, by its values.
  package var isAboutEachRow: Bool {
    switch self {
    case .noRows, .noValues, .present, .readable, .fits, .referencesExist, .found: true
    case .unique, .alike, .noLinks, .noLinksTo, .atMostOneLink, .noSharedObjects, .linkCount,
      .sameLinks, .distinctLinks, .filesPresent:
      false
    }
  }

  /// What is so with a row that stands against it, in words that follow a number of rows.
  package var complaint: String {
    switch self {
    case .noRows: "are there"
    case .noValues: "have a value"
    case .present: "have no value"
    case .readable(.string), .readable(.uri): "have a value that is not text in UTF-8"
    case .readable(let type): "have a value that is no \(type)"
    case .fits(_, let type): "have a value that \(type) cannot hold"
    case .unique: "share what is to be unique"
    case .alike: "become one object with others that have other values"
    case .noLinks: "have links"
    case .noLinksTo: "have links that cannot go over"
    case .atMostOneLink: "have more than one link"
    case .noSharedObjects: "share a linked object with another row"
    case .linkCount(_, .max): "have too few links"
    case .linkCount(0, _): "have too many links"
    case .linkCount: "have too few or too many links"
    case .sameLinks: "have links that the other side does not have"
    case .distinctLinks: "have links that become one"
    case .found(_, isNeeded: true): "find nothing"
    case .found: "have a key that nothing has"
    case .filesPresent: "have a value whose file is missing"
    case .referencesExist: "lead to an object that is not there"
    }
  }
}
