package import ObjectModel

/// A store's facts about the attributes that SwiftData made: hashes, and the model that it carries.
package struct StoreFacts: Sendable {
  /// The name that findings call it.
  package var name: String
  /// The version hash of each entity.
  package var hashes: [String: VersionHash]
  /// The model that the store carries; nil where it has none, or one of other hashes.
  package var model: ManagedObjectModel?

  /// The facts of a store.
  package init(name: String, hashes: [String: VersionHash], model: ManagedObjectModel?) {
    self.name = name
    self.hashes = hashes
    self.model = model?.entityVersionHashes == hashes ? model : nil
  }
}

/// The form of a Swift type that a store shows.
package struct LearnedType: Hashable, Sendable {
  /// The key of the type under `swiftdata: types:`.
  package var key: String
  /// The form.
  package var form: TypeForm
  /// The name of the store.
  package var store: String
  /// Whether the store's model states it, rather than a hash that fits no other form that was tried.
  package var isOfModel: Bool
  /// The form by the rule; nil where there is no rule.
  package var expected: TypeForm?
  /// The proof of the rule.
  package var proof: ShapeProof?
  /// The entity with a property of the type.
  package var entity: String
  /// The property.
  package var property: String
  /// The place of the property.
  package var place: SourcePlace

  /// Whether the rule gives the same form.
  package var confirmsRule: Bool { expected.map { $0.isSame(as: form) } == true }

  /// Whether it contradicts a rule that stores of public apps, or documents of Apple, show.
  package var contradictsRule: Bool {
    !confirmsRule && proof.map { $0 > .measuredHere && $0 <= .documented } == true
  }
}

/// The results of a comparison of a schema with a store, as far as forms of Swift types are in doubt.
package struct SchemaLesson: Sendable {
  /// An entity whose doubtful types a store does not settle.
  package struct OpenEntity: Hashable, Sendable {
    /// The reason.
    package enum Reason: Hashable, Sendable {
      /// The forms that are tried do not make the store's hash: the entity differs in more than these types.
      case noneFits
      /// Several forms make it.
      case severalFit([String])
      /// There are more combinations than are tried.
      case tooMany
      /// Other parts of the entity are not understood.
      case undecided
    }

    /// The entity.
    package var entity: String
    /// The keys of its doubtful types.
    package var keys: [String]
    /// The reason.
    package var reason: Reason
  }

  /// The forms that the store shows, each key once.
  package var learned: [LearnedType] = []
  /// The entities that it does not settle.
  package var open: [OpenEntity] = []
  /// The number of entities that have the store's hash with the learned types.
  package var fitting = 0
}

extension SourceSchema {
  /// The most combinations of forms that are tried for one entity.
  package static let greatestTries = 10_000

  /// Returns the forms of doubtful types that a store of the schema shows.
  ///
  /// A form counts where the entity has the store's hash with it. The store's model gives the form where it has
  /// one; else forms are tried, those that the rules give first.
  /// - Complexity: O(*t* · *p*) in the tries, which are bounded, and the properties of an entity.
  package func learn(from store: StoreFacts) -> SchemaLesson {
    guard let model, let origin else { return SchemaLesson() }
    var learner = SchemaLearner(schema: self, store: store, model, origin.module, origin.classes)
    learner.learn()
    return learner.lesson
  }
}
