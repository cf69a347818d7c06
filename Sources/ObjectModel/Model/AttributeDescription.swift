/// An attribute as a model declares it.
///
/// Counterpart of `NSAttributeDescription`, with `NSDerivedAttributeDescription` and
/// `NSCompositeAttributeDescription` folded in.
public struct AttributeDescription: Hashable, Sendable {
  /// The name, unique among the entity's properties.
  public var name: String
  /// The type of the values.
  public var attributeType: AttributeType
  /// Whether a row may lack a value.
  public var isOptional = false
  /// Whether the attribute is left out of the store.
  public var isTransient = false
  /// The value of a new object; nil where there is no default.
  public var defaultValue: AttributeValue?
  /// The spelling of a default that the app computes when it is asked for, so that ``defaultValue`` is nil.
  ///
  /// SwiftData evaluates the initial value of a property in the app. No compiled model contains it.
  package var computedDefault: String?
  /// The Swift type of a property where it is not known what SwiftData makes of it; nil where it is known.
  ///
  /// The attribute's type is a place holder then, and so is the version hash of its entity.
  package var unknownType: String?
  /// The coding of the Swift types of its values, where sources declare them; no version hash has it.
  package var codings: [ValueCoding] = []
  /// The name that the attribute had in an earlier version (XML `elementID`).
  public var renamingIdentifier: String?
  /// Text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// Whether large values may live in files beside the store.
  public var allowsExternalBinaryDataStorage = false
  /// Whether a deleted row's value stays in the history table.
  public var preservesValueInHistoryOnDeletion = false
  /// Whether CloudKit encrypts the value.
  public var allowsCloudEncryption = false
  /// The name of the transformer of a transformable attribute.
  public var valueTransformerName: String?
  /// The class of the values in memory, where the model names one (XML `customClassName`).
  public var attributeValueClassName: String?
  /// Whether generated code uses a scalar type; nil where the model does not state it.
  public var usesScalarValueType: Bool?
  /// The text of the derivation of a derived attribute, as the model spells it.
  public var derivationExpression: DerivationExpression?
  /// The rules that values obey when an object is validated.
  public var validation = AttributeValidation()
  /// Whether the model asks for an index in the form of before iOS 11.
  public var isIndexed = false
  /// Whether Spotlight indexes the value.
  public var isIndexedBySpotlight = false
  /// Whether the value was kept in external records for Spotlight (XML `storedInTruthFile`).
  public var isStoredInExternalRecord = false
  /// The name of the composite that a composite attribute holds.
  public var compositeName: String?
  /// The composite attribute of an element that ``ManagedObjectModel/elements(of:)`` returned; nil for an
  /// attribute that an entity declares.
  package internal(set) var membership: CompositeMembership?
  /// Free annotations of the app's author.
  public var userInfo: [String: String] = [:]

  /// An attribute of a name and type, required, persistent and without default.
  public init(name: String, attributeType: AttributeType) {
    self.name = name
    self.attributeType = attributeType
  }

  /// Whether it has a default that the app computes.
  package var hasComputedDefault: Bool { computedDefault != nil }

  /// The name under which versions match: the renaming identifier, else the name.
  public var canonicalName: String { renamingIdentifier ?? name }

  /// Whether rows of a store have a value for it: neither transient nor undefined.
  public var isPersistent: Bool { !isTransient && attributeType != .undefined }
}

/// The rules that an attribute's values obey when an object is validated.
public struct AttributeValidation: Hashable, Sendable {
  /// The least value; for text the least length in characters.
  public var minimum: AttributeValue?
  /// The greatest value; for text the greatest length in characters.
  public var maximum: AttributeValue?
  /// The ICU regular expression that text matches as a whole.
  public var regularExpression: String?

  /// Makes rules that accept every value.
  public init() {}

  /// Whether nothing is asked of values.
  public var isEmpty: Bool { minimum == nil && maximum == nil && regularExpression == nil }
}
