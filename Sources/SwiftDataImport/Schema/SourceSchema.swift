package import ObjectModel

/// A version of an app's models that Swift sources declare.
package struct SourceSchema: Sendable {
  /// The declaration of an entity or a property.
  package struct Declaration: Hashable, Sendable {
    /// The place of the name.
    package var place: SourcePlace
    /// The type of a property as it is spelled; nil of an entity.
    package var type: String?
  }

  /// A type on which the hashes of a schema depend, and that is declared outside of it.
  package struct OutsideType: Hashable, Sendable {
    /// The names around it and its own.
    package var path: [String]
    /// Whether it is a model, and not a structure or enumeration.
    package var isModel: Bool
    /// The place of the declaration.
    package var place: SourcePlace
    /// The entity that uses it.
    package var entity: String
    /// The model whose relationship or superclass it is, where the schema does not name it itself.
    package var leader: [String]?
    /// Whether the schema's own namespace declares a model of the same name.
    package var hasCopy = false
  }

  /// The names around the type that conforms to `VersionedSchema`, and its own; empty where models are
  /// in none.
  package var path: [String]
  /// The version identifier, such as `1.0.0`; nil where it is not understood.
  package var identifier: String?
  /// The place of the declaration.
  package var place: SourcePlace
  /// The declared model; nil where its parts do not form one.
  package var model: ManagedObjectModel?
  /// The entities whose hashes are not known, each with the reasons.
  package var unknownEntities: Set<String> = []
  /// The entities whose hashes are not known for more than types of properties.
  package var undecidedEntities: Set<String> = []
  /// Whether it is not known which entities it has.
  package var isIncomplete = false
  /// Whether it has the entities of several containers, and the app's may be one of them.
  package var isAssumed = false
  /// The declarations of entities, by their names.
  package var entities: [String: Declaration] = [:]
  /// The declarations of properties, by entity and property; an element of a composite has both of its
  /// names, as in `place.latitude`.
  package var properties: [String: [String: Declaration]] = [:]
  /// The types on which its hashes depend, by the names around them and their own.
  package var types: [[String]: OutsideType] = [:]
  /// The places of types that decide how values are encoded, and of their cases and properties, by the names
  /// joined by a dot.
  package var codingPlaces: [String: SourcePlace] = [:]
  /// The declarations from which it was made, and the classes of its entities; nil of one that has no model.
  var origin: (module: SourceModule, classes: [String: TypeDeclaration])?
  /// The properties whose types make no attribute that is known.
  package var unknownTypes: [UnknownType] = []
  /// The places that rest on rules which no measured store shows.
  package var rules: [RuleUse] = []
  /// The spelling of its classes, for a copy that refers to nothing outside of it.
  package var spelling = SwiftSpelling()
  /// The further findings on the schema.
  package var findings: [Finding] = []

  /// The name of the type that conforms to `VersionedSchema`; nil where models are in none.
  package var name: String? { path.isEmpty ? nil : path.joined(separator: ".") }

  /// Whether its declarations exclude each other, such as two classes for one entity.
  package var contradictsItself: Bool {
    findings.contains { $0.code == .unresolvedForm && $0.severity == .error }
  }

  /// Whether it is known which entities there are, even where their contents are not known.
  package var isWhole: Bool { model != nil && !isIncomplete }

  /// Whether the hash of every entity is known, and which entities there are.
  package var isKnown: Bool { isWhole && unknownEntities.isEmpty && !isAssumed }

  /// The checksum of its model; nil where a hash is unknown.
  package var knownChecksum: String? { isKnown ? model?.versionChecksum : nil }

  /// Whether a store of the schema may settle the form that SwiftData gives a type.
  package var hasDoubtfulTypes: Bool {
    !unknownTypes.isEmpty || rules.contains { $0.subject != nil }
  }

  /// The hashes that are known.
  package var knownHashes: [String: VersionHash] {
    (model?.entityVersionHashes ?? [:]).filter { !unknownEntities.contains($0.key) }
  }

  /// Returns the place of a property's declaration, else of its entity's, else of the schema's.
  package func place(entity: String?, property: String? = nil) -> SourcePlace {
    entity.flatMap { entity in
      property.flatMap { declaration(entity, $0)?.place } ?? entities[entity]?.place
    } ?? place
  }

  /// Returns the declaration of a property, or of the composite that it is an element of.
  private func declaration(_ entity: String, _ property: String) -> Declaration? {
    properties[entity]?[property]
      ?? properties[entity]?[String(property.prefix { $0 != "." })]
  }
}
