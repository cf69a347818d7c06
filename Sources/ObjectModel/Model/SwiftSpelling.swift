/// The parts of a schema that Swift sources spell and that no model keeps: names of types, cases of enums, and
/// initial values.
///
/// All names are those within the schema, so that nothing refers to a type of the app outside of it.
package struct SwiftSpelling: Hashable, Sendable {
  /// A property of a class or a structure.
  package struct Property: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The type, with the question mark of an optional one.
    package var type: String
    /// The initial value, where it has one that means the same elsewhere.
    package var value: String?
    /// Whether it is `let`.
    package var isConstant = false

    /// A variable without an initial value.
    package init(name: String, type: String) {
      self.name = name
      self.type = type
    }
  }

  /// A structure or an enumeration on which properties depend.
  package struct ValueType: Hashable, Sendable {
    /// The name.
    package var name: String
    /// Whether it is an enumeration.
    package var isEnumeration: Bool
    /// The type of raw values and the protocols behind the colon.
    package var inherited: [String] = []
    /// The cases of an enumeration, with their raw values or payloads.
    package var cases: [String] = []
    /// The stored properties of a structure.
    package var properties: [Property] = []
    /// Whether it is made of its property `rawValue`.
    package var isRawRepresentable = false

    /// A type without members.
    package init(name: String, isEnumeration: Bool) {
      self.name = name
      self.isEnumeration = isEnumeration
    }
  }

  /// An initial value that refers to code of the app, and is left out.
  package struct LeftOut: Hashable, Sendable {
    /// The entity.
    package var entity: String
    /// The property.
    package var property: String

    /// The initial value of a property.
    package init(entity: String, property: String) {
      self.entity = entity
      self.property = property
    }
  }

  /// The properties by the names of the entity and the property.
  package var properties: [String: [String: Property]] = [:]
  /// The structures and enumerations, in the order in which they are first used.
  package var valueTypes: [ValueType] = []
  /// The modules that the files of these types import, in byte order.
  package var imports: [String] = []
  /// Whether all classes are public.
  package var isPublic = false
  /// The white space of one level of indentation.
  package var indentation = "  "
  /// The initial values that are left out.
  package var leftOut: [LeftOut] = []
  /// The types that the sources do not declare and that Waystone does not know, which a copy names as they are.
  package var foreignTypes: Set<String> = []
  /// The reasons why no copy of some type means the same, each a sentence.
  package var problems: [String] = []

  /// Makes an empty spelling.
  package init() {}
}
